/** Runs clusters of HashiCorp's Serf (Debian's package `serf`) for comparison. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Returns the name and version of Serf. Returns undefined if Serf is not installed. */
export function serfVersion(): string | undefined {
  try {
    return `Serf ${execFileSync('serf', ['version'], { encoding: 'utf8' }).split('\n')[0]}`
  } catch {
    return undefined
  }
}

/** An event from the log of an agent. */
export interface SerfEvent {
  event: 'join' | 'failed' | 'suspect'
  /** The name of the affected node. */
  node: string
  /** The time when the line was read, in ms (performance.now). */
  at: number
}

const LINES: [RegExp, SerfEvent['event']][] = [
  [/serf: EventMemberJoin: (\S+)/, 'join'],
  [/serf: EventMemberFailed: (\S+)/, 'failed'],
  [/memberlist: Suspect (\S+) has failed/, 'suspect']
]

/** The address of an agent. */
export interface SerfPlace {
  address: string
  port: number
  rpcPort: number
  /** The prefix of the command, for example to enter a network namespace. */
  wrap: string[]
}

export class SerfAgent {
  readonly name: string
  readonly child: ChildProcess
  readonly events: SerfEvent[] = []
  readonly exited: Promise<unknown>
  readonly #told = new EventTarget()

  constructor(name: string, { address, port, rpcPort, wrap }: SerfPlace, seed: SerfPlace | undefined) {
    this.name = name
    const join = seed === undefined ? [] : ['-retry-join', `${seed.address}:${seed.port}`, '-retry-interval', '1s']
    const agent = ['serf', 'agent', '-node', name, '-profile', 'lan', '-bind', `${address}:${port}`]
    const [command, ...args] = [...wrap, ...agent, '-rpc-addr', `127.0.0.1:${rpcPort}`, ...join]
    this.child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    this.exited = once(this.child, 'exit')
    createInterface({ input: this.child.stdout! }).on('line', line => {
      for (const [pattern, event] of LINES) {
        const node = pattern.exec(line)?.[1]
        if (node !== undefined) this.events.push({ event, node, at: performance.now() })
      }
      this.#told.dispatchEvent(new Event('line'))
    })
  }

  count(event: SerfEvent['event']): number {
    return this.events.filter(each => each.event === event).length
  }

  /** Waits for an event of this kind about the node. Resolves to the time of the latest such event. */
  async says(event: SerfEvent['event'], node: string, limitMs = 60_000): Promise<number> {
    const find = (): SerfEvent | undefined => this.events.findLast(each => each.event === event && each.node === node)
    const limit = AbortSignal.timeout(limitMs)
    while (find() === undefined) await once(this.#told, 'line', { signal: limit })
    return find()!.at
  }
}

export class SerfCluster {
  readonly agents: SerfAgent[] = []

  /** Starts one agent at each place, and waits until all agents know each other. */
  static async start(places: SerfPlace[]): Promise<SerfCluster> {
    const cluster = new SerfCluster()
    try {
      for (const [i, place] of places.entries()) {
        cluster.agents.push(new SerfAgent(`n${i}`, place, i === 0 ? undefined : places[0]))
        if (i === 0) await cluster.agents[0]!.says('join', 'n0')
      }
      const pairs = cluster.agents.flatMap(agent => cluster.agents.map(other => agent.says('join', other.name)))
      await Promise.all(pairs)
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  async stop(): Promise<void> {
    for (const { child } of this.agents) child.kill('SIGKILL')
    await Promise.all(this.agents.map(({ exited }) => exited))
  }
}

/** Returns places for `count` agents on this machine's loopback interface. */
export function loopbackPlaces(count: number): SerfPlace[] {
  return Array.from({ length: count }, (_, i) => ({
    address: '127.0.0.1',
    port: 17_946 + i,
    rpcPort: 17_373 + i,
    wrap: []
  }))
}
