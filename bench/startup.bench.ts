/**
 * Measures how quickly the command line starts, with real processes and by the clock of the caller.
 *
 *     npm run bench -- startup [--quick] [ROW]…
 *
 * ROW is one of help, join, run and mdns. Compared commands start alternately, so that other load affects all of these commands equally. The benchmark
 * runs only on Linux, because memory figures come from /proc. The row `mdns` creates a network namespace, which needs root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessCluster, root } from '../test/cluster/processes.ts'
import { endOnSignals, type Resource, using } from './membership/resources.ts'
import { MeasuredRows, WantedRows } from './rows.ts'
import { median } from './statistics.ts'

const MAIN = join(root, 'dist/cli/main.js')
const BARE_NODE = join(root, 'bench/startup/bare-node.mjs')
/** The time between the readiness of a process and the measurement of its memory, in ms. */
const SETTLING = 500
const MIB = 1024
const LOOPBACK = ['--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0']
/** A task whose chunks do nothing, so that the time of a run is only its overhead. */
const TASK = 'export default { split: () => [1, 2, 3, 4], run: n => n, initial: 0, reduce: (sum, n) => sum + n }\n'

endOnSignals()
const wanted = new WantedRows(['help', 'join', 'run', 'mdns'])
const rows = new MeasuredRows(wanted)
const few = (count: number): number => (wanted.quick ? Math.max(2, Math.ceil(count / 10)) : count)

/** A temporary home folder that contains only a task. */
class Home implements Resource {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly task: string

  private constructor(folder: string) {
    this.folder = folder
    this.task = join(folder, 'nothing.mjs')
    this.env = { ...process.env, P2P_WORKER_HOME: folder }
  }

  static async create(): Promise<Home> {
    const home = new Home(await mkdtemp(join(tmpdir(), 'p2p-worker-bench-')))
    await writeFile(home.task, TASK)
    return home
  }

