import { bytesOfSubmission } from '../jobs/protocol/submit-messages.ts'
import type { ScheduleRecord } from '../journal/schedule-record.ts'
import { nameOf } from './core/keys.ts'

interface StoredSchedule {
  /** Bytes of the code and the input. */
  bytes: number
  /** When the job starts, in ms since the Unix epoch, if the schedule has only one. */
  at: number | undefined
}

/** The schedules whose definitions are in the journal, or are being written there. */
export class StoredSchedules {
  readonly #schedules = new Map<string, StoredSchedule>()
  #bytes = 0

  get size(): number {
    return this.#schedules.size
  }

  /** Bytes of the code and the input of all schedules. */
  get bytes(): number {
    return this.#bytes
  }

  get(name: string): StoredSchedule | undefined {
    return this.#schedules.get(name)
  }

  /** Notes an entry of the journal. */
  note(key: string, record: ScheduleRecord): void {
    if (record.kind === 'mark') return
    const name = nameOf(key)!
    this.#bytes -= this.#schedules.get(name)?.bytes ?? 0
    this.#schedules.delete(name)
    if (record.kind === 'removed') return
    const { times, submission } = record
    const bytes = bytesOfSubmission(submission)
    this.#bytes += bytes
    this.#schedules.set(name, { bytes, at: times.type === 'once' ? times.at : undefined })
  }
}
