/** What a value takes beside its bytes, about. */
const OVERHEAD_BYTES = 256

interface Entry {
  job: string
  bytes: Uint8Array
  /** How many leaders have begun since it was used. */
  unused: number
}

/**
 * What a worker keeps of iterations: shards, so that they travel once and not in every round, and states. All jobs together have so many
 * bytes; what was not used for longest goes first. It outlives leaderships.
 */
export class ValueCache {
  readonly #maxBytes: number
  // A Map iterates in insertion order: the first entry is the one that was not used for longest.
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes kept now, about. */
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

  /** The job is over. */
  release(job: string): void {
    for (const [key, entry] of this.#entries) if (entry.job === job) this.#drop(key)
  }

  /** Another leader begins. What was of no use under the last one may be of a job whose end nobody will tell. */
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
