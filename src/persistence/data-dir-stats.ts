import type { Logger } from '../common/logger.ts'
import { type Histogram, HistogramRecorder } from '../lib/histogram.ts'
import type { DurableLog } from './log/durable-log.ts'

/** Upper bounds of the histogram's buckets, in ms. */
const SYNC_BOUNDS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

/** The data folder of a peer: its size, and how its disk behaves. */
export interface DataDirStats {
  /** The size of the log in the folder, in bytes. */
  bytes: number
  /** The bytes of the log that are not deleted or replaced. The log is compacted when they are less than half of it. */
  liveBytes: number
  /** Whether the disk takes writes. While it does not, the peer goes on in memory, and tries again. */
  isWritable: boolean
  /** How often the disk has stopped taking writes. */
  failures: number
  /** How long each sync of the disk took, in ms. */
  syncs: Histogram
}

/** Watches the log of a data folder. Logs when the disk takes no writes, and when it does again. */
export class DataDirMeter {
  readonly #log: DurableLog
  readonly #logger: Logger | undefined
  readonly #syncs = new HistogramRecorder(SYNC_BOUNDS)
  #isWritable = true
  #failures = 0

  constructor(log: DurableLog, logger: Logger | undefined) {
    this.#log = log
    this.#logger = logger
    log.onSync = ms => this.#syncs.record(ms)
    log.onFailure((_, error) => this.#onFailure(error))
  }

  read(): DataDirStats {
    const [isWritable, failures, syncs] = [this.#isWritable, this.#failures, this.#syncs.read()]
    return { ...this.#log.sizes, isWritable, failures, syncs }
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
