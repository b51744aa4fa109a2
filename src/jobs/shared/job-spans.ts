/** The spans of jobs. The worker, the leader and the client each record their own spans. All spans of a job are in one trace. */

import {
  newSpanId,
  type SpanAttributes,
  type SpanRecord,
  spanIdOf,
  type Tracer,
  traceIdOf
} from '../../common/tracing.ts'
import type { Network, PeerIdString } from '../../network/types.ts'
import { type ChunkTime, type ChunkTimes, readTimes } from '../../tasks/execute/chunk-times.ts'
import type { FailedChunk } from '../../tasks/executor.ts'
import type { JobOutcome, Submission } from '../protocol/submit-messages.ts'
import type { Job, JobProgress, JobState } from './types.ts'

/** The largest number of spans that a peer records in a second for chunks and for calls of `split` and `reduce`. */
const MOST_A_SECOND = 1_000
/** This many of these spans are reserved for failures. */
const KEPT_FOR_FAILURES = 100

/** A job at the leader. */
interface LedJob {
  id: string
  submission: Pick<Submission, 'task'>
  /** When the job arrived at this leader, by `performance.now()`. */
  since: number
  /** Whether the client knows that the job is replicated. */
  accepted: boolean
}

/**
 * A job's trace id derives from the job id and the cluster, so all peers know the trace and the parent of their spans.
 */
export class JobSpans {
  readonly #tracer: Tracer
  readonly #clusterId: string
  readonly #self: PeerIdString
  readonly #budget = new Budget()

  constructor(tracer: Tracer, { clusterId, self }: Pick<Network, 'clusterId' | 'self'>) {
    this.#tracer = tracer
    this.#clusterId = clusterId
    this.#self = self
  }

  /** Records chunks that this peer has run, for the leadership of this epoch. */
  ran(job: string, epoch: number | undefined, times: ChunkTimes, failed: readonly FailedChunk[]): void {
    this.#budget.leaveOut(times.leftOut)
    const trace = this.#traceOf(job)
    for (const time of readTimes(times)) {
      const failure = failed.find(({ index }) => index === time.index)?.failure
      if (!this.#budget.take(time.how !== 'completed' || failure !== undefined)) continue
      const how = failure !== undefined && time.how === 'completed' ? 'failed' : time.how
      const error = failure === undefined ? undefined : `${failure.name}: ${failure.message}`
      this.#record(trace, chunkSpan(time, how, job, epoch, this.#budget.leftOut()), error)
    }
  }

  /** Records a call of a job's driver that began at `began`, by `performance.now()`, and has ended. */
  drove(job: string, epoch: number, fn: 'split' | 'reduce' | 'finish', began: number, error?: unknown): void {
    if (fn !== 'finish' && !this.#budget.take(error !== undefined)) return
    const name = fn === 'reduce' ? 'fold' : fn
    const attributes = { 'p2p_worker.job.id': job, 'p2p_worker.epoch': epoch }
    this.#record(
      this.#traceOf(job),
      { name, kind: 'internal', ...until(began), attributes },
      error === undefined ? undefined : String(error)
    )
  }

  /** Records the end of a job under this leader: the root span of the job. */
  ended(job: LedJob, state: JobState, outcome: JobOutcome, led: { epoch: number; resumed: boolean }): void {
    const traceId = traceIdOf('job', this.#clusterId, job.id)
    const { chunks, retries, recomputed, speculated } = outcome.stats
    this.#tracer.record({
      name: 'job',
      kind: 'internal',
      traceId,
      spanId: spanIdOf(traceId, 'job'),
      ...until(job.since),
      attributes: {
        ...this.#ofJob(job, state, led.epoch),
        'p2p_worker.job.resumed': led.resumed,
        'p2p_worker.job.chunks': chunks,
        'p2p_worker.job.retries': retries,
        'p2p_worker.job.recomputed': recomputed,
        'p2p_worker.job.speculated': speculated
      },
      ...(outcome.type === 'failed' && { error: `${outcome.failure.name}: ${outcome.failure.message}` })
    })
  }

