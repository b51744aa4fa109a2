import { statfs } from 'node:fs/promises'
import type { Logger } from '../common/logger.ts'
import { type Histogram, HistogramRecorder } from '../lib/histogram.ts'
import type { DurableLog } from './log/durable-log.ts'

/** Upper bounds of the histogram's buckets, in ms. */
const SYNC_BOUNDS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

/** How often the free space of the disk is read, in ms. */
const SPACE_EVERY = 2_000
/** The part of a disk that is for the jobs under way, and the most bytes of it. */
const RESERVE = { part: 0.05, most: 64 * 2 ** 20 }

/** The space of a disk, in bytes. */
export interface DiskSpace {
  free: number
  /** What new jobs must leave free. */
  reserve: number
}

/** The data folder of a peer: its size, and how its disk behaves. */
export interface DataDirStats {
  /** The size of the log in the folder, in bytes. */
  bytes: number
  /** The bytes of the log that are not deleted or replaced. The log is compacted when they are less than half of it. */
  liveBytes: number
  /** How large these may grow until a leader refuses new jobs, in bytes (`journalMb`). */
  journalBytes: number
  /** The free bytes of the disk; undefined if the system does not tell. */
  freeBytes: number | undefined
  /** Whether the disk takes writes. While it does not, the peer goes on in memory, and tries again. */
  isWritable: boolean
  /** How often the disk has stopped taking writes. */
  failures: number
  /** How long each sync of the disk took, in ms. */
  syncs: Histogram
}

/** Reads the space of the disk of a folder. Undefined if the system does not tell. */
export async function spaceAt(folder: string): Promise<DiskSpace | undefined> {
  const space = await statfs(folder).catch(() => undefined)
  return (
    space && {
      free: space.bavail * space.bsize,
      reserve: Math.min(RESERVE.most, RESERVE.part * space.blocks * space.bsize)
    }
  )
}

interface MeterInit {
  folder: string
  log: DurableLog
  journalBytes: number
  logger: Logger | undefined
}

/** Watches the log and the disk of a data folder. Logs when the disk takes no writes, and when it does again. */
export class DataDirMeter {
  readonly #folder: string
  readonly #log: DurableLog
  readonly #logger: Logger | undefined
  readonly journalBytes: number
  readonly #syncs = new HistogramRecorder(SYNC_BOUNDS)
  readonly #timer: NodeJS.Timeout
  #isMeasuring = false
  #isWritable = true
  #failures = 0
  /** The space when it was last read; undefined if the system does not tell. */
  disk: DiskSpace | undefined

  constructor({ folder, log, journalBytes, logger }: MeterInit) {
    this.#folder = folder
    this.#log = log
    this.#logger = logger
    this.journalBytes = journalBytes
    log.onSync = ms => this.#syncs.record(ms)
    log.onFailure((_, error) => this.#onFailure(error))
    this.#timer = setInterval(() => void this.measure(), SPACE_EVERY).unref()
  }

  /** Reads the free space. Does nothing while an earlier reading hangs. */
  async measure(): Promise<void> {
    if (this.#isMeasuring) return
    this.#isMeasuring = true
    this.disk = await spaceAt(this.#folder)
    this.#isMeasuring = false
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  read(): DataDirStats {
    return {
      ...this.#log.sizes,
      journalBytes: this.journalBytes,
      freeBytes: this.disk?.free,
      isWritable: this.#isWritable,
      failures: this.#failures,
      syncs: this.#syncs.read()
    }
  }

  #onFailure(error: Error | undefined): void {
    const isWritable = !this.#log.isFailing
    if (isWritable === this.#isWritable) return
    this.#isWritable = isWritable
    if (isWritable) this.#logger?.warn({}, 'the data folder can be written again')
    else {
      this.#failures += 1
      this.#logger?.error(
        { error },
        'the data folder cannot be written: this peer goes on without it, and would lose its latest state in a restart'
      )
    }
  }
}
