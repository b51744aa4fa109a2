import type { RoomOfFolder } from '../../src/journal/journal-room.ts'
import type { DiskSpace } from '../../src/persistence/data-dir-stats.ts'

interface FakeFolderInit {
  journalBytes?: number
  liveBytes?: number
  disk?: DiskSpace
}

/** A data folder whose disk a test fills. Writes wait for {@link FakeFolder.written}. */
export class FakeFolder implements RoomOfFolder {
  readonly journalBytes: number
  disk: DiskSpace | undefined
  readonly log: RoomOfFolder['log']
  #failure: Error | undefined
  #waiting: (() => void)[] = []

  constructor({ journalBytes = 2 ** 30, liveBytes = 0, disk }: FakeFolderInit = {}) {
    this.journalBytes = journalBytes
    this.log = {
      failure: () => this.#failure,
      sizes: { bytes: liveBytes, liveBytes },
      afterWrites: done => void this.#waiting.push(done)
    }
    this.disk = disk
  }

  set liveBytes(liveBytes: number) {
    this.log.sizes.liveBytes = liveBytes
  }

  fail(failure: Error | undefined): void {
    this.#failure = failure
  }

  /** Ends all writes that were given before. */
  async written(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
    for (const done of this.#waiting.splice(0)) done()
  }
}