  async stop(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

interface Start {
  ms: number
  /** The resident memory in MiB. */
  memory: number
}

/** Runs a process to its end. Resolves to the duration, in ms. */
async function ends(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now()
  const [code] = (await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${args.join(' ')} ended with exit code ${code}`)
  return performance.now() - began
}

async function residentMemory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / MIB
}

/** Runs a process until the process prints its first line. */
async function becomesReady(args: string[], env: NodeJS.ProcessEnv): Promise<Start> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  try {
    await Promise.race([
      once(child.stdout, 'data'),
      ended.then(([code]) => Promise.reject(new Error(`${args.join(' ')} ended with exit code ${code}`)))
    ])
    const ms = performance.now() - began
    await sleep(SETTLING)
    return { ms, memory: await residentMemory(child) }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** Runs all starts alternately, each start `runs` times. The first run of each start does not count, because the caches are cold. */
async function byTurns<T>(runs: number, starts: Record<string, () => Promise<T>>): Promise<Record<string, T[]>> {
  const found: Record<string, T[]> = Object.fromEntries(Object.keys(starts).map(name => [name, []]))
  for (let run = 0; run <= runs; run++) {
    for (const [name, start] of Object.entries(starts)) {
      const one = await start()
      if (run > 0) found[name]!.push(one)
    }
  }
  return found
}

function show(values: number[], unit = 'ms'): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(value =>
    value.toFixed(0)
  )
  return `${middle} ${unit} (${least} to ${most})`
}

async function measureHelp({ env }: Home): Promise<void> {
  const runs = few(20)
  const found = await byTurns(runs, {
    'node -e 0': () => ends(['-e', '0'], env),
    '--version': () => ends([MAIN, '--version'], env),
    '--help': () => ends([MAIN, '--help'], env),
    'run --help': () => ends([MAIN, 'run', '--help'], env),
    'join --help': () => ends([MAIN, 'join', '--help'], env)
  })
  for (const [name, times] of Object.entries(found)) {
    rows.add(`\`${name}\``, name.startsWith('node') ? '' : 'under 150 ms', show(times), runs)
  }
}

async function measureJoin({ env }: Home): Promise<void> {
  const runs = few(20)
  const found = await byTurns(runs, {
    bare: () => becomesReady([BARE_NODE], env),
    join: () => becomesReady([MAIN, 'join', '--json', ...LOOPBACK], env)
  })
  const [bare, peer] = [found.bare!, found.join!]
  const times = (starts: Start[]): number[] => starts.map(({ ms }) => ms)
  const memory = (starts: Start[]): number[] => starts.map(each => each.memory)
  const above = (of: (starts: Start[]) => number[], unit: string): string => {
    const difference = median(of(peer)) - median(of(bare))
    return `${Math.abs(difference).toFixed(0)} ${unit} ${difference < 0 ? 'below' : 'above'}`
  }
  rows.add('a bare libp2p node with gossipsub, until it listens', '', show(times(bare)), runs)
  rows.add('`join` until `ready`', '', show(times(peer)), runs)
  rows.add('`join` beside the bare node', 'at most 150 ms above', above(times, 'ms'), runs)
  rows.add('memory of the bare node', '', show(memory(bare), 'MiB'), runs)
  rows.add('memory of `join`', '', show(memory(peer), 'MiB'), runs)
  rows.add('`join` beside the bare node', 'at most 40 MB above', above(memory, 'MiB'), runs)
}

/** Measures two times from the start of `run`: until the command is attached to a peer and knows the leader, and until it has printed the result. */
async function measureRun(
  what: string,
  must: string,
  cluster: ProcessCluster,
  home: Home,
  mdns: boolean
): Promise<void> {
  const runs = few(20)
  const found: number[] = []
  const ended: number[] = []
  for (let run = 0; run <= runs; run++) {
    const began = performance.now()
    const command = cluster.spawn(['run', home.task, '--log-level', 'debug'], { mdns })
    await command.until('attached', ({ stderr }) => stderr.includes('attached to the cluster'))
    const attachedAt = performance.now() - began
    await command.until('the result', ({ stdout }) => stdout === '10\n')
    const resultAt = performance.now() - began
    await command.ended
    // The first run does not count, because this run sends the code of the task, and the peers start threads for the task.
    if (run === 0) continue
    found.push(attachedAt)
    ended.push(resultAt)
  }
  rows.add(`\`run\` finds its cluster by ${what}`, must, show(found), runs)
  rows.add(`the whole \`run\` of a task that does nothing, by ${what}`, '', show(ended), runs)
}

async function measureByBootstrap(home: Home): Promise<void> {
  await using(ProcessCluster.start(2), async cluster => {
    await cluster.settled()
    await measureRun('--bootstrap', 'under 500 ms', cluster, home, false)
  })
}

/** A network namespace that contains only loopback, because the machine's own network may block multicast or contain other peers. */
class Namespace implements Resource {
  readonly #name = `p2pw-bench-${process.pid}`
  readonly wrap = ['ip', 'netns', 'exec', this.#name]

  static async create(): Promise<Namespace> {
    const made = new Namespace()
    execFileSync('ip', ['netns', 'add', made.#name])
    execFileSync('ip', ['-n', made.#name, 'link', 'set', 'lo', 'up'])
    return made
  }

  async stop(): Promise<void> {
    execFileSync('ip', ['netns', 'delete', this.#name])
  }
}

async function measureByMdns(home: Home): Promise<void> {
  await using(Namespace.create(), ({ wrap }) =>
    using(ProcessCluster.create({ wrap }), async cluster => {
      for (let i = 0; i < 2; i++) cluster.join([], { mdns: true })
      await Promise.all(cluster.peers.map(peer => peer.ready()))
      await cluster.settled()
      await measureRun('mDNS', 'under 1 s', cluster, home, true)
    })
  )
}

await using(Home.create(), async home => {
  await rows.measure('help', () => measureHelp(home))
  await rows.measure('join', () => measureJoin(home))
  await rows.measure('run', () => measureByBootstrap(home))
  await rows.measure('mdns', () => measureByMdns(home))
})
rows.print()
