/**
 * Keeps the retained partials of a worker in the log of its data folder, with the batches that leaders have signed. A restarted worker offers them to
 * the next leader.
 *
 * Most partials are covered by a checkpoint soon after they arrive. So a partial is stored only when it has reached an age, together with others. A
 * value on disk has the partials of one batch, and is deleted with the last of them.
 */
import type { LogChange } from '../../persistence/log/batch.ts'
import type { Stored } from '../../persistence/log/content-log.ts'
import type { DurableLog } from '../../persistence/log/durable-log.ts'
import { checkedPack, type IndexedPack, type IndexedValue, pack } from '../../tasks/values/pack.ts'
import { check } from '../protocol/wire-parts.ts'
import { workProtocol } from '../protocol/work-messages.ts'
import type { InFlightChunks, PartialsKeeper, SignedBatch, StoredPartials } from './in-flight-chunks.ts'

/** The prefix of the keys of partials, which no other key has. */
const PREFIX = 'partials/'
/** Younger partials are not stored, because a checkpoint will soon cover them, in ms. */
const YOUNG_MS = 600
/**
 * The partial of a shorter chunk is stored only when the worker stops, in ms: to store it costs some µs, and the window of the scheduler bounds how many
 * of them a checkpoint does not cover.
 */
const TINY_MS = 0.1
/** The shortest time between two writes, in ms. */
const INTERVAL_MS = 300
/** The approximate number of bytes in one write: what the journal writes may have to wait for that. */
const WRITE_BYTES = 4 * 2 ** 20
/** Writes may take at most a twentieth of the time. */
const TIMES_COST = 20
/** What the thread of the log needs for a value, in ms, and the rate at which it hashes and writes its bytes, in bytes a ms. */
const VALUE_MS = 0.1
const BYTES_A_MS = 250_000

/** Partials that an earlier process has stored. */
export interface RestoredPartials {
  job: string
  sha256: string
  batch: SignedBatch
  partials: IndexedPack
  stored: StoredPartials
}

export interface StoredJob {
  id: string
  sha256: string
  inFlight: InFlightChunks
  /** What a chunk takes, in ms. `undefined` if that is not known. */
  duration: number | undefined
}

export interface PartialsDiskInit {
  /** The jobs of the worker. */
  jobs(): Iterable<StoredJob>
  /** The most bytes of partials on disk. */
  mostBytes: number
}

export class PartialsDisk implements PartialsKeeper {
  readonly #log: Pick<DurableLog, 'write' | 'failure'>
  #init: PartialsDiskInit = { jobs: () => [], mostBytes: 0 }
  #restored: RestoredPartials[] = []
  #lastNumber = 0
  /** The bytes of all values on disk, or being written. */
  #bytes = 0
  /** The keys to delete. */
  #unused: string[] = []
  #timer: NodeJS.Timeout | undefined
  #isWriting = false
  #isClosed = false

  constructor(log: Pick<DurableLog, 'write' | 'failure'>) {
    this.#log = log
  }

  /**
   * Reads a value from the log. Returns whether it has partials: if not, another part has written it.
   *
   * @throws InvalidMessageError if the value is broken
   */
  read(key: string, { value, contents }: Stored): boolean {
    if (!key.startsWith(PREFIX)) return false
    const message = workProtocol.codec.decode(value)
    check(message.type === 'in-flight' && Number.isSafeInteger(numberIn(key)), 'no partials')
    const { job, sha256, batch, retained: indices, sizes } = message
    const partials = { indices, ...checkedPack(sizes, contents[0] ?? new Uint8Array()) }
    const stored = { key, bytes: bytesOf({ value, contents }), left: indices.length }
    this.#lastNumber = Math.max(this.#lastNumber, numberIn(key))
    this.#bytes += stored.bytes
    this.#restored.push({ job, sha256, batch, partials, stored })
    return true
  }

