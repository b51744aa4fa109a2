/** Where the leader is asked what has become of the chunks of a job, of one that has ended as well. */

import type { LeaderJournal } from '../../journal/leader-journal.ts'
import { type ChunkPiece, type ChunkQuestion, RUNS_A_PIECE } from '../protocol/chunk-map-messages.ts'
import type { JobOutcome } from '../protocol/submit-messages.ts'
import { ChunkRecord } from '../shared/chunk-record.ts'
import type { JobProgress, JobState } from '../shared/types.ts'
import type { LeaderJob } from './leader-job.ts'

/** The records of jobs that have ended take at most so much; of older ones only the outcome tells. In bytes. */
const MOST_ENDED_BYTES = 64 * 2 ** 20

export type ChunkAnswer =
  | { type: 'chunk-map'; piece: ChunkPiece }
  /** There is no such job, or nothing is known of it but how it has ended. */
  | { type: 'unknown'; end: JobOutcome['type'] | undefined }

export interface ChunkMapServiceInit {
  /** Tells this leadership from all others. */
  leadership: string
  /** So many may wait for an answer that is not certain yet. */
  mostWaiting: number
  journal: Pick<LeaderJournal, 'get' | 'whenKnown'>
  job(id: string): LeaderJob | undefined
  progress(id: string): JobProgress | undefined
}

/** `undefined`: ask again, this leader or the next one. */
type Tell = (answer: ChunkAnswer | undefined) => Promise<void>

export class ChunkMapService {
  readonly #init: ChunkMapServiceInit
  /** Of jobs that have ended, those that ended first come first. */
  readonly #ended = new Map<string, ChunkRecord>()
  #endedBytes = 0
  readonly #waiting = new Set<Tell>()

  constructor(init: ChunkMapServiceInit) {
    this.#init = init
  }

  /** The job has ended, and whoever asks may still see how. */
  keep(job: string, record: ChunkRecord): void {
    this.forget(job)
    this.#ended.set(job, record)
    this.#endedBytes += record.bytes
    for (const oldest of this.#ended.keys()) {
      if (this.#endedBytes <= MOST_ENDED_BYTES) break
      this.forget(oldest)
    }
  }

  /** The job is not to be seen any more, or runs again. */
  forget(job: string): void {
    this.#endedBytes -= this.#ended.get(job)?.bytes ?? 0
    this.#ended.delete(job)
  }

  /**
   * Tells as soon as it is certain whether there is such a job. Where it is now, returns what `tell` returns: whoever does not read the answer asks
   * no more.
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
      const state = this.#init.progress(id)?.state ?? outcome?.type ?? (job.isOver ? 'cancelled' : 'accepted')
      // It may wait to be safe, or for its client, before it begins.
      const { chunks } = job
      if (chunks === undefined) return this.#piece(question, `${job.submissionId}/new`, state, new ChunkRecord())
      return this.#piece(question, job.submissionId, state, chunks)
    }
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

/** All that the outcome alone tells: what has become of each chunk of a job that did not complete it does not. */
function recordOf({ type, stats: { chunks } }: JobOutcome): ChunkRecord {
  if (type === 'completed') return new ChunkRecord(chunks)
  return ChunkRecord.from({ first: chunks, end: chunks, peers: [], runs: [] })
}
