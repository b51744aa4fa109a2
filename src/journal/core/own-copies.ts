/** Versions of entries, by job. */
export type Versions = readonly (readonly [job: string, version: number])[]

/** Which copies of the leader itself are to be synced. */
export class OwnCopies {
  /** Whether the copies are kept on disk. If not, they count at once. */
  readonly isDurable: boolean
  /** Whether the disk of this peer did not take the copies that were last reported. */
  fails = false
  /** Whether what the leader has read is on disk, so that it obeys no older leader after a restart. */
  isReadSynced: boolean
  /** Whether all that was stored until now is to be synced. */
  #isAllDue: boolean
  /** The syncs of all that was stored which have not ended on disk. */
  #syncing = 0
  /** The newest versions that are not being synced yet. */
  readonly #due = new Map<string, number>()

  constructor(isDurable: boolean) {
    this.isDurable = isDurable
    this.isReadSynced = !isDurable
    this.#isAllDue = isDurable
  }

  get hasWorkingDisk(): boolean {
    return this.isDurable && !this.fails
  }

  add(job: string, version: number): void {
    if (this.isDurable) this.#due.set(job, version)
  }

  /** Records that this peer removes an entry, of which its disk has an older version. */
  remove(): void {
    this.#isAllDue = this.isDurable
  }

  /** Whether no entry that was removed comes back after a restart. */
  get areRemovalsSynced(): boolean {
    return !this.#isAllDue && this.#syncing === 0
  }

  /** Handles that all that was stored before is synced. */
  onAllSynced(isOnDisk: boolean): void {
    this.isReadSynced = true
    if (isOnDisk) this.#syncing -= 1
  }

  /** Returns what should be synced now. An empty list stands for all that was stored. */
  *take(): Iterable<Versions> {
    if (this.#isAllDue) {
      this.#isAllDue = false
      this.#syncing += 1
      yield []
    }
    if (this.#due.size > 0) yield [...this.#due]
    this.#due.clear()
  }
}
