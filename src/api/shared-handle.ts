/** The common part of a peer and a client: both submit jobs and send requests to the leader. */
import { TypedEventEmitter } from 'main-event'
import type { LeadershipStats } from '../election/leadership-stats.ts'
import type { JobClient } from '../jobs/client/job-client.ts'
import type { ChunkMap, Job, JobHandleOptions, SubmitOptions } from '../jobs/shared/types.ts'
import type { Locks } from '../locks/locks.ts'
import type { Member } from '../membership/core/member.ts'
import type { ScheduleRequests } from '../schedules/schedules.ts'
import type { Lock, LockInfo, LockOptions } from './lock-types.ts'
import { acquireLock, lockInfo } from './locks.ts'
import { mapStream } from './map.ts'
import { whyNoLeader } from './no-leader.ts'
import { checkJobId, checkSuspended } from './options.ts'
import { prepareJob } from './prepare-job.ts'
import type { Schedules } from './schedule-types.ts'
import { schedulesOf, submitLater } from './schedules.ts'
import type {
  ClusterEvents,
  ClusterHandle,
  ClusterStatus,
  Leader,
  MapOptions,
  MapTask,
  PastLeadership,
  TaskReference
} from './types.ts'

/** The part of the cluster status that the answering peer knows itself. */
export interface ClusterKnowledge {
  cluster: string
  voters: readonly string[] | undefined
  stats: LeadershipStats
}

export abstract class SharedHandle extends TypedEventEmitter<ClusterEvents> implements ClusterHandle {
  readonly #jobs: JobClient
  readonly #locks: Locks
  readonly #schedules: ScheduleRequests
  readonly schedules: Schedules

  constructor({ jobs, locks, schedules }: { jobs: JobClient; locks: Locks; schedules: ScheduleRequests }) {
    super()
    this.#schedules = schedules
    this.schedules = schedulesOf(schedules, () => this.checkOpen())
    this.#jobs = jobs
    this.#locks = locks
    jobs.addEventListener('job', ({ detail }) => this.tell('job', detail))
    jobs.addEventListener('waiting', ({ detail }) => this.tell('waiting', detail))
  }

  abstract readonly id: string
  abstract readonly leader: Leader | undefined
  abstract members(): Member[]
  abstract history(options?: { signal?: AbortSignal }): Promise<PastLeadership[]>
  abstract [Symbol.asyncDispose](): Promise<void>

  /** @throws StoppedError when the peer has left or the client is closed */
  protected abstract checkOpen(): void
  protected abstract knowledge(): ClusterKnowledge

  protected tell<K extends keyof ClusterEvents>(type: K, detail: ClusterEvents[K]['detail']): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }

  async status(options: { signal?: AbortSignal } = {}): Promise<ClusterStatus> {
    this.checkOpen()
    const overview = this.leader === undefined ? undefined : await this.#jobs.overview(options.signal)
    const { cluster, voters, stats } = this.knowledge()
    const leader = this.leader
    const members = this.members()
    return {
      cluster,
      leader,
      noLeader: leader === undefined ? whyNoLeader(members, voters) : undefined,
      leaderChanges: stats.changes,
      leaderless: stats.leaderless,
      members: members.map(member => ({ ...member, busy: overview && (overview.busy[member.id] ?? 0) })),
      jobs: overview?.jobs ?? []
    }
  }

  async submit<Input, Result, Partial>(
    task: TaskReference<Input, Result, Partial>,
    input: Input,
    options: SubmitOptions = {}
  ): Promise<Job<Awaited<Result>, Awaited<Partial>>> {
    this.checkOpen()
    const { at } = options
    if (at !== undefined) return await submitLater(this.#schedules, this.#jobs, { task, input, options, at })
    const prepared = await prepareJob(task, input, options)
    return this.#jobs.submit<Awaited<Result>, Awaited<Partial>>(prepared, options)
  }

  map<Item, Output>(
    source: Iterable<Item> | AsyncIterable<Item>,
    task: MapTask<Item, Output>,
    options: MapOptions = {}
  ): AsyncIterableIterator<Awaited<Output>> {
    this.checkOpen()
    return mapStream(this.#jobs, source, task, options)
  }

  async job<Result = unknown>(id: string, options: JobHandleOptions = {}): Promise<Job<Result>> {
    this.checkOpen()
    checkJobId(id)
    checkSuspended(options.suspended)
    return await this.#jobs.attach<Result>(id, options)
  }

  async chunkMap(jobId: string, options: { since?: string; signal?: AbortSignal } = {}): Promise<ChunkMap> {
    this.checkOpen()
    checkJobId(jobId)
    return await this.#jobs.chunkMap(jobId, options.since, options.signal)
  }

  async lock(name: string, options: LockOptions = {}): Promise<Lock> {
    this.checkOpen()
    return await acquireLock(this.#locks, name, options)
  }

  async locks(options: { signal?: AbortSignal } = {}): Promise<LockInfo[]> {
    this.checkOpen()
    return (await this.#locks.states(options.signal)).map(lockInfo)
  }
}
