/** The approximate memory of a value besides its bytes. */
const OVERHEAD_BYTES = 256

interface Entry {
  job: string
  bytes: Uint8Array
  /** Number of leaders that have begun since the value was last used. */
  unused: number
}

/**
 * A worker's cache of the values of iterations: shards, so that they are not sent in every round, and states. All jobs
 * share one limit of bytes; the least recently used values go first. The cache outlives leaderships.
 */
export class ValueCache {
  readonly #maxBytes: number
  // A Map iterates in insertion order: the first entry is the least recently used.
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes of the cached values, approximately. */
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

  /** Another leader begins. Drops values that were not used under the last one: their job may have ended unnoticed. */
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