  /** Records the part of a job that this leader has driven before another leader takes the job over. */
  handedOver(
    job: LedJob,
    progress: JobProgress | undefined,
    { epoch, next }: { epoch: number; next: PeerIdString | undefined }
  ): void {
    // An end that no client has received counts as running: the next leader continues the job.
    const state = progress?.state ?? (job.accepted ? 'running' : 'accepted')
    const attributes: SpanAttributes = { ...this.#ofJob(job, state, epoch) }
    if (progress !== undefined) attributes['p2p_worker.job.done'] = progress.done
    if (next !== undefined) attributes['p2p_worker.next_leader'] = next
    this.#record(this.#traceOf(job.id), { name: 'job part', kind: 'internal', ...until(job.since), attributes })
  }

  /** Records a submission of this process when the job ends, or when this process stops waiting for it. */
  submitted(job: Pick<Job, 'id' | 'progress'> & { over: AbortSignal }, task: string): void {
    const began = performance.now()
    const tell = (): void => {
      const { state, done } = job.progress
      const attributes = { ...this.#ofJob({ id: job.id, submission: { task } }, state), 'p2p_worker.job.done': done }
      const error = state === 'failed' ? 'the job has failed' : undefined
      this.#record(this.#traceOf(job.id), { name: 'submit', kind: 'client', ...until(began), attributes }, error)
    }
    if (job.over.aborted) tell()
    else job.over.addEventListener('abort', tell, { once: true })
  }

  #ofJob({ id, submission }: Pick<LedJob, 'id' | 'submission'>, state: JobState, epoch?: number): SpanAttributes {
    return {
      'p2p_worker.peer': this.#self,
      'p2p_worker.job.id': id,
      'p2p_worker.job.task': submission.task,
      'p2p_worker.job.state': state,
      ...(epoch !== undefined && { 'p2p_worker.epoch': epoch })
    }
  }

  /** Returns the trace of a job, with the root span as the parent. */
  #traceOf(job: string): Pick<SpanRecord, 'traceId' | 'parentId'> {
    const traceId = traceIdOf('job', this.#clusterId, job)
    return { traceId, parentId: spanIdOf(traceId, 'job') }
  }

  #record(
    trace: Pick<SpanRecord, 'traceId' | 'parentId'>,
    span: Omit<SpanRecord, 'traceId' | 'parentId' | 'spanId'>,
    error?: string
  ): void {
    const attributes = { 'p2p_worker.peer': this.#self, ...span.attributes }
    this.#tracer.record({ ...span, ...trace, spanId: newSpanId(), attributes, error })
  }
}

function chunkSpan(
  { index, start, end }: ChunkTime,
  how: ChunkTime['how'],
  job: string,
  epoch: number | undefined,
  leftOut: number
): Omit<SpanRecord, 'traceId' | 'parentId' | 'spanId'> {
  return {
    name: 'chunk',
    kind: 'consumer',
    start,
    end,
    attributes: {
      'p2p_worker.job.id': job,
      'p2p_worker.chunk.index': index,
      'p2p_worker.chunk.outcome': how,
      ...(epoch !== undefined && { 'p2p_worker.epoch': epoch }),
      ...(leftOut > 0 && { 'p2p_worker.left_out': leftOut })
    }
  }
}

/** The time from `began`, by `performance.now()`, to now, in ms since 1970. */
function until(began: number): { start: number; end: number } {
  const end = Date.now()
  return { start: end - (performance.now() - began), end }
}

/** Limits the number of spans in a second. Of ten thousands of tiny chunks only a sample is recorded. */
class Budget {
  #second = 0
  #taken = 0
  #leftOut = 0

  take(isUnusual: boolean): boolean {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#taken = 0
    }
    const isThere = this.#taken < (isUnusual ? MOST_A_SECOND : MOST_A_SECOND - KEPT_FOR_FAILURES)
    if (isThere) this.#taken += 1
    else this.#leftOut += 1
    return isThere
  }

  leaveOut(count: number): void {
    this.#leftOut += count
  }

  /** Returns the number of spans that were left out since the last call. */
  leftOut(): number {
    const leftOut = this.#leftOut
    this.#leftOut = 0
    return leftOut
  }
}
