/** Answers questions of clients about the chunks of a job, including jobs that have ended. */

import type { LeaderJournal } from '../../journal/leader-journal.ts'
import { type ChunkPiece, type ChunkQuestion, RUNS_A_PIECE } from '../protocol/chunk-map-messages.ts'
import type { JobOutcome } from '../protocol/submit-messages.ts'
import { ChunkRecord } from '../shared/chunk-record.ts'
import type { JobProgress, JobState } from '../shared/types.ts'
import type { LeaderJob } from './leader-job.ts'

/** The largest number of bytes of all chunk records of ended jobs. For older jobs only the outcome remains. */
const MOST_ENDED_BYTES = 64 * 2 ** 20

export type ChunkAnswer =
  | { type: 'chunk-map'; piece: ChunkPiece }
  /** The job is unknown, or only its end is known. */
  | { type: 'unknown'; end: JobOutcome['type'] | undefined }

export interface ChunkMapServiceInit {
  /** The id of this leadership, unique among all leaderships. */
  leadership: string
  /** The largest number of requests that may wait for an answer. */
  mostWaiting: number
  journal: Pick<LeaderJournal, 'get' | 'whenKnown'>
  job(id: string): LeaderJob | undefined
  progress(id: string): JobProgress | undefined
}

/** Sends an answer. With `undefined`, tells the client to ask this leader or the next leader again. */
type Tell = (answer: ChunkAnswer | undefined) => Promise<void>

export class ChunkMapService {
  readonly #init: ChunkMapServiceInit
  /** The records of ended jobs. The job that ended first is the first entry. */
  readonly #ended = new Map<string, ChunkRecord>()
  #endedBytes = 0
  readonly #waiting = new Set<Tell>()

  constructor(init: ChunkMapServiceInit) {
    this.#init = init
  }

  /** Keeps the record of a job that has ended, so that later requests can be answered. */
  keep(job: string, record: ChunkRecord): void {
    this.forget(job)
    this.#ended.set(job, record)
    this.#endedBytes += record.bytes
    for (const oldest of this.#ended.keys()) {
      if (this.#endedBytes <= MOST_ENDED_BYTES) break
      this.forget(oldest)
    }
  }

  /** Drops the record of a job whose outcome is dropped, or that runs again. */
  forget(job: string): void {
    this.#endedBytes -= this.#ended.get(job)?.bytes ?? 0
    this.#ended.delete(job)
  }

  /**
   * Answers as soon as the leader knows whether the job exists. If the leader knows that now, returns the result of `tell`, so that a
   * client that does not read the answer is slowed down.
   */
  answer(question: ChunkQuestion, tell: Tell): Promise<void> | undefined {
    if (this.#waiting.size >= this.#init.mostWaiting) return tell(undefined)
    let told: Promise<void> | undefined
    const wait: Tell = answer => tell(answer)
    this.#waiting.add(wait)
    this.#init.journal.whenKnown(question.job, () => {
      if (this.#waiting.delete(wait)) told = tell(this.#answerTo(question))
    })
    return told
  }

  stop(): void {
    for (const tell of this.#waiting) void tell(undefined)
    this.#waiting.clear()
    this.#ended.clear()
    this.#endedBytes = 0
  }

  #answerTo(question: ChunkQuestion): ChunkAnswer {
    const { job: id } = question
    const entry = this.#init.journal.get(id)
    const job = this.#init.job(id)
    const outcome = entry?.record.outcome
    if (job !== undefined) {
      // An outcome that is not replicated may still be lost.
      const unreported = outcome === undefined ? undefined : 'running'
      const state = this.#init.progress(id)?.state ?? unreported ?? (job.isOver ? 'cancelled' : 'accepted')
      // The job may still wait for replication, or for its client, before it begins.
      const { chunks } = job
      if (chunks === undefined) return this.#piece(question, `${job.submissionId}/new`, state, new ChunkRecord())
      return this.#piece(question, job.submissionId, state, chunks)
    }
    if (entry?.isSuspended === true)
      return this.#piece(question, `${entry.submissionId}/suspended`, 'suspended', new ChunkRecord())
    if (entry === undefined || outcome === undefined) {
      const end = entry?.end
      return { type: 'unknown', end: end === 'abandoned' ? 'cancelled' : end }
    }
    const ended = this.#ended.get(id)
    if (ended !== undefined) return this.#piece(question, entry.submissionId, outcome.type, ended)
    return this.#piece(question, `${entry.submissionId}/ended`, outcome.type, recordOf(outcome))
  }

  #piece(question: ChunkQuestion, submissionId: string, state: JobState, record: ChunkRecord): ChunkAnswer {
    const source = `${this.#init.leadership}/${submissionId}`
    const since = question.source === source ? question.since : 0
    const changes = record.since(since, question.from, RUNS_A_PIECE)
    return { type: 'chunk-map', piece: { source, state, whole: since === 0, ...changes } }
  }
}

/** Makes a record from the outcome alone. Only the outcome of a completed job shows the state of each chunk. */
function recordOf({ type, stats: { chunks } }: JobOutcome): ChunkRecord {
  if (type === 'completed') return new ChunkRecord(chunks)
  return ChunkRecord.from({ first: chunks, end: chunks, peers: [], runs: [] })
}
