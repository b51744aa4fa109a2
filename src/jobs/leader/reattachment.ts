/** Matches the chunks and partials that workers retain from earlier leaderships with the jobs that resume under this leader. */

import type { Limits } from '../../common/limits.ts'
import type { Membership } from '../../membership/types.ts'
import type { Channel, PeerIdString } from '../../network/types.ts'
import type { BatchSeal } from '../protocol/batch-seal.ts'
import { MAX_CHUNKS_A_MESSAGE } from '../protocol/wire-parts.ts'
import type { InFlightMessage, WorkMessage } from '../protocol/work-messages.ts'
import type { OfferedChunk } from '../scheduler/index.ts'
import type { PulledSizes } from './job-execution.ts'
import type { JobManager } from './job-manager.ts'
import type { LeaderJob } from './leader-job.ts'
import { type ResumedJob, RetainedPartials } from './retained-partials.ts'
import { type Returning, ReturningWorkers } from './returning-workers.ts'
import type { WorkerLinks } from './worker-links.ts'

export interface ReattachmentInit {
  seal: BatchSeal
  limits: Limits
  manager: JobManager
  links: WorkerLinks
  membership: Membership
  returning: Returning
  /** Called when a job begins or ceases to wait for the offers of workers that are not back. */
  awaits(job: string, isAwaiting: boolean): void
  /** Whether this peer has seen that `leader` led under `epoch`. */
  hasLed(leader: PeerIdString, epoch: number): boolean
}

/**
 * A worker keeps its chunks and partials when a leader is gone, and names them to the next leader before its hello.
 * The next leader either reattaches each chunk to its job, or tells the worker to drop the chunk. The worker drops all
 * chunks of unknown jobs.
 */
export class Reattachment {
  readonly #init: ReattachmentInit
  readonly #retained: RetainedPartials
  readonly #returning: ReturningWorkers
  /** The channel on which each worker has named its chunks. */
  readonly #channels = new Map<PeerIdString, Channel<WorkMessage>>()
  /** For each job, the workers that may drop its chunks and partials as soon as its outcome is replicated. */
  readonly #unreleased = new Map<string, Set<PeerIdString>>()

