/** The public interfaces of a peer and a client. */
import type { ComponentLogger, Metrics } from '@libp2p/interface'
import type { TypedEventTarget } from 'main-event'
import type { Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import type { Tracer } from '../common/tracing.ts'
import type { PastLeadership } from '../election/history.ts'
import type {
  ChunkMap,
  Job,
  JobEventState,
  JobProgress,
  JobSummary,
  SubmitOptions,
  TaskLogLine
} from '../jobs/shared/types.ts'
import type { LeadFunction, LeadOptions } from '../lead/leader-work.ts'
import type { Member, Role } from '../membership/core/member.ts'
import type { AllowRule } from '../network/guard/admission.ts'
import type { RefusalKind } from '../network/guard/refusals.ts'
import type { IterationDefinition } from '../tasks/define/iteration.ts'
import type { RunContext, TaskDefinition } from '../tasks/define/types.ts'
import type { PeerStats } from './peer-stats.ts'

export type { PastLeadership } from '../election/history.ts'

/** How to find a cluster, and what lets this process in. */
export interface ConnectionOptions {
  /** The cluster's name: letters, digits, `.`, `_`, `-`; at most 63. Default `default`. */
  cluster?: string
  /**
   * The cluster's key, as `p2p-worker keygen` prints it. This or `insecure: true` is needed. Several while one takes the place of another:
   * a peer lets in who has any of them, and uses the first itself.
   */
  key?: string | readonly string[]
  /** No key: anyone who reaches the port is in, and may run code. */
  insecure?: boolean
  /** Multiaddrs of peers, with or without `/p2p/<id>`, e.g. `/dns4/seed/tcp/4001`; tried again for as long as it runs. */
  bootstrap?: string[]
  /** Find peers by mDNS on the local network. Default true. */
  mdns?: boolean
  /** Ends what is under way, and the peer or client with it. */
  signal?: AbortSignal
}

/** A set of periods and timeouts (docs/membership.md). */
export type ProfileName = 'local' | 'lan' | 'wan'

/** What kind of peer {@link join} makes of this process. */
export interface JoinOptions extends ConnectionOptions {
  /** Multiaddrs to listen on. Default `/ip4/0.0.0.0/tcp/0`. */
  listen?: string[]
  /** Chunks that run here at a time. Default: the number of processors. */
  slots?: number
  /** Default `auto`. */
  role?: Role
  /** Compared before the PeerId in elections, an integer; higher wins. Default 0. */
  electionPriority?: number
  /** Names and values of this peer, such as `{ gpu: 'a100' }`, which a job may require ({@link SubmitOptions.requires}). Default none. */
  tags?: Record<string, string>
  /** Default `lan`. */
  profile?: ProfileName
  /**
   * The largest input, chunk, partial and result that this peer takes and gives, in MiB, from 1 to 511: as the leader those of whole
   * jobs, else those of the chunks that run here. A job that needs more fails, and says so; `retries` try a chunk at other peers. Default
   * 511, the most that travels.
   */
  maxPayloadMb?: number
  /**
   * The heap that each thread of a task may use on this peer, in MiB, from 16 to 1,048,576; typed arrays and buffers do not count. A thread that
   * needs more is ended: what it ran fails and says so, and the peer goes on. Default: Node's own limit, which depends on the machine.
   */
  maxHeapMb?: number
  /**
   * Where tasks run on this peer. `thread`: in worker threads, which bound nothing but a task's heap and time. `process`: in processes under
   * Node's permission model. These read their own code, write to one folder of their own, start no process, and see `taskEnvironment` and no other
   * environment; the `limits` that begin with `task` bound their memory, disk and file handles. That is a fence, no sandbox against an attacker:
   * docs/security.md has it row by row. `logger` is told at the start what this Node does not enforce. Default `thread`.
   */
  isolation?: 'thread' | 'process'
  /** With `isolation: 'process'`: names of variables of this process's environment that tasks may read. Default none. */
  taskEnvironment?: string[]
  /**
   * Who may connect to this peer, of all that have the key, and what for: PeerIds, or rules. Give all peers of a cluster the same list.
   * Default: everybody with the key may join and submit.
   */
  allow?: readonly (string | AllowRule)[]
  /**
   * How much this peer takes of others and keeps for them, where that is not to be the default: docs/limits.md has the names.
   *
   * @example
   * ```ts
   * import { join } from 'p2p-worker'
   *
   * const peer = await join({ cluster: 'lab', insecure: true, limits: { jobs: 32, jobBytes: 2 ** 28 } })
   * console.log(peer.refusals().rate, 'messages and jobs were beyond a limit so far')
   * await peer.leave()
   * ```
   */
  limits?: Partial<Limits>
  /** npm packages that tasks may load from where this process was started. Default none. */
  external?: string[]
  /**
   * A folder of this peer's own, made where it is missing: it keeps its PeerId there, and the addresses of its cluster, so that
   * after a restart it is the same member and finds the others again. Default: none; each start is a new peer.
   */
  dataDir?: string
  /**
   * The PeerIds of 3, 5 or 7 peers, the same list at every peer: there is a leader only while a majority of them is up and connected,
   * one of them leads, and at no moment do two. A voter needs a `dataDir`; `p2p-worker id --data-dir DIR` prints its PeerId.
   * Default: none; each side of a cut network has a leader.
   */
  voters?: string[]
  /**
   * With `voters`: how long the leader's lease lasts unless it is renewed, in ms, the same at every peer: so long nobody leads after
   * a leader's death. Default 1,000 (`wan`: 4,000).
   */
  leaseTime?: number
  /** Whether this peer takes over from a live leader that ranks lower. Default true. */
  preempt?: boolean
  /**
   * Makes what libp2p counts its connections, streams and bytes with, as libp2p's own option `metrics`: `PeerMetrics` of `p2p-worker/http` has
   * one for Prometheus. Default: none; nothing is counted.
   */
  metrics?: MetricsFactory
  /** Diagnostics. Default: none. */
  logger?: Logger
  /**
   * Is told the spans of elections, of the chunks that run here and, while this peer leads, of the jobs (docs/logging.md). Default: none, and
   * nothing is measured for it.
   */
  tracer?: Tracer
}

/** Makes the metrics of a libp2p node. */
export type MetricsFactory = (components: { logger: ComponentLogger }) => Metrics

/** How {@link connect} finds a cluster. */
export interface ConnectOptions extends ConnectionOptions {
  /** How long to look for a cluster with a leader, in ms. Default 10,000. */
  wait?: number
  /**
   * A folder that keeps this client's PeerId, made where it is missing: for clusters with an allow list. Several clients may use it at a
   * time, but no peer. Default: none; each client is a new one.
   */
  dataDir?: string
  /** Whether a cluster must have a leader to be connected to; `false`: one that has had none for a second will do. Default true. */
  needLeader?: boolean
  /** Diagnostics. Default: none. */
  logger?: Logger
  /** Is told a span of each job that is submitted here. Default: none. */
  tracer?: Tracer
}

/** The leader, as everybody may see it. */
export interface Leader {
  /** Its PeerId. */
  id: string
  /** Grows with every leadership. Two sides of a cut network may use the same number at the same time. */
  epoch: number
}

/** What a peer or a client is told as it happens: `peer.addEventListener('leader', ({ detail }) => …)`. */
export interface ClusterEvents {
  /** A member appeared or changed. */
  member: CustomEvent<Member>
  /** The leader changed; undefined: none now. */
  leader: CustomEvent<Leader | undefined>
  /** A job changed its state, as the leader tells (at other peers and clients: their own jobs only). */
  job: CustomEvent<{
    /** The id of the job. */
    jobId: string
    /** What has become of it. */
    state: JobEventState
  }>
  /** The leader has no room for more jobs, and what was submitted here waits until it has. Told once a wait: again only after nothing has waited meanwhile. */
  waiting: CustomEvent<{
    /** Why the leader takes no more now, as a sentence. */
    reason: string
  }>
}

// biome-ignore lint/suspicious/noExplicitAny: a task's inner types do not matter to whoever submits it
type Inner = any

/** A task's path or URL, or the object that `defineTask` gave with `module: import.meta.url` set. */
export type TaskReference<Input, Result, Partial = Inner> =
  | string
  | URL
  | TaskDefinition<Input, Inner, Partial, Inner, Result>
  | IterationDefinition<Input, Inner, Partial, Inner, Inner, Result>

/** What {@link ClusterHandle.map} computes: a task of which `run` is needed only, or a function. */
export type MapTask<Item, Output> =
  | string
  | URL
  | TaskDefinition<Inner, Item, Output, Inner, Inner>
  | ((item: Item, context: RunContext) => Output | Promise<Output>)

/** Given to {@link ClusterHandle.map}. */
export interface MapOptions
  extends Pick<
    SubmitOptions,
    'signal' | 'retries' | 'chunkTimeout' | 'priority' | 'speculate' | 'requires' | 'external'
  > {
  /** Whether the results come in the order of their items; `false`: as they are computed. Default true. */
  ordered?: boolean
  /** Called with each line that the function or task prints. */
  onLog?: (line: TaskLogLine) => void
  /** Called a few times a second while there is something new. */
  onProgress?: (progress: JobProgress) => void
}

/** A view of the whole cluster, as `p2p-worker status` shows it. */
export interface ClusterStatus {
  /** Its name. */
  cluster: string
  /** The leader that gave this view; undefined while there is none, and the rest is then as the peer that tells knows it. */
  leader: Leader | undefined
  /** Why there is none; undefined while there is one. */
  noLeader: string | undefined
  /**
   * How many leaderships the peer that tells (for a client, the one that it is attached to) has seen: the one that it found when it
   * joined, and all since.
   */
  leaderChanges: number
  /** For how long of that time there was no leader, in ms. */
  leaderless: number
  /** The members that the peer that tells knows, itself included, those that are dead or have left too. */
  members: MemberStatus[]
  /** The jobs that run or wait, and those that have ended and whose outcome is kept. Empty while nobody leads. */
  jobs: JobSummary[]
}

/** A member, and what runs there. */
export interface MemberStatus extends Member {
  /** Chunks running there; undefined where there is no leader to ask. */
  busy: number | undefined
}

/** What a peer and a client have in common. */
export interface ClusterHandle extends TypedEventTarget<ClusterEvents> {
  /** This process's PeerId. */
  readonly id: string
  /** The leader; undefined while there is none. */
  readonly leader: Leader | undefined
  /** The members as this process knows them now, those that are dead or have left too; a client knows what its peer knows. */
  members(): Member[]
  /**
   * Asks the leader for its view.
   *
   * @throws NoClusterError when the leader has not answered for 10 s; StoppedError, or the signal's reason
   */
  status(options?: { signal?: AbortSignal }): Promise<ClusterStatus>
  /**
   * Submits a job to the leader; resolves when the leader has accepted it.
   *
   * @throws TaskLoadError, NotCloneableError, InvalidOptionError, NoClusterError; NoSuchJobError when the job with that id is over, and its
   *   outcome is not kept any more
   */
  submit<Input, Result, Partial = Inner>(
    task: TaskReference<Input, Result, Partial>,
    input: Input,
    options?: SubmitOptions
  ): Promise<Job<Awaited<Result>, Awaited<Partial>>>
  /**
   * Computes something of each item of a stream, on the peers of the cluster, for as long as there are items. Items are read as the peers
   * and whoever reads the results keep up (some ten thousands, or some ten megabytes, ahead), so a stream may be longer than any memory. A peer that dies,
   * the leader included, neither loses nor repeats a result. Nothing happens before the first result is asked for; to stop reading, or `signal`,
   * ends it all and calls the source's `return`.
   *
   * @param source - items that structured clone can carry
   * @param task - a task (its `run` is all that is needed), or a function. A function goes to the peers as its text: it may use nothing
   *   that is defined outside of it, but import what it needs (`await import('node:zlib')`)
   *
   * @example
   * ```ts
   * import { connect } from 'p2p-worker'
   *
   * await using client = await connect({ key: process.env.P2P_WORKER_KEY })
   * for await (const square of client.map([1, 2, 3], (x: number) => x * x)) console.log(square) // 1, 4, 9
   * ```
   *
   * @throws while the results are read: what the source throws; JobFailedError when `run` throws (with the index of the item) more often
   *   than `retries` allows; TaskLoadError, NotCloneableError, MessageTooLargeError, InvalidOptionError, NoClusterError, StoppedError; the
   *   signal's reason
   */
  map<Item, Output>(
    source: Iterable<Item> | AsyncIterable<Item>,
    task: MapTask<Item, Output>,
    options?: MapOptions
  ): AsyncIterableIterator<Awaited<Output>>
  /**
   * Attaches to a job by its id; any client or peer may have submitted it. While it is attached, this process is one of those who wait for the job; to
   * dispose of the Job, or to close, leaves the job to the others, or to the cluster when it is detached ({@link SubmitOptions.detach}).
   * Of a job that has ended, `progress.state` tells so at once. Aborting `signal` ends the attempt, not the job.
   *
   * @example
   * ```ts
   * import { connect } from 'p2p-worker'
   *
   * await using client = await connect({ key: process.env.P2P_WORKER_KEY })
   * const { id } = await client.submit('./examples/n-queens.ts', { n: 8 }, { detach: true })
   * // Later, and perhaps elsewhere:
   * const job = await client.job<number>(id)
   * console.log(await job.result())
   * ```
   *
   * @throws NoSuchJobError when the cluster knows no such job, or its outcome is not kept any more; NoClusterError when no leader can be
   *   asked for 10 s; InvalidOptionError, StoppedError, or the signal's reason
   */
  job<Result = unknown>(id: string, options?: { signal?: AbortSignal }): Promise<Job<Result>>
  /**
   * Asks the leader what has become of each chunk of a job: who has it, who has done it. Of a job that has ended as long as it is among the jobs of
   * {@link ClusterHandle.status}. With `since`, the `version` of an earlier answer, only what has changed after that is told, by blocks of 256 chunks,
   * unless another leader has taken the job over. Meant to be asked once a second.
   *
   * @example
   * ```ts
   * import { join } from 'p2p-worker'
   *
   * const peer = await join({ cluster: 'lab', insecure: true, listen: ['/ip4/127.0.0.1/tcp/0'], mdns: false })
   * const job = await peer.submit('./examples/nas-ep.ts', { class: 'S' })
   * await job.result()
   * const { peers, runs } = await peer.chunkMap(job.id)
   * for (let at = 0; at < runs.length; at += 3) {
   *   const [start, length, code] = runs.slice(at, at + 3) as [number, number, number]
   *   if (code >= 2) console.log(start, length, code % 2 === 0 ? 'given to' : 'done by', peers[(code - 2) >> 1])
   * }
   * await peer.leave()
   * ```
   *
   * @throws NoSuchJobError when the leader knows no such job, or nothing but how it ended; UnsupportedByLeaderError when it runs an older version;
   *   NoClusterError when it has not answered for 10 s; InvalidOptionError, StoppedError, or the signal's reason
   */
  chunkMap(jobId: string, options?: { since?: string; signal?: AbortSignal }): Promise<ChunkMap>
  /**
   * Who led when, and why each leadership ended, as the live members have seen it since they started (the last 1,000 each); members
   * that do not answer within 2 s are left out.
   *
   * @throws StoppedError, or the signal's reason
   */
  history(options?: { signal?: AbortSignal }): Promise<PastLeadership[]>
  /** Leaves, or closes: `await using` does it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A member of the cluster. */
export interface Peer extends ClusterHandle {
  /** The name of its cluster. */
  readonly cluster: string
  /** The multiaddrs on which it can be reached. */
  addresses(): string[]
  /**
   * Runs `fn` whenever this peer leads, and resolves with what it returns. When the leadership is about to end, `fn` is told by
   * its signal; it is run anew when this peer leads again. Under a quorum (`voters`) no two peers ever run it at the same time;
   * without one, each side of a cut network may.
   *
   * @throws what `fn` throws, unless it was told to stop; the reason of `options.signal`; StoppedError when the peer leaves;
   *   InvalidOptionError when the lease time has no room for `options.grace`
   */
  lead<T>(fn: LeadFunction<T>, options?: LeadOptions): Promise<T>
  /**
   * What this peer has counted since it started, and how it is doing: cheap enough to be asked every second. After it has left, what was
   * counted last.
   *
   * @example
   * ```ts
   * import { join } from 'p2p-worker'
   *
   * const peer = await join({ cluster: 'lab', insecure: true, listen: ['/ip4/127.0.0.1/tcp/0'], mdns: false })
   * const { members, chunks, leading } = peer.stats()
   * console.log(members.alive, chunks.completed, leading?.ready ?? 'another peer leads')
   * await peer.leave()
   * ```
   */
  stats(): PeerStats
  /**
   * How often this peer has refused something since it started, by kind: a key or a peer that is not let in, a message that is none,
   * that forges, or that is too much. All 0 in a cluster whose members keep the rules and whose network nobody else uses.
   */
  refusals(): Record<RefusalKind, number>
  /**
   * Puts other keys, or another allow list (null: none), in the place of those before, while the peer goes on; what is left out stays.
   * Connections of those who are not let in any more end at once.
   *
   * @throws InvalidOptionError when a key or a rule is malformed, or a key is of another cluster; then nothing has changed
   */
  setAccess(access: { key?: string | readonly string[]; allow?: readonly (string | AllowRule)[] | null }): void
  /** Hands off, announces, stops. */
  leave(): Promise<void>
}

/** Submits and watches; attached to a peer, no member. */
export interface Client extends ClusterHandle {
  /** The peer that this client is attached to; undefined while it has lost one and looks for another. */
  readonly peer: string | undefined
  /** Leaves the cluster. A job that was submitted here, is not detached and for which nobody else waits is cancelled 10 s later. */
  close(): Promise<void>
}