  /** Returns what an earlier process has stored, the oldest first, and begins to store partials. To be called once. */
  begin(init: PartialsDiskInit): RestoredPartials[] {
    this.#init = init
    return this.#restored.splice(0).sort((a, b) => numberIn(a.stored.key) - numberIn(b.stored.key))
  }

  arrived(): number {
    this.#writeIn(INTERVAL_MS)
    return performance.now()
  }

  unused({ key, bytes }: StoredPartials): void {
    this.#bytes -= bytes
    this.#unused.push(key)
    this.#writeIn(INTERVAL_MS)
  }

  /** Stores all partials, which the log writes before it is closed. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#log.write(this.#changes(() => Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY))
  }

  #writeIn(ms: number): void {
    if (!this.#isWriting && !this.#isClosed) this.#timer ??= setTimeout(() => this.#write(), ms).unref()
  }

  #write(): void {
    this.#timer = undefined
    const began = performance.now()
    const bytesBefore = this.#bytes
    const isFailing = this.#log.failure('bulk') !== undefined
    const until = (chunkMs: number): number => (chunkMs < TINY_MS ? Number.NEGATIVE_INFINITY : began - YOUNG_MS)
    const changes = this.#changes(until, isFailing ? 0 : WRITE_BYTES)
    const tookHere = performance.now() - began
    if (changes.length === 0) {
      this.#writeLater(0)
      return
    }
    const bytes = Math.max(0, this.#bytes - bytesBefore)
    this.#isWriting = true
    this.#log.write(changes, () => {
      this.#isWriting = false
      const waited = performance.now() - began - tookHere
      const tookThere = Math.min(waited, changes.length * VALUE_MS + bytes / BYTES_A_MS)
      this.#writeLater(TIMES_COST * (tookHere + tookThere))
    })
  }

  /** Writes what is left, but not within `pause` ms. */
  #writeLater(pause: number): void {
    const hasUnstored = [...this.#init.jobs()].some(({ inFlight }) => inFlight.hasUnstored)
    if (hasUnstored || this.#unused.length > 0) this.#writeIn(Math.max(pause, INTERVAL_MS))
  }

  /**
   * Returns the changes that delete unused values and store partials.
   *
   * @param until - when the partials of a job arrived at the latest, by the time that its chunks take
   * @param most - the approximate number of bytes to store
   */
  #changes(until: (chunkMs: number) => number, most: number): LogChange[] {
    const changes: LogChange[] = this.#unused.splice(0).map(key => ({ key, value: undefined }))
    let left = Math.min(most, this.#init.mostBytes - this.#bytes)
    for (const { id, sha256, inFlight, duration = TINY_MS } of this.#init.jobs()) {
      left -= inFlight.store(until(duration), left, (batch, partials) => {
        const change = { key: `${PREFIX}${++this.#lastNumber}`, ...storedAs(id, sha256, batch, partials) }
        changes.push(change)
        const stored = { key: change.key, bytes: bytesOf(change), left: partials.length }
        this.#bytes += stored.bytes
        return stored
      })
    }
    return changes
  }
}

function numberIn(key: string): number {
  return Number(key.slice(PREFIX.length))
}

function bytesOf({ value, contents }: Stored): number {
  return contents.reduce((sum, { byteLength }) => sum + byteLength, value.byteLength)
}

/** Returns partials of a batch as they are on disk: the offer of them, and their bytes beside it. */
function storedAs(job: string, sha256: string, batch: SignedBatch, partials: readonly IndexedValue[]): Stored {
  const retained = partials.map(({ index }) => index)
  const sizes = partials.map(({ bytes }) => bytes.byteLength)
  const [only] = partials
  const bytes = partials.length === 1 ? only!.bytes : pack(partials.map(({ bytes }) => bytes)).bytes
  const offer = { job, sha256, batch, retained, sizes, running: [], waiting: [] }
  return { value: workProtocol.codec.encode({ epoch: batch.epoch, type: 'in-flight', ...offer }), contents: [bytes] }
}
