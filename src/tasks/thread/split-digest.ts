import { createHash, type Hash } from 'node:crypto'
import { DIGEST_BYTES, writeDigest } from '../values/canonical.ts'

const FIRST_DIGESTS = 64

/**
 * The rolling digest of a split: the SHA-256 of the digests of the first n chunks. The rolling digest is available for all chunks so far, and
 * for each smaller number of chunks whose digests have not been forgotten.
 */
export class SplitDigest {
  readonly #newest = createHash('sha256')
  readonly #behind = createHash('sha256')
  /** The digests of the chunks after the first `#forgotten`. */
  #digests = new Uint8Array(FIRST_DIGESTS * DIGEST_BYTES)
  #kept = 0
  #forgotten = 0
  /** The number of digests in `#digests` that `#newest` already includes. */
  #taken = 0

  /** Adds a chunk. */
  add(chunk: unknown): void {
    const at = this.#kept * DIGEST_BYTES
    if (at === this.#digests.byteLength) {
      const more = new Uint8Array(2 * at)
      more.set(this.#digests)
      this.#digests = more
    }
    writeDigest(chunk, this.#digests, at)
    this.#kept += 1
  }

  get count(): number {
    return this.#forgotten + this.#kept
  }

  /** The digests of the last `count` chunks, one after the other. */
  last(count: number): Uint8Array<ArrayBuffer> {
    return this.#range(this.#kept - count, this.#kept).slice()
  }

  newest(): Uint8Array {
    this.#newest.update(this.#range(this.#taken, this.#kept))
    this.#taken = this.#kept
    return digestSoFar(this.#newest)
  }

  /** Returns the rolling digest after `count` chunks, and forgets the digests of these chunks. */
  at(count: number): Uint8Array {
    if (count < this.#forgotten || count > this.count) {
      throw new RangeError(`the digest of ${count} chunks, where ${this.#forgotten} to ${this.count} can be told`)
    }
    this.forget(count)
    return digestSoFar(this.#behind)
  }

  /** Forgets the digests of the first `count` chunks. */
  forget(count: number): void {
    const forgotten = Math.min(this.#kept, count - this.#forgotten)
    if (forgotten <= 0) return
    if (this.#taken < forgotten) this.newest()
    this.#behind.update(this.#range(0, forgotten))
    this.#digests.copyWithin(0, forgotten * DIGEST_BYTES, this.#kept * DIGEST_BYTES)
    this.#kept -= forgotten
    this.#taken -= forgotten
    this.#forgotten += forgotten
  }

  #range(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#digests.subarray(from * DIGEST_BYTES, to * DIGEST_BYTES)
  }
}

function digestSoFar(hash: Hash): Uint8Array {
  return new Uint8Array(hash.copy().digest())
}
