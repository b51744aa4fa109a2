/** Runs the hostile member in a separate process, so that its processor time does not count as a cost of the peers. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseClusterKey } from '../../src/network/cluster-key.ts'
import { type Flood, type Flooded, Flooder } from '../../test/cluster/flooder.ts'

/** The orders that the benchmark sends to the process. */
type Order =
  | { do: 'join'; cluster: string; key: string; bootstrap: string[] }
  | { do: 'flood'; kind: Flood; victim: string; perSecond: number }
  | { do: 'burn'; share: number }
  | { do: 'stop' }
type Answer = { id: string } | Flooded | { stopped: true }

/** Returns the processor time that a process has used so far, in seconds. */
export function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // The sum of user time and system time. Linux counts 100 ticks a second.
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Whether this process is the flooder, and not the benchmark. */
export const IS_FLOODER = process.argv[2] === 'flooder-process'

/** The length of one cycle of busy time and idle time while the process burns processor time, in ms. */
const SLICE = 10

/** The main function of the flooder's process. */
export async function beFlooder(): Promise<void> {
  let flooder: Flooder | undefined
  let over = new AbortController()
  let underWay: Promise<Flooded | undefined> = Promise.resolve(undefined)
  process.on('disconnect', () => process.exit(0))
  const answer = (what: Answer): void => void process.send!(what)
  const obey = async (order: Order): Promise<void> => {
    switch (order.do) {
      case 'join':
        flooder = await Flooder.start(order.cluster, parseClusterKey(order.key), order.bootstrap)
        answer({ id: flooder.id })
        break
      case 'flood':
        over = new AbortController()
        underWay = flooder!.flood(order.kind, order.victim, { perSecond: order.perSecond, signal: over.signal })
        break
      case 'burn':
        over = new AbortController()
        underWay = burn(order.share, over.signal)
        break
      case 'stop':
        over.abort()
        answer((await underWay) ?? { stopped: true })
        break
    }
  }
  process.on('message', (order: Order) => void obey(order))
  await new Promise(() => {})
}

/** Keeps the processor busy for a share of the time, as a flood would. The process stays an ordinary member. */
async function burn(share: number, signal: AbortSignal): Promise<undefined> {
  while (!signal.aborted) {
    const began = performance.now()
    while (performance.now() - began < SLICE * Math.min(1, share));
    await delay(Math.max(0, SLICE * (1 - share)))
  }
  return undefined
}

/** Controls the flooder's process from the benchmark. */
export class FlooderProcess {
  readonly #child: ChildProcess
  id = ''

  constructor() {
    const execArgv = ['--preserve-symlinks-main']
    this.#child = fork(process.argv[1]!, ['flooder-process'], {
      execArgv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc']
    })
  }

  /** Starts the process and joins the cluster. */
  static async start(cluster: string, key: string, bootstrap: string[]): Promise<FlooderProcess> {
    const flooder = new FlooderProcess()
    const { id } = (await flooder.#ask({ do: 'join', cluster, key, bootstrap })) as { id: string }
    flooder.id = id
    return flooder
  }

  flood(kind: Flood, victim: string, perSecond: number): void {
    this.#child.send({ do: 'flood', kind, victim, perSecond } satisfies Order)
  }

  burn(share: number): void {
    this.#child.send({ do: 'burn', share } satisfies Order)
  }

  /** Ends the flood or the burning of processor time. Resolves to the counts of the flood. */
  async rest(): Promise<Flooded> {
    return (await this.#ask({ do: 'stop' })) as Flooded
  }

  /** The processor time of the flooder so far, in seconds. */
  get cpu(): number {
    return cpuOf(this.#child.pid!)
  }

  async stop(): Promise<void> {
    const gone = new Promise(resolve => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await gone
  }

  #ask(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('the flooder has ended'))
      this.#child.once('exit', onExit)
      this.#child.once('message', (answer: Answer) => {
        this.#child.off('exit', onExit)
        resolve(answer)
      })
      this.#child.send(order)
    })
  }
}
