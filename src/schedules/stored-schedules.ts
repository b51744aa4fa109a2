import { bytesOfSubmission } from '../jobs/protocol/submit-messages.ts'
import type { ScheduleDefinition, ScheduleRecord } from '../journal/schedule-record.ts'
import { nameOf } from './core/keys.ts'

interface StoredSchedule {
  /** Bytes of the code and the input. */
  bytes: number
  definition: ScheduleDefinition
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

  /** Returns the schedule whose only job has this id and starts later. */
  later(job: string): ScheduleDefinition | undefined {
    const definition = this.#schedules.get(job)?.definition
    return definition?.times.type === 'once' ? definition : undefined
  }

  /** Notes an entry of the journal. */
  note(key: string, record: ScheduleRecord): void {
    if (record.kind === 'mark') return
    const name = nameOf(key)!
    this.drop(name)
    if (record.kind === 'removed') return
    const bytes = bytesOfSubmission(record.submission)
    this.#bytes += bytes
    this.#schedules.set(name, { bytes, definition: record })
  }

  /** Forgets a schedule that has ended. */
  drop(name: string): void {
    this.#bytes -= this.#schedules.get(name)?.bytes ?? 0
    this.#schedules.delete(name)
  }
}
