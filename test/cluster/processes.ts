/** Real peers and commands, started through the built command line as a user starts them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { StrategyName } from '../../src/election/core/strategies/names.ts'
import { orderOf } from '../../src/election/electorate.ts'
import type { StoreAddress } from '../../src/election/stores/stores.ts'
import { generateClusterKey } from '../../src/network/cluster-key.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'dist', 'cli', 'main.js')

/** An event line of `join --json`. */
export interface PeerEvent {
  event: 'ready' | 'member' | 'leader' | 'job'
  /** The time when the test read the line, in ms (performance.now). */
  at: number
  /** The time when the peer wrote the line, by the machine's clock (ISO 8601). */
  time: string
  peerId: string | null
  state?: string
  epoch?: number
  incarnation?: number
  addresses?: string[]
  jobId?: string
}

interface Waiter {
  matches: (events: PeerEvent[]) => boolean
  resolve: () => void
}

/** One `p2p-worker join --json` process. */
export class PeerProcess {
  readonly child: ChildProcess
  readonly events: PeerEvent[] = []
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stderr = ''
  readonly #waiters = new Set<Waiter>()

  constructor(args: string[], env: NodeJS.ProcessEnv, wrap: string[] = []) {
    const [command, ...rest] = [...wrap, process.execPath, main, 'join', '--json', ...args]
    this.child = spawn(command!, rest, { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    this.exited = new Promise(resolve => this.child.once('exit', (code, signal) => resolve({ code, signal })))
    this.child.stderr?.on('data', data => {
      this.stderr += data
      this.#check()
    })
    createInterface({ input: this.child.stdout! }).on('line', line => {
      this.events.push({ ...(JSON.parse(line) as PeerEvent), at: performance.now() })
      this.#check()
    })
  }

  #check(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.matches(this.events)) continue
      this.#waiters.delete(waiter)
      waiter.resolve()
    }
  }

  get id(): string {
    return this.#ready.peerId ?? ''
  }

  get addresses(): string[] {
    return this.#ready.addresses ?? []
  }

  /** The leader that this peer reported last. */
  get leader(): string | null | undefined {
    return this.events.findLast(event => event.event === 'leader')?.peerId
  }

  get epoch(): number | undefined {
    return this.events.findLast(event => event.event === 'leader')?.epoch
  }

  /** The last reported state of each member, including this peer's own if reported. */
  states(): Map<string, string> {
    const states = new Map<string, string>()
    for (const event of this.events) if (event.event === 'member') states.set(event.peerId!, event.state!)
    return states
  }

  /** Resolves when the events or the messages on stderr so far match; rejects with the events if that takes too long or the peer ends. */
  async until(what: string, matches: (events: PeerEvent[]) => boolean, limitMs = 60_000): Promise<void> {
    if (matches(this.events)) return
    const waiter: Waiter = { matches, resolve: () => {} }
    const met = new Promise<boolean>(resolve => {
      waiter.resolve = () => resolve(true)
    })
    this.#waiters.add(waiter)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(() => resolve(false), limitMs)
    })
    const ok = await Promise.race([met, late, this.exited.then(() => false)])
    clearTimeout(timer)
    this.#waiters.delete(waiter)
    if (!ok) {
      throw new Error(
        `not seen: ${what}. Events: ${this.events.map(event => JSON.stringify(event)).join('\n')}\nstderr: ${this.stderr}`
      )
    }
  }

  ready(): Promise<void> {
    return this.until('ready', events => events.some(event => event.event === 'ready'))
  }

  follows(leader: string): Promise<void> {
    return this.until(`leader ${leader}`, () => this.leader === leader)
  }

  sees(id: string, state: string): Promise<void> {
    return this.until(`${id} ${state}`, () => this.states().get(id) === state)
  }

  /** Ends the process and waits for it. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.child.kill(signal)
    return await this.exited
  }

  get #ready(): PeerEvent {
    const ready = this.events.find(event => event.event === 'ready')
    if (ready === undefined) throw new Error('this peer is not ready yet')
    return ready
  }
}

export interface CommandResult {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface CommandInit {
  env?: NodeJS.ProcessEnv
  mdns?: boolean
  input?: string
}

export interface ClusterInit {
  /** Put before each command, e.g. to enter a network namespace. */
  wrap?: string[] | undefined
  /** Default `bully`. */
  strategy?: StrategyName | StoreAddress | undefined
  /** More environment variables of each peer and command. */
  env?: NodeJS.ProcessEnv | undefined
}

