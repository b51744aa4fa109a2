/** Decides whether the data folder of a leader has room for a new job. What jobs under way write is always taken. */
import type { DataDir } from '../persistence/data-dir.ts'
import { DiskHangsError, type DurableLog } from '../persistence/log/durable-log.ts'

/** Why a leader takes no new job. */
export interface NoRoom {
  reason: string
  /** Whether the disk may answer in a moment. */
  isBrief: boolean
}

/** The parts of a data folder that tell about its room. */
export interface RoomOfFolder extends Pick<DataDir, 'disk' | 'journalBytes'> {
  readonly log: Pick<DurableLog, 'failure' | 'sizes' | 'afterWrites'>
}

const MIB = 2 ** 20

export class JournalRoom {
  readonly #dataDir: RoomOfFolder
  /** The bytes of new jobs that are not on disk yet. */
  #arriving = 0

  constructor(dataDir: RoomOfFolder) {
    this.#dataDir = dataDir
  }

  /** The most bytes of outcomes that are kept: they leave half of the room to the jobs under way. */
  get outcomeBytes(): number {
    return this.#dataDir.journalBytes / 2
  }

  /** Counts a new job, which the caller then writes at once. Returns why there is no room, and otherwise `undefined`. */
  take(bytes: number): NoRoom | undefined {
    const noRoom = this.failure() ?? this.#full(bytes)
    if (noRoom !== undefined) return noRoom
    this.#arriving += bytes
    setImmediate(() =>
      this.#dataDir.log.afterWrites(() => {
        this.#arriving -= bytes
      })
    )
    return undefined
  }

  /** Returns why the disk takes no writes, or `undefined` if it does. */
  failure(): NoRoom | undefined {
    const { log } = this.#dataDir
    const error = log.failure('bulk') ?? log.failure('large') ?? log.failure('urgent')
    if (error === undefined) return undefined
    const reason = `the disk of its data folder takes no writes (${error.message}): repair that, or let another peer lead`
    return { reason, isBrief: error instanceof DiskHangsError }
  }

  #full(bytes: number): NoRoom | undefined {
    const { log, disk, journalBytes } = this.#dataDir
    const live = log.sizes.liveBytes + this.#arriving
    const refused = (reason: string): NoRoom => ({ reason, isBrief: false })
    if (live + bytes > journalBytes) {
      const room = `${mib(live)} of ${mib(journalBytes)} MiB in its data folder are taken, and the job has ${mib(bytes)}`
      return refused(
        `${room}: wait until other jobs have ended and their outcomes have expired, or start it with a larger --journal-mb`
      )
    }
    if (disk !== undefined && disk.free - this.#arriving - bytes < disk.reserve) {
      const room = `the disk of its data folder has ${mib(disk.free)} MiB left, of which ${mib(disk.reserve)} are for the jobs under way, and the job has ${mib(bytes)}`
      return refused(`${room}: make room there, or let another peer lead`)
    }
    return undefined
  }
}

function mib(bytes: number): string {
  return (bytes / MIB).toLocaleString('en', { maximumFractionDigits: 1 })
}
