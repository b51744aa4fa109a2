import type { RunState } from '../../journal/schedule-record.ts'
import { scheduleOf } from './keys.ts'

/** The jobs of each schedule that have not ended. */
export class RunningJobs {
  readonly #jobs = new Map<string, Set<string>>()

  set(job: string, state: RunState): void {
    const name = scheduleOf(job)
    if (name === undefined) return
    const jobs = this.#jobs.get(name) ?? new Set()
    if (state === 'running') jobs.add(job)
    else jobs.delete(job)
    if (jobs.size === 0) this.#jobs.delete(name)
    else this.#jobs.set(name, jobs)
  }

  count(name: string): number {
    return this.#jobs.get(name)?.size ?? 0
  }
}