/** Peers and commands that share one cluster key and an empty home. */
export class ProcessCluster {
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly peers: PeerProcess[] = []
  readonly #commands = new Set<ChildProcess>()
  readonly #wrap: string[]
  readonly #strategy: StrategyName | StoreAddress

  private constructor(home: string, { wrap = [], strategy = 'bully', env }: ClusterInit) {
    this.home = home
    this.#wrap = wrap
    this.#strategy = strategy
    const inherited = Object.entries(process.env).filter(
      ([name]) => !name.startsWith('P2P_WORKER_') && name !== 'NODE_OPTIONS'
    )
    this.env = {
      ...Object.fromEntries(inherited),
      ...env,
      HOME: home,
      // The home folder is removed at the end, with files that a killed peer cannot remove.
      TMPDIR: home,
      P2P_WORKER_HOME: home,
      P2P_WORKER_KEY: generateClusterKey(),
      P2P_WORKER_CLUSTER: 'test'
    }
  }

  static async create(init: ClusterInit = {}): Promise<ProcessCluster> {
    return new ProcessCluster(await mkdtemp(join(tmpdir(), 'p2p-worker-test-')), init)
  }

  /** Starts a cluster of `count` ready peers on loopback that know the address of the first one. */
  static async start(count: number, args: string[] = [], init: ClusterInit = {}): Promise<ProcessCluster> {
    const cluster = await ProcessCluster.create(init)
    try {
      const first = cluster.join(args)
      await first.ready()
      for (let i = 1; i < count; i++) cluster.join(args)
      await Promise.all(cluster.peers.map(peer => peer.ready()))
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  /** The peers that still run. */
  get live(): PeerProcess[] {
    return this.peers.filter(peer => peer.child.exitCode === null && peer.child.signalCode === null)
  }

  /** The live peers by rank under the strategy of the cluster, highest first (all have the same priority). */
  byRank(): PeerProcess[] {
    const order = orderOf(this.#strategy)
    return this.live.toSorted((a, b) => order({ priority: 0, id: b.id }, { priority: 0, id: a.id }))
  }

  /** The flags with which each peer of this cluster elects. */
  get electorate(): string[] {
    return ['--election', this.#strategy]
  }

  /** Starts one more peer, on loopback unless the arguments say otherwise; with mDNS instead of bootstrap when `mdns`. */
  join(
    args: string[] = [],
    { mdns = false, env = {}, wrap = this.#wrap }: { mdns?: boolean; env?: NodeJS.ProcessEnv; wrap?: string[] } = {}
  ): PeerProcess {
    const meet = mdns ? [] : ['--no-mdns', ...this.#bootstrap()]
    const listen = args.includes('--listen') ? [] : ['--listen', '/ip4/127.0.0.1/tcp/0']
    const all = [...listen, '--slots', '1', ...this.electorate, ...meet, ...args]
    const peer = new PeerProcess(all, { ...this.env, ...env }, wrap)
    this.peers.push(peer)
    return peer
  }

  /** Starts a peer without an address of another peer, unless the arguments have one. */
  joinAlone(args: string[], { wrap = this.#wrap }: { wrap?: string[] } = {}): PeerProcess {
    const listen = args.includes('--listen') ? [] : ['--listen', '/ip4/127.0.0.1/tcp/0']
    const all = [...listen, '--slots', '1', ...this.electorate, '--no-mdns', ...args]
    const peer = new PeerProcess(all, this.env, wrap)
    this.peers.push(peer)
    return peer
  }

  /** Waits until all these peers follow one of them under one epoch, and returns it. By default all live peers. */
  async agreed(peers: readonly PeerProcess[] = this.live): Promise<PeerProcess> {
    for (;;) {
      const newest = Math.max(...peers.map(({ epoch }) => epoch ?? 0))
      const leader = peers.find(({ id, epoch, leader }) => leader === id && epoch === newest)
      if (leader !== undefined && peers.every(peer => peer.leader === leader.id && peer.epoch === newest)) return leader
      const seen = peers.map(({ events }) => events.length)
      await Promise.race(peers.map((peer, i) => peer.until('a new event', ({ length }) => length > seen[i]!)))
    }
  }

  /** Waits until all live peers see each other and follow one, by default the highest, under one epoch. */
  async settled({ id: leader } = this.byRank()[0]!): Promise<void> {
    const { live } = this
    await Promise.all(
      live.flatMap(peer => [
        peer.follows(leader),
        ...live.filter(other => other !== peer).map(other => peer.sees(other.id, 'alive'))
      ])
    )
    // A late peer may have led with an epoch of its own. A leader that meets late peers claims again, with an epoch above the epochs of all these peers.
    for (;;) {
      const newest = Math.max(...live.map(peer => peer.epoch ?? 0))
      const behind = live.filter(peer => peer.epoch !== newest || peer.leader !== leader)
      if (behind.length === 0) return
      await Promise.all(
        behind.map(peer => peer.until(`epoch ${newest}`, () => peer.leader === leader && (peer.epoch ?? 0) >= newest))
      )
    }
  }

  /** Starts a client command against this cluster; with `input` as its stdin. */
  spawn(args: string[], { env = {}, mdns = false, input }: CommandInit = {}): RunningCommand {
    const meet = mdns ? [] : ['--no-mdns', ...this.#bootstrap()]
    const [command, ...rest] = [...this.#wrap, process.execPath, main, ...args, ...meet]
    const stdin = input === undefined ? 'ignore' : 'pipe'
    const child = spawn(command!, rest, { env: { ...this.env, ...env }, cwd: root, stdio: [stdin, 'pipe', 'pipe'] })
    // The process may end before it has read its input.
    child.stdin?.on('error', () => {}).end(input)
    this.#commands.add(child)
    return new RunningCommand(child)
  }

  /** Starts a command with only these arguments and this environment. */
  spawnBare(args: string[], env: NodeJS.ProcessEnv, wrap = this.#wrap): RunningCommand {
    const [command, ...rest] = [...wrap, process.execPath, main, ...args]
    const child = spawn(command!, rest, { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#commands.add(child)
    return new RunningCommand(child)
  }

  /** Runs a client command to its end. */
  run(args: string[], options: CommandInit = {}): Promise<CommandResult> {
    return this.spawn(args, options).ended
  }

  async stop(): Promise<void> {
    for (const child of this.#commands) child.kill('SIGKILL')
    for (const peer of this.live) peer.child.kill('SIGCONT')
    await Promise.all(this.live.map(peer => peer.end('SIGKILL')))
    await rm(this.home, { recursive: true, force: true })
  }

  #bootstrap(): string[] {
    return this.live
      .filter(peer => peer.events.length > 0)
      .slice(0, 3)
      .flatMap(peer => peer.addresses.slice(0, 1).flatMap(address => ['--bootstrap', address]))
  }
}

/** A running command. */
export class RunningCommand {
  readonly child: ChildProcess
  readonly ended: Promise<CommandResult>
  stdout = ''
  stderr = ''
  readonly #listeners = new Set<() => void>()

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.on('data', data => {
      this.stdout += data
      for (const listener of this.#listeners) listener()
    })
    child.stderr?.on('data', data => {
      this.stderr += data
      for (const listener of this.#listeners) listener()
    })
    this.ended = new Promise(resolve =>
      child.once('close', (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr })
        for (const listener of this.#listeners) listener()
      })
    )
  }

  /** Resolves when the output so far matches. */
  async until(what: string, matches: (output: { stdout: string; stderr: string }) => boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const check = (): void => {
        if (matches(this)) resolve()
        else if (this.child.exitCode !== null || this.child.signalCode !== null) {
          reject(new Error(`ended before: ${what}\nstdout: ${this.stdout}\nstderr: ${this.stderr}`))
        } else return
        this.#listeners.delete(check)
      }
      this.#listeners.add(check)
      check()
    })
  }
}
