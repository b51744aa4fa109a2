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
  #isReadDue: boolean
  /** The newest versions that are not being synced yet. */
  readonly #due = new Map<string, number>()

  constructor(isDurable: boolean) {
    this.isDurable = isDurable
    this.isReadSynced = !isDurable
    this.#isReadDue = isDurable
  }

  get hasWorkingDisk(): boolean {
    return this.isDurable && !this.fails
  }

  add(job: string, version: number): void {
    if (this.isDurable) this.#due.set(job, version)
  }

  /** Returns what should be synced now. An empty list stands for what the leader has read. */
  *take(): Iterable<Versions> {
    if (this.#isReadDue) yield []
    this.#isReadDue = false
    if (this.#due.size > 0) yield [...this.#due]
    this.#due.clear()
  }
}
