import type { Logger } from '../common/logger.ts'
import { HistogramRecorder } from '../lib/histogram.ts'
import { type DataDirStats, type DiskSpace, spaceAt } from './data-dir-stats.ts'
import type { DurableLog } from './log/durable-log.ts'

/** Upper bounds of the histogram's buckets, in ms. */
const SYNC_BOUNDS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

/** How often the free space of the disk is read, in ms. */
const SPACE_EVERY = 2_000

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
