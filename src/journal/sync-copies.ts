import type { Versions } from './core/own-copies.ts'

/**
 * Calls back when all that was stored before, or all of these jobs, is on disk (`isOnDisk`). A peer without a disk calls back at once with false; a peer
 * whose disk fails does so as well, and once more when the disk has taken the jobs.
 */
export type WhenSynced = (done: (isOnDisk: boolean) => void, jobs?: readonly string[]) => void

/** Syncs the copies of the leader, each job by itself: a small one does not wait for a large one. */
export class SyncCopies {
  readonly #whenSynced: WhenSynced
  readonly #report: (copies: Versions, isOnDisk: boolean) => void
  /** What is reported at the end of this turn, in one piece. */
  readonly #done = { disk: new Map<string, number>(), memory: new Map<string, number>() }

  constructor(whenSynced: WhenSynced, report: (copies: Versions, isOnDisk: boolean) => void) {
    this.#whenSynced = whenSynced
    this.#report = report
  }

  /** Syncs these copies, or with an empty list all that was stored before. */
  sync(copies: Versions): void {
    if (copies.length === 0) this.#whenSynced(isOnDisk => this.#report(copies, isOnDisk))
    for (const [job, version] of copies)
      this.#whenSynced(isOnDisk => this.#add(job, version, isOnDisk ? this.#done.disk : this.#done.memory), [job])
  }

  #add(job: string, version: number, to: Map<string, number>): void {
    const { disk, memory } = this.#done
    if (disk.size + memory.size === 0) queueMicrotask(() => this.#flush())
    to.set(job, Math.max(version, to.get(job) ?? 0))
  }

  #flush(): void {
    for (const [copies, isOnDisk] of [[this.#done.memory, false] as const, [this.#done.disk, true] as const]) {
      const versions = [...copies]
      copies.clear()
      if (versions.length > 0) this.#report(versions, isOnDisk)
    }
  }
}