  constructor(init: ReattachmentInit) {
    this.#init = init
    this.#retained = new RetainedPartials(init.seal, init.limits.offeredChunks)
    this.#returning = new ReturningWorkers({
      ...init.returning,
      membership: init.membership,
      onChanged: () => {
        for (const job of init.manager.jobs()) init.awaits(job.id, this.isAwaitingReturn(job))
        this.releaseUnknown()
      }
    })
  }

  /** Whether a job waits for the offers of workers that are not back. */
  isAwaitingReturn({ id, resumed }: LeaderJob): boolean {
    return resumed && this.#returning.isAwaiting(id)
  }

  /** Handles that a worker names chunks that it retains. A worker does this before its hello. */
  add(message: InFlightMessage, channel: Channel<WorkMessage>): void {
    const worker = channel.remote
    // After a channel has broken, the worker names all its chunks again on the next channel.
    if (this.#channels.get(worker) !== channel) this.#retained.forgetWorker(worker)
    this.#channels.set(worker, channel)
    this.#retained.add(worker, message)
  }

  /** Handles that a worker is ready for chunks. Returns for each job the split chunks that the worker retains. */
  joined(worker: PeerIdString): Map<string, OfferedChunk[]> {
    this.#retained.admit(worker)
    const found = new Map<string, OfferedChunk[]>()
    for (const id of this.#retained.jobs(worker)) {
      this.#returning.offered(id)
      const job = this.#init.manager.get(id)
      if (job !== undefined && !job.isOver) found.set(id, this.#match(job, worker))
    }
    return found
  }

  /** Handles that the offers of a joined worker are known to the scheduler. */
  returned(worker: PeerIdString): void {
    this.#returning.joined(worker)
    this.releaseUnknown(worker)
  }

  /** Makes the workers drop the folded chunks of a job that resumes, because these chunks are not split again. */
  began(job: LeaderJob): void {
    this.#refuse(job.id, this.#retained.refuse(job.id, job.splitEnd))
  }

  /** Handles that more chunks are split. Returns those of the chunks that the joined workers retain. */
  pulled(job: LeaderJob, { first, sizes, done }: PulledSizes): OfferedChunk[] {
    job.splitEnd = first + sizes.length
    const found = this.#match(job)
    if (done) this.#refuse(job.id, this.#retained.refuse(job.id))
    return found
  }

  /** Whether the worker retains a chunk that is neither reattached nor refused yet. */
  hasRetained(worker: PeerIdString): boolean {
    return this.#retained.hasOffers(worker)
  }

  forget(worker: PeerIdString): void {
    this.#retained.forgetWorker(worker)
  }

  /** Tells a worker to drop chunks, in as many messages as needed. */
  cancelChunks(worker: PeerIdString, job: string, indices: readonly number[]): void {
    for (const some of inMessages(indices)) this.#init.links.send(worker, { type: 'cancel-chunks', job, indices: some })
  }

  /** Handles that the job has ended, so that all workers may drop its chunks and partials. */
  release(job: string, completed: boolean): void {
    this.#retained.drop(job)
    const release = (): void => this.#init.links.broadcast({ type: 'release', job })
    // If this leader dies before the outcome is replicated, the next leader needs the partials of the workers.
    if (completed) this.#init.manager.whenReplicated(job, release)
    else release()
  }

  /**
   * Tells workers to drop the chunks of jobs that do not run. When a job ends, only the joined workers are told. So a worker
   * that joins later may still retain chunks of the job.
   *
   * @param worker - default: all workers
   */
  releaseUnknown(worker?: PeerIdString): void {
    const { manager, links } = this.#init
    if (!manager.isReady) return
    for (const job of this.#retained.jobs(worker)) {
      const known = manager.get(job)
      if (known?.isOver === false) continue
      // One of the workers that are not back may hold the job.
      if (known === undefined && this.#returning.areAwaited) continue
      const pending = this.#unreleased.get(job)
      const workers = pending ?? new Set<PeerIdString>()
      for (const worker of this.#retained.drop(job)) workers.add(worker)
      if (pending !== undefined) continue
      const release = (): void => {
        this.#unreleased.delete(job)
        for (const worker of workers) links.send(worker, { type: 'release', job })
      }
      this.#unreleased.set(job, workers)
      // A job that is known here has ended, but its outcome may not be replicated yet.
      if (known === undefined) release()
      else manager.whenReplicated(job, release)
    }
  }

  stop(): void {
    this.#returning.stop()
  }

  #match(job: LeaderJob, worker?: PeerIdString): OfferedChunk[] {
    const { manager, hasLed } = this.#init
    const resumed: ResumedJob = {
      id: job.id,
      sha256: job.submission.sha256,
      splitEnd: job.splitEnd,
      wasLedBy: (leader, epoch) => manager.wasLedBy(job.id, leader, epoch) || hasLed(leader, epoch),
      digestOf: index => job.execution.digestOf(index)
    }
    const { chunks, refused } = this.#retained.match(resumed, worker)
    this.#refuse(job.id, refused)
    return chunks
  }

  #refuse(job: string, chunks: readonly OfferedChunk[]): void {
    for (const worker of new Set(chunks.map(({ worker }) => worker))) {
      const indices = chunks.flatMap(chunk => (chunk.worker === worker ? [chunk.index] : []))
      this.cancelChunks(worker, job, indices)
    }
  }
}

/** Cuts a list of chunks into lists that fit one message. */
export function* inMessages(indices: readonly number[]): Generator<number[]> {
  for (let from = 0; from < indices.length; from += MAX_CHUNKS_A_MESSAGE)
    yield indices.slice(from, from + MAX_CHUNKS_A_MESSAGE)
}
