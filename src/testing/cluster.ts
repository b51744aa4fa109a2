import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from '../api/client.ts'
import type { ConnectionOptions, JoinOptions } from '../api/options-types.ts'
import { join } from '../api/peer.ts'
import type { Client, Leader, Peer } from '../api/types.ts'
import { InvalidOptionError, StoppedError } from '../common/errors.ts'
import { signalAfter } from '../lib/abort.ts'
import { generateClusterKey } from '../network/cluster-key.ts'
import { isOver } from '../views/states.ts'

const DEFAULT_PEERS = 3
/**
 * The largest number of peers. Each is a complete peer, so a test with more peers measures the machine instead of the
 * task.
 */
const MOST_PEERS = 32
/** How long `close` asks the leader for the unfinished jobs, in ms. */
const ASK_MS = 2_000

/**
 * The options of a peer in a {@link TestCluster}; the cluster sets how its peers find each other. `slots` is 1 unless
 * set.
 */
export type TestPeerOptions = Omit<
  JoinOptions,
  keyof ConnectionOptions | 'listen' | 'profile' | 'allow' | 'dataDir' | 'election' | 'voters' | 'leaseTime'
>

/** The options of {@link startCluster}. */
export interface TestClusterOptions {
  /**
   * The number of peers, from 1 to 32, or the options of each, such as `[{}, { tags: { gpu: 'a100' } }]`. Default 3.
   */
  peers?: number | readonly TestPeerOptions[]
  /** Aborts the running calls and closes the cluster. */
  signal?: AbortSignal
}

/** A cluster of peers in this process. */
export interface TestCluster {
  /** The running peers, in the order in which they were started. */
  readonly peers: readonly Peer[]
  /** A client of this cluster. */
  readonly client: Client
  /** Attaches one more client. The client closes when the cluster closes. */
  connect(): Promise<Client>
  /** Starts one more peer, and resolves when all peers know it. */
  addPeer(options?: TestPeerOptions): Promise<Peer>
  /**
   * Ends a peer. Resolves when the other peers know that this peer has left. The peer leaves gracefully: it hands over
   * its leadership, and other peers run its chunks. To kill a peer, run it in a separate process, as `p2p-worker demo
   * TASK` does.
   *
   * @throws InvalidOptionError when the peer is not, or no longer, a peer of this cluster
   */
  stop(peer: Peer): Promise<void>
  /**
   * Resolves when all peers know each other and have the same leader.
   *
   * @throws StoppedError when the cluster is closed first
   */
  untilLeader(options?: { signal?: AbortSignal }): Promise<Leader>
  /** Cancels the unfinished jobs, and closes all clients and peers: no thread, socket or timer is left. */
  close(): Promise<void>
  /** Calls {@link TestCluster.close}. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a cluster for a test: peers in this process that listen on 127.0.0.1 only, with a new key and a unique name,
 * without mDNS, and without files in the home folder. Resolves when the peers have a leader and a client is attached.
 *
 * @example
 * ```ts
 * import { startCluster } from 'p2p-worker/testing'
 *
 * await using cluster = await startCluster({ peers: 2 })
 * const job = await cluster.client.submit('./examples/n-queens.ts', { n: 6 })
 * const { solutions } = (await job.result()) as { solutions: number }
 * console.log(solutions) // 4
 * ```
 *
 * @throws InvalidOptionError when an option is malformed or out of range
 */
export async function startCluster({ peers = DEFAULT_PEERS, signal }: TestClusterOptions = {}): Promise<TestCluster> {
  const each = typeof peers === 'number' ? Array.from({ length: checkCount(peers) }, () => ({})) : peers
  checkCount(each.length)
  signal?.throwIfAborted()
  const cluster = new LoopbackCluster(signal)
  try {
    const [first, ...others] = each
    await cluster.start(first!)
    await allOf(others.map(options => cluster.start(options)))
    await cluster.untilLeader()
    await cluster.attach()
    return cluster
  } catch (error) {
    await cluster.close()
    throw error
  }
}

/** Waits for all promises, even if one promise rejects. Then throws the first error. */
async function allOf(work: ReadonlyArray<Promise<unknown>>): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

function checkCount(peers: number): number {
  if (Number.isInteger(peers) && peers >= 1 && peers <= MOST_PEERS) return peers
  throw new InvalidOptionError(
    `\`peers\` must be a whole number from 1 to ${MOST_PEERS}, or options for as many: ${peers}`
  )
}

class LoopbackCluster implements TestCluster {
  readonly #access = { cluster: `test-${randomBytes(8).toString('hex')}`, key: generateClusterKey(), mdns: false }
  readonly #peers = new Set<Peer>()
  readonly #clients: Client[] = []
  /**
   * The pending calls that start or stop a peer, or attach or close a client. The two sets above do not contain these
   * peers and clients.
   */
  readonly #underWay = new Set<Promise<unknown>>()
  /** Aborts as soon as `close` is called. */
  readonly #closing = new AbortController()
  /** Aborts when the jobs are cancelled, later in `close`. */
  readonly #over = new AbortController()
  /** Emits `change` when the state that {@link TestCluster.untilLeader} checks has changed. */
  readonly #changes = new EventTarget()
  readonly #signal: AbortSignal | undefined
  #closed: Promise<void> | undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  get peers(): readonly Peer[] {
    return [...this.#peers]
  }

