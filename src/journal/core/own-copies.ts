import type { JournalRules } from './rules.ts'

/** The copies of the leader itself, as far as they are on disk. */
export class OwnCopies {
  /** The copies that are not known to be on disk, the oldest first. */
  readonly #unsynced: { version: number; job: string }[] = []
  /** The newest version that is on disk. 0 stands for what the leader has read. */
  #synced: number
  /** The newest version that was to be synced. */
  #syncing: number
  readonly #mayCount: JournalRules['countsItself']

  /** @param isDurable - whether the copies are kept on disk. If not, they count at once. */
  constructor(isDurable: boolean, mayCount: JournalRules['countsItself']) {
    this.#mayCount = mayCount
    this.#synced = isDurable ? -1 : Number.POSITIVE_INFINITY
    this.#syncing = this.#synced
  }

  add(version: number, job: string): void {
    if (version > this.#synced) this.#unsynced.push({ version, job })
  }

  /** Returns up to which version the copies should be synced now. Undefined if there are no new ones. */
  next(): number | undefined {
    const version = this.#unsynced.at(-1)?.version ?? 0
    if (version <= this.#syncing) return undefined
    this.#syncing = version
    return version
  }

  /** All copies up to this version are on disk. Adds the jobs whose copies count now to `touched`. */
  onSynced(version: number, touched: Set<string>): void {
    this.#synced = Math.max(this.#synced, version)
    const later = this.#unsynced.findIndex(copy => copy.version > this.#synced)
    const synced = this.#unsynced.splice(0, later === -1 ? this.#unsynced.length : later)
    for (const { job } of synced) touched.add(job)
  }

  /** Whether the copies up to this version count. */
  count(version: number): boolean {
    return this.#mayCount(version <= this.#synced)
  }
}
