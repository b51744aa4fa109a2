/** The public interfaces of a peer and a client. */
import type { TypedEventTarget } from 'main-event'
import type { ElectionPriority } from '../election/core/priority.ts'
import type { PastLeadership } from '../election/history.ts'
import type {
  ChunkMap,
  Job,
  JobEventState,
  JobHandleOptions,
  JobProgress,
  JobSummary,
  SubmitOptions,
  TaskLogLine
} from '../jobs/shared/types.ts'
import type { LeadFunction, LeadOptions } from '../lead/leader-work.ts'
import type { Member } from '../membership/core/member.ts'
import type { AllowRule } from '../network/guard/admission.ts'
import type { RefusalKind } from '../network/guard/refusals.ts'
import type { IterationDefinition } from '../tasks/define/iteration.ts'
import type { RunContext, TaskDefinition } from '../tasks/define/types.ts'
import type { Lock, LockInfo, LockOptions } from './lock-types.ts'
import type { PeerStats } from './peer-stats.ts'
import type { Schedules } from './schedule-types.ts'

export type { ElectionPriority } from '../election/core/priority.ts'
export type { StrategyName } from '../election/core/strategies/names.ts'
export type { PastLeadership } from '../election/history.ts'

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
  /** The schedules of the cluster: jobs that the leader submits at the due times of a cron expression. */
  readonly schedules: Schedules
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
   * cluster no longer keeps its outcome; IdTakenError when the job starts later (`at`), and another job or schedule has the given id
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
   * SubmitOptions.detach}). For an ended job, `progress.state` is the final state at once.
   *
   * A suspended job may have ended already, so it does not run until a user says so. `suspended: 'resume'` resumes it.
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
   * @throws NoSuchJobError when the cluster does not know the job or no longer keeps its outcome; JobSuspendedError when the job is suspended;
   * NoClusterError when no leader answers for 10 s; InvalidOptionError, StoppedError, or the signal's reason
   */
  job<Result = unknown>(id: string, options?: JobHandleOptions): Promise<Job<Result>>
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
  /**
   * Acquires a lock that the leader grants: a mutex, or with `limit` a semaphore. Resolves when this process holds the lock. Those who wait get it in
   * the order in which they came. The lock is renewed in the background until it is released. It ends by itself `ttl` ms after this process has died
   * or was cut off, and `lock.signal` aborts before that.
   *
   * With `voters`, two never hold one lock at the same time. Without, the two sides of a cut network may. A process that is paused between a check of
   * the signal and its next step is what `lock.token` is for.
   *
   * @example
   * ```ts
   * import { connect } from 'p2p-worker'
   *
   * await using client = await connect({ key: process.env.P2P_WORKER_KEY })
   * {
   *   await using lock = await client.lock('nightly-report', { ttl: 5_000 })
   *   console.log('only this process writes the report now', lock.token, lock.signal.aborted)
   * }
   * ```
   *
   * @throws LockTimeoutError when the lock was not granted within `wait`; InvalidOptionError when the name or an option is out of range, or others
   * hold the lock with another limit; NoClusterError when no leader answers for 10 s; StoppedError, or the signal's reason
   */
  lock(name: string, options?: LockOptions): Promise<Lock>
  /**
   * Returns the locks and named leaderships that somebody holds or waits for.
   *
   * @throws NoClusterError when the leader has not answered within 10 s; StoppedError, or the signal's reason
   */
  locks(options?: { signal?: AbortSignal }): Promise<LockInfo[]>
  /** Leaves the cluster or closes the client. `await using` calls this method at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A member of the cluster. */
export interface Peer extends ClusterHandle {
  /** Who leads, until when, and an awaited hand-off. */
  readonly election: Election
  /** The name of the peer's cluster. */
  readonly cluster: string
  /** The multiaddrs at which this peer can be reached. */
  addresses(): string[]
  /**
   * Runs `fn` whenever this peer leads, and resolves with its result. The signal that `fn` gets aborts when the leadership is about to end; `fn` runs
   * again when this peer leads again. With leases (`voters`, or a store), two peers never run `fn` at the same time. Without, each side of a cut
   * network may run `fn`.
   *
   * With `name`, `fn` runs at the leader of that name. Each name has a leader of its own, and the peers share the names evenly. A name has no leader
   * for at most its `ttl` after its leader has died.
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

/**
 * The election as a peer sees it, the same under every strategy. {@link Peer.lead} and jobs stand on it, and so can you.
 *
 * @example
 * ```ts
 * import { join } from 'p2p-worker'
 *
 * const peer = await join({ cluster: 'lab', insecure: true, listen: ['/ip4/127.0.0.1/tcp/0'], mdns: false })
 * const remove = peer.election.onHandOff(async to => console.log(`${to} leads next`))
 * console.log(peer.election.leader, peer.election.isLeader, peer.election.remaining)
 * remove()
 * await peer.leave()
 * ```
 */
export interface Election {
  /** The newest leadership that this peer has accepted, if its leader is live. Undefined while there is no leader. */
  readonly leader: Leader | undefined
  /** Whether this peer leads. */
  readonly isLeader: boolean
  /** The time for which this peer certainly still leads, in ms. 0 while it does not lead, Infinity while it leads without a lease. */
  readonly remaining: number
  /** The store's own number of this peer's leadership. Undefined while it does not lead, and without a store that has such numbers. */
  readonly storeNumber: string | undefined
  /**
   * Registers a hand-off: when the leadership of this peer is about to move to the peer `to`, it first awaits all hand-offs together. `signal` aborts
   * when this peer keeps leading after all. `takes` returns the time that the hand-off may need beyond the usual 10 s (`wan`: 30 s), in ms.
   * The returned function removes the hand-off. A leader that crashes, or whose lease ends, hands nothing over.
   */
  onHandOff(handOff: (to: string, signal: AbortSignal) => Promise<void>, takes?: () => number): () => void
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
