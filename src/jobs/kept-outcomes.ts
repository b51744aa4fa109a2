import type { JobOutcome, SubmissionContent } from './submit-messages.ts'
import type { JobSummary } from './types.ts'

/** How long an outcome is kept, so that a client whose channel broke still gets it. */
const KEEP_MS = 60_000
const MAX_OUTCOMES = 64
const MAX_BYTES = 256 * 2 ** 20

export interface KeptOutcome {
  outcome: JobOutcome
  summary: JobSummary
  content: SubmissionContent
}

/** The outcomes of jobs that ended a short while ago. The newest is kept whatever its size. */
export class KeptOutcomes {
  readonly #kept = new Map<string, KeptOutcome & { timer: NodeJS.Timeout; bytes: number }>()
  #bytes = 0

  get(job: string): KeptOutcome | undefined {
    return this.#kept.get(job)
  }

  summaries(): JobSummary[] {
    return [...this.#kept.values()].map(({ summary }) => summary)
  }

  add(job: string, kept: KeptOutcome): void {
    this.#delete(job)
    const bytes = kept.outcome.type === 'completed' ? kept.outcome.result.byteLength : 0
    const timer = setTimeout(() => this.#delete(job), KEEP_MS)
    // Nobody has to wait for this to be forgotten.
    timer.unref()
    this.#kept.set(job, { ...kept, timer, bytes })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (oldest === job || (this.#kept.size <= MAX_OUTCOMES && this.#bytes <= MAX_BYTES)) break
      this.#delete(oldest)
    }
  }

  clear(): void {
    for (const job of [...this.#kept.keys()]) this.#delete(job)
  }

  #delete(job: string): void {
    const kept = this.#kept.get(job)
    if (kept === undefined) return
    clearTimeout(kept.timer)
    this.#bytes -= kept.bytes
    this.#kept.delete(job)
  }
}
