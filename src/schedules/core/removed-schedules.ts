import type { RemovedSchedule } from '../../journal/schedule-record.ts'
import { REMOVED_MS } from './rules.ts'

/** The most removed schedules that the journal remembers. */
const MOST = 10_000

/** The removed schedules, the oldest first. */
export class RemovedSchedules {
  readonly #removed = new Map<string, RemovedSchedule>()

  add(name: string, removed: RemovedSchedule): void {
    this.#removed.delete(name)
    this.#removed.set(name, removed)
  }

  has(name: string, id: string): boolean {
    return this.#removed.get(name)?.id === id
  }

  delete(name: string): void {
    this.#removed.delete(name)
  }

  get size(): number {
    return this.#removed.size
  }

  /** Forgets those that were removed long ago. Returns their names. */
  forget(now: number): string[] {
    const old: string[] = []
    for (const [name, { removedAt }] of this.#removed) {
      if (removedAt + REMOVED_MS > now && this.#removed.size <= MOST) break
      this.#removed.delete(name)
      old.push(name)
    }
    return old
  }
}
