/** The approximate memory that a value uses in addition to its bytes. */
const OVERHEAD_BYTES = 256

interface Entry {
  job: string
  bytes: Uint8Array
  /** The number of leaderships that have begun since the value was last used. */
  unused: number
}

/**
 * A worker's cache of the values of iterations: shards, so that they are not sent in every round, and states. All jobs
 * share one limit of bytes. The cache drops the least recently used values first, and keeps values when the leader changes.
 */
export class ValueCache {
  readonly #maxBytes: number
  // A Map iterates in insertion order, so the first entry is the least recently used value.
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The approximate number of bytes of the cached values. */
  get bytes(): number {
    return this.#bytes
  }

  get(job: string, id: string): Uint8Array | undefined {
    const key = keyOf(job, id)
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.unused = 0
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.bytes
  }

  put(job: string, id: string, bytes: Uint8Array): void {
    this.delete(job, id)
    this.#entries.set(keyOf(job, id), { job, bytes, unused: 0 })
    this.#bytes += sizeOf(bytes)
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(key)
    }
  }

  delete(job: string, id: string): void {
    this.#drop(keyOf(job, id))
  }

  /** Drops the values of a job that has ended. */
  release(job: string): void {
    for (const [key, entry] of this.#entries) if (entry.job === job) this.#drop(key)
  }

  /** Called when a leader begins. Drops values that were not used under the previous leader, because the worker may have missed the end of their job. */
  leaderBegins(): void {
    for (const [key, entry] of this.#entries) if (++entry.unused > 1) this.#drop(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= sizeOf(entry.bytes)
  }
}

function keyOf(job: string, id: string): string {
  return `${job} ${id}`
}

function sizeOf({ byteLength }: Uint8Array): number {
  return byteLength + OVERHEAD_BYTES
}
