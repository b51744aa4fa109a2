/** The public interfaces of a peer and a client. */
import type { ComponentLogger, Metrics } from '@libp2p/interface'
import type { TypedEventTarget } from 'main-event'
import type { Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import type { Tracer } from '../common/tracing.ts'
import type { ElectionPriority } from '../election/core/priority.ts'
import type { StrategyName } from '../election/core/strategies/names.ts'
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

export type { ElectionPriority } from '../election/core/priority.ts'
export type { StrategyName } from '../election/core/strategies/names.ts'
export type { PastLeadership } from '../election/history.ts'

/** How to find a cluster, and the credentials for it. */
export interface ConnectionOptions {
  /** The cluster's name: letters, digits, `.`, `_`, `-`; at most 63. Default `default`. */
  cluster?: string
  /**
   * The cluster's key, as `p2p-worker keygen` prints it. Either this option or `insecure: true` is required. While a new key replaces an old key,
   * give both: a peer accepts each of the listed keys, and uses the first key for its own connections.
   */
  key?: string | readonly string[]
  /** Whether to run without a key: any process that reaches the port can join and run code. */
  insecure?: boolean
  /** Multiaddrs of peers, with or without `/p2p/<id>`, e.g. `/dns4/seed/tcp/4001`. The process dials these addresses again for as long as it runs. */
  bootstrap?: string[]
  /** Whether to find peers by mDNS on the local network. Default true. */
  mdns?: boolean
  /** Aborts the running calls, and ends the peer or client. */
  signal?: AbortSignal
}

/** A set of periods and timeouts (docs/membership.md). */
export type ProfileName = 'local' | 'lan' | 'wan'

/** The options of {@link join}. */
export interface JoinOptions extends ConnectionOptions {
  /** Multiaddrs to listen on. Default `/ip4/0.0.0.0/tcp/0`. */
  listen?: string[]
  /** The number of chunks that run here at a time. Default: the number of processors. */
  slots?: number
  /** Whether the peer may lead and whether it computes. Default `auto`. */
  role?: Role
  /**
   * The priority of the peer in elections: an integer, or a criterion. The peer with the highest priority wins; the PeerId decides between equal
   * priorities (`election`). `slots` and `memory`: more is higher, and a peer takes over from a live leader only with a lead of a tenth of its own. `age`: the
   * peer that runs for longest is highest, and a minute is the least lead. Give all peers a number, or all the same criterion. Default 0.
   */
  electionPriority?: ElectionPriority
  /** Names and values of this peer, such as `{ gpu: 'a100' }`, which a job may require ({@link SubmitOptions.requires}). Default none. */
  tags?: Record<string, string>
  /** The periods and timeouts of the membership. Default `lan`. */
  profile?: ProfileName
  /**
   * The largest input, chunk, partial and result that this peer accepts and sends, in MiB, from 1 to 511. The leader applies the limit to whole jobs,
   * and a worker applies it to chunks. A larger payload fails the job, or a try of a chunk, with an error that names the limit. Default 511, the
   * maximum of the protocol.
   */
  maxPayloadMb?: number
  /**
   * The heap of each thread of a task on this peer, in MiB, from 16 to 1,048,576; typed arrays and buffers do not count. The peer terminates a thread
   * that exceeds the limit, and the thread's chunk fails with an error that names the limit. Default: Node's limit for the machine.
   */
  maxHeapMb?: number
  /**
   * Where tasks run on this peer. `thread`: in worker threads, which limit only a task's heap and time. `process`: in processes under Node's
   * permission model. Such a process reads its own code, writes to one folder, starts no other process, and sees only `taskEnvironment` of the
   * environment; the `limits` that begin with `task` bound its memory, disk and file handles. This is not a sandbox against an attacker:
   * docs/security.md lists what it covers. At the start, the peer logs each limit that the running version of Node does not enforce. Default
   * `thread`.
   */
  isolation?: 'thread' | 'process'
  /** With `isolation: 'process'`: names of variables of this process's environment that tasks may read. Default none. */
  taskEnvironment?: string[]
  /**
   * The peers that may connect to this peer, and their rights: PeerIds, or rules. A listed peer needs the key as well. Give all peers of a cluster
   * the same list. Default: every peer with the key may join and submit.
   */
  allow?: readonly (string | AllowRule)[]
  /**
   * Limits of the data that this peer accepts from other peers. A limit that is left out keeps its default. docs/limits.md lists the names.
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
  /** The npm packages that tasks may load from the folder in which this process was started. Default none. */
  external?: string[]
  /**
   * A folder that only this peer uses. The peer creates a missing folder, and stores its PeerId and the addresses of its cluster there. So a
   * restarted peer is the same member as before, and finds its cluster again. Default: none; each start makes a new peer.
   */
  dataDir?: string
  /**
   * How the peers find their leader, the same at every peer. `bully`: the peer that ranks highest leads; a peer asks the higher ones
   * before it leads. `lowest`: the lowest PeerId of the highest priority leads; the membership alone decides. `ring`: the peer that ranks highest
   * leads; a token goes round the ring of the peers. docs/leadership.md compares the strategies. Default `bully`.
   */
  election?: StrategyName
  /**
   * The PeerIds of 3, 5 or 7 peers, the same list at every peer, with `election: 'bully'`. One of these voters leads, but only while a majority of the voters is up and
   * connected; two voters never lead at the same time. A voter needs a `dataDir`; `p2p-worker id --data-dir DIR` prints its PeerId. Default: none;
   * each side of a cut network has a leader.
   */
  voters?: string[]
  /**
   * With `voters`: how long the leader's lease lasts without a renewal, in ms, the same at every peer. After a leader's death, no peer leads for this
   * time. Default 1,000 (`wan`: 4,000).
   */
  leaseTime?: number
  /** Whether this peer takes over from a live leader that ranks lower. Default true. */
  preempt?: boolean
  /**
   * Creates the metrics of libp2p's connections, streams and bytes, as libp2p's own option `metrics` does: `PeerMetrics` of `p2p-worker/http`
   * provides them for Prometheus. Default: none; nothing is counted.
   */
  metrics?: MetricsFactory
  /** Receives diagnostics. Default: none. */
  logger?: Logger
  /** Receives the spans of elections, of the chunks that run here and, while this peer leads, of the jobs (docs/logging.md). Default: none. */
  tracer?: Tracer
}

/** Makes the metrics of a libp2p node. */
export type MetricsFactory = (components: { logger: ComponentLogger }) => Metrics

/** How {@link connect} finds a cluster. */
export interface ConnectOptions extends ConnectionOptions {
  /** How long to look for a cluster with a leader, in ms. Default 10,000. */
  wait?: number
  /** The folder of this client's PeerId, for clusters with an allow list. Clients may share the folder. Default: none; each client gets a new PeerId. */
  dataDir?: string
  /** Whether `connect` waits for a leader. With `false`, `connect` waits for a leader for at most a second. Default true. */
  needLeader?: boolean
  /** Receives diagnostics. Default: none. */
  logger?: Logger
  /** Receives a span for each job that is submitted here. Default: none. */
  tracer?: Tracer
}

/** The leader of a cluster. */
export interface Leader {
  /** The leader's PeerId. */
  id: string
  /** The number of the leadership, which grows with each new leadership. Two sides of a cut network may use the same number at the same time. */
  epoch: number
}

/** The events of a peer or a client: `peer.addEventListener('leader', ({ detail }) => …)`. */
export interface ClusterEvents {
  /** A member appeared or changed. */
  member: CustomEvent<Member>
  /** The leader changed. The detail is undefined if the cluster has no leader now. */
  leader: CustomEvent<Leader | undefined>
  /** A job changed its state, as the leader reports it. A peer that does not lead, or a client, gets only the events of its own jobs. */
  job: CustomEvent<{
    /** The id of the job. */
    jobId: string
    /** The new state of the job. */
    state: JobEventState
  }>
  /** The leader has no room for more jobs, so a submission from this process waits. The event occurs again only after a time in which no submission waits. */
  waiting: CustomEvent<{
    /** Why the leader accepts no job now, as a sentence. */
    reason: string
  }>
}

// biome-ignore lint/suspicious/noExplicitAny: a task's inner types do not matter to its submitter
type Inner = any

/** A task's path or URL, or the object that `defineTask` returned, with `module: import.meta.url` set. */
export type TaskReference<Input, Result, Partial = Inner> =
  | string
  | URL
  | TaskDefinition<Input, Inner, Partial, Inner, Result>
  | IterationDefinition<Input, Inner, Partial, Inner, Inner, Result>

/** The computation of {@link ClusterHandle.map}: a task, whose `run` alone is used, or a function. */
export type MapTask<Item, Output> =
  | string
  | URL
  | TaskDefinition<Inner, Item, Output, Inner, Inner>
  | ((item: Item, context: RunContext) => Output | Promise<Output>)

/** Options of {@link ClusterHandle.map}. */
export interface MapOptions
  extends Pick<
    SubmitOptions,
    'signal' | 'retries' | 'chunkTimeout' | 'priority' | 'speculate' | 'requires' | 'external'
  > {
  /** Whether the results come in the order of their items. With `false`, the results come in the order in which the peers compute them. Default true. */
  ordered?: boolean
  /** Called with each line that the function or task prints. */
  onLog?: (line: TaskLogLine) => void
  /** Called a few times a second while there is progress. */
  onProgress?: (progress: JobProgress) => void
}

/** A view of the whole cluster, as `p2p-worker status` shows it. */
export interface ClusterStatus {
  /** The cluster's name. */
  cluster: string
  /** The leader that answered. Undefined while the cluster has no leader; then the other fields contain the view of the answering peer. */
  leader: Leader | undefined
  /** Why there is no leader; undefined while there is a leader. */
  noLeader: string | undefined
  /** The number of leaderships that the answering peer has seen since it joined, including the first leadership. */
  leaderChanges: number
  /** The total time without a leader since the answering peer joined, in ms. */
  leaderless: number
  /** The members that the answering peer knows, including itself and those that are dead or have left. */
  members: MemberStatus[]
  /** The jobs that run or wait, and the ended jobs whose outcome the leader keeps. Empty while there is no leader. */
  jobs: JobSummary[]
}

/** A member, and the number of chunks that run at this member. */
export interface MemberStatus extends Member {
  /** The number of chunks that run at the member; undefined while there is no leader to ask. */
  busy: number | undefined
}

/** The interface that a peer and a client share. */
export interface ClusterHandle extends TypedEventTarget<ClusterEvents> {
  /** This process's PeerId. */
  readonly id: string
  /** The leader; undefined while there is none. */
  readonly leader: Leader | undefined
  /** The members that this process knows now, including those that are dead or have left. A client knows the members that its peer knows. */
  members(): Member[]
  /**
   * Asks the leader for its view.
   *
   * @throws NoClusterError when the leader has not answered within 10 s; StoppedError, or the signal's reason
   */
  status(options?: { signal?: AbortSignal }): Promise<ClusterStatus>
  /**
   * Submits a job to the leader; resolves when the leader has accepted it.
   *
   * @throws TaskLoadError, NotCloneableError, InvalidOptionError, NoClusterError; NoSuchJobError when a job with the given id has ended and the
   * cluster no longer keeps its outcome
   */
  submit<Input, Result, Partial = Inner>(
    task: TaskReference<Input, Result, Partial>,
    input: Input,
    options?: SubmitOptions
  ): Promise<Job<Awaited<Result>, Awaited<Partial>>>
  /**
   * Computes a result for each item of a stream, on the peers of the cluster, for as long as there are items. The client reads items at the pace of
   * the peers and of the reader of the results (some ten thousands, or some ten megabytes, ahead), so a stream may be longer than any memory. No
   * result is lost or repeated when a peer dies, even if that peer is the leader. The job starts when the first result is requested. The job ends,
   * and the `return` of the source is called, when the reader stops or `signal` aborts.
   *
   * @param source - items that structured clone can carry
   * @param task - a task, whose `run` alone is used, or a function. A function travels to the peers as its text: it cannot use anything that is
   * defined outside of it, but can import modules (`await import('node:zlib')`)
   *
   * @example
   * ```ts
   * import { connect } from 'p2p-worker'
   *
   * await using client = await connect({ key: process.env.P2P_WORKER_KEY })
   * for await (const square of client.map([1, 2, 3], (x: number) => x * x)) console.log(square) // 1, 4, 9
   * ```
   *
   * @throws while the results are read: the error that the source throws; JobFailedError when `run` throws (with the index of the item) more often
   * than `retries` allows; TaskLoadError, NotCloneableError, MessageTooLargeError, InvalidOptionError, NoClusterError, StoppedError; the signal's
   * reason
   */
  map<Item, Output>(
    source: Iterable<Item> | AsyncIterable<Item>,
    task: MapTask<Item, Output>,
    options?: MapOptions
  ): AsyncIterableIterator<Awaited<Output>>
  /**
   * Attaches to a job by its id; any client or peer may have submitted the job. While attached, this process counts as waiting for the job. When the
   * Job is disposed of, or this process closes, the job continues if another process waits for it or if it is detached ({@link
   * SubmitOptions.detach}). For an ended job, `progress.state` is the final state at once. Aborting `signal` ends the attempt to attach, but not the
   * job.
   *
   * @example
   * ```ts
   * import { connect } from 'p2p-worker'
   *
   * await using client = await connect({ key: process.env.P2P_WORKER_KEY })
   * const { id } = await client.submit('./examples/n-queens.ts', { n: 8 }, { detach: true })
   * // Later, perhaps in another process:
   * const job = await client.job<number>(id)
   * console.log(await job.result())
   * ```
   *
   * @throws NoSuchJobError when the cluster does not know the job or no longer keeps its outcome; NoClusterError when no leader answers for 10 s;
   * InvalidOptionError, StoppedError, or the signal's reason
   */
  job<Result = unknown>(id: string, options?: { signal?: AbortSignal }): Promise<Job<Result>>
  /**
   * Asks the leader for the state of each chunk of a job, and for the peer that runs or completed the chunk. The leader answers for an ended job as
   * long as {@link ClusterHandle.status} lists the job. With `since`, the `version` of an earlier answer, the leader returns only the changed blocks
   * of 256 chunks, unless another leader has taken the job over. Call this method at most once a second.
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
   * @throws NoSuchJobError when the leader does not know the job, or knows only its outcome; UnsupportedByLeaderError when the leader runs an older
   * version of p2p-worker; NoClusterError when the leader has not answered within 10 s; InvalidOptionError, StoppedError, or the signal's reason
   */
  chunkMap(jobId: string, options?: { since?: string; signal?: AbortSignal }): Promise<ChunkMap>
  /**
   * Returns the past leaderships, with their times and the reasons for their ends. Each live member contributes the last 1,000 leaderships that it
   * has seen since its start. Members that do not answer within 2 s are left out.
   *
   * @throws StoppedError, or the signal's reason
   */
  history(options?: { signal?: AbortSignal }): Promise<PastLeadership[]>
  /** Leaves the cluster or closes the client. `await using` calls this method at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A member of the cluster. */
export interface Peer extends ClusterHandle {
  /** The name of the peer's cluster. */
  readonly cluster: string
  /** The multiaddrs at which this peer can be reached. */
  addresses(): string[]
  /**
   * Runs `fn` whenever this peer leads, and resolves with its result. The signal that `fn` gets aborts when the leadership is about to end; `fn` runs
   * again when this peer leads again. Under a quorum (`voters`), two peers never run `fn` at the same time. Without a quorum, each side of a cut
   * network may run `fn`.
   *
   * @throws the error that `fn` throws, unless its signal was aborted; the reason of `options.signal`; StoppedError when the peer leaves;
   * InvalidOptionError when the lease time has no room for `options.grace`
   */
  lead<T>(fn: LeadFunction<T>, options?: LeadOptions): Promise<T>
  /**
   * Changes the priority of this peer in elections. The members learn of it at once. If another peer should lead now, the leadership moves once, by an
   * awaited hand-off.
   *
   * @throws InvalidOptionError when the priority is neither an integer in range nor a criterion
   */
  setElectionPriority(priority: ElectionPriority): void
  /**
   * Returns this peer's counts since its start, and its current health. The call is cheap enough for every second. After the peer has left, the call
   * returns the last counts.
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
   * How often this peer has refused something since its start, by kind: a key or a peer that is not admitted, and messages that are malformed, forged
   * or too many. All 0 in a cluster whose members follow the protocol and whose network is not shared.
   */
  refusals(): Record<RefusalKind, number>
  /**
   * Replaces the keys or the allow list while the peer runs. `allow: null` removes the allow list, and an option that is left out stays unchanged.
   * Connections that are no longer admitted end at once.
   *
   * @throws InvalidOptionError when a key or a rule is malformed, or a key belongs to another cluster; then nothing has changed
   */
  setAccess(access: { key?: string | readonly string[]; allow?: readonly (string | AllowRule)[] | null }): void
  /** Leaves the cluster: hands off its work, announces its leave, and stops. */
  leave(): Promise<void>
}

/** A client submits and watches jobs. A client is attached to a peer, and is not a member of the cluster. */
export interface Client extends ClusterHandle {
  /** The peer that this client is attached to; undefined while the client searches for a new peer. */
  readonly peer: string | undefined
  /**
   * Changes the priority of a member in elections, as {@link Peer.setElectionPriority} does there. Resolves with its new priority.
   *
   * @throws InvalidOptionError when the priority is neither an integer in range nor a criterion, no live member has this PeerId, or the member never
   * leads; NotAdmittedError when an allow list does not let this client join; NoClusterError when the member does not answer within 10 s;
   * StoppedError, or the signal's reason
   */
  setElectionPriority(peer: string, priority: ElectionPriority, options?: { signal?: AbortSignal }): Promise<number>
  /** Leaves the cluster. A job of this client is cancelled 10 s later, unless the job is detached or another process waits for it. */
  close(): Promise<void>
}