  get client(): Client {
    return this.#clients[0]!
  }

  async connect(): Promise<Client> {
    this.#closing.signal.throwIfAborted()
    return await this.attach()
  }

  async addPeer(options: TestPeerOptions = {}): Promise<Peer> {
    this.#closing.signal.throwIfAborted()
    const peer = await this.start(options)
    await this.untilLeader()
    return peer
  }

  async stop(peer: Peer): Promise<void> {
    this.#closing.signal.throwIfAborted()
    if (!this.#peers.delete(peer))
      throw new InvalidOptionError(`${peer.id} is no peer of this cluster, or not any more`)
    await this.#noted(peer.leave())
    if (this.#peers.size > 0) await this.untilLeader()
  }

  async untilLeader({ signal }: { signal?: AbortSignal } = {}): Promise<Leader> {
    const { signal: closing } = this.#closing
    const either = signal === undefined ? closing : AbortSignal.any([closing, signal])
    for (;;) {
      either.throwIfAborted()
      const leader = this.#agreed()
      if (leader !== undefined) return leader
      // If a signal has aborted, the next check throws the reason of the signal.
      await once(this.#changes, 'change', { signal: either }).catch(() => {})
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  start(options: TestPeerOptions): Promise<Peer> {
    return this.#noted(this.#start(options))
  }

  attach(): Promise<Client> {
    return this.#noted(this.#attach())
  }

  async #start(options: TestPeerOptions): Promise<Peer> {
    const peer = await join({
      slots: 1,
      ...options,
      ...this.#access,
      listen: ['/ip4/127.0.0.1/tcp/0'],
      bootstrap: this.#addresses(),
      profile: 'local',
      signal: this.#over.signal
    })
    // The peer started after `#close` had stopped the other peers, so it leaves here.
    if (this.#over.signal.aborted) await peer.leave()
    this.#over.signal.throwIfAborted()
    this.#peers.add(peer)
    peer.addEventListener('member', this.#onChange)
    peer.addEventListener('leader', this.#onChange)
    return peer
  }

  async #attach(): Promise<Client> {
    const client = await connect({ ...this.#access, bootstrap: this.#addresses(), signal: this.#over.signal })
    if (this.#over.signal.aborted) await client.close()
    this.#over.signal.throwIfAborted()
    this.#clients.push(client)
    return client
  }

  /** Registers a call that {@link TestCluster.close} waits for. */
  #noted<Result>(work: Promise<Result>): Promise<Result> {
    this.#underWay.add(work)
    const settled = (): unknown => this.#underWay.delete(work)
    work.then(settled, settled)
    return work
  }

  #addresses(): string[] {
    return this.peers.flatMap(peer => peer.addresses())
  }

  /** Returns the leader if all peers agree on the leader and on the set of live members. */
  #agreed(): Leader | undefined {
    const peers = this.peers
    const [leader] = peers.map(peer => peer.leader)
    const ids = new Set(peers.map(({ id }) => id))
    if (leader === undefined || !ids.has(leader.id)) return undefined
    const agree = peers.every(peer => {
      const live = peer.members().filter(({ state }) => state === 'alive')
      return (
        peer.leader?.id === leader.id &&
        peer.leader.epoch === leader.epoch &&
        live.length === ids.size &&
        live.every(({ id }) => ids.has(id))
      )
    })
    return agree ? leader : undefined
  }

  async #close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    const reason = this.#signal?.aborted
      ? this.#signal.reason
      : new StoppedError('this cluster is closed: start another')
    this.#closing.abort(reason)
    // A peer that leaves waits for its chunks, and a chunk may never end, so the jobs are cancelled first.
    await this.#cancelJobs()
    this.#over.abort(reason)
    // Ignores the errors of the pending calls, because the callers get these errors.
    const underWay = Promise.allSettled(this.#underWay)
    await allOf([underWay, ...this.#clients.map(client => client.close()), ...this.peers.map(peer => peer.leave())])
  }

  async #cancelJobs(): Promise<void> {
    const client = this.#clients[0]
    if (client === undefined) return
    try {
      const signal = signalAfter(ASK_MS)
      const { jobs } = await client.status({ signal })
      const unfinished = jobs.filter(({ state }) => !isOver(state))
      await Promise.all(unfinished.map(async ({ jobId }) => (await client.job(jobId, { signal })).cancel()))
    } catch {
      // Without a leader, no job can be cancelled. The peers then end their chunks when they leave.
    }
  }

  readonly #onChange = (): void => {
    this.#changes.dispatchEvent(new Event('change'))
  }

  readonly #onAbort = (): void => {
    // Pending calls reject with the reason of the signal. The errors of stopping reach the caller of `close`.
    this.close().catch(() => {})
  }
}
