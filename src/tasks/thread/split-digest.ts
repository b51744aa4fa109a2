import { createHash, type Hash } from 'node:crypto'
import { DIGEST_BYTES, digestOf } from '../canonical.ts'

/**
 * The rolling digest of a split: after n chunks it is the SHA-256 of the digests of the first n, one after the other. It can
 * be asked for as it is after the newest chunk, and as it was after an earlier one that is not forgotten yet.
 */
export class SplitDigest {
  readonly #newest = createHash('sha256')
  readonly #behind = createHash('sha256')
  /** The digests between `#behind` and `#newest`. */
  #digests: Uint8Array[] = []
  #forgotten = 0

  /** Adds a chunk, and returns its own digest. */
  add(chunk: unknown): Uint8Array {
    const digest = digestOf(chunk)
    this.#newest.update(digest)
    this.#digests.push(digest)
    return digest
  }

  get count(): number {
    return this.#forgotten + this.#digests.length
  }

  newest(): Uint8Array {
    return digestSoFar(this.#newest)
  }

  /** The digest after `count` chunks; those before them are forgotten. */
  at(count: number): Uint8Array {
    if (count < this.#forgotten || count > this.count) {
      throw new RangeError(`the digest of ${count} chunks, where ${this.#forgotten} to ${this.count} can be told`)
    }
    this.forget(count)
    return digestSoFar(this.#behind)
  }

  /** The digests after fewer than `count` chunks will not be asked for. */
  forget(count: number): void {
    const digests = this.#digests.splice(0, Math.max(0, count - this.#forgotten))
    for (const digest of digests) this.#behind.update(digest)
    this.#forgotten += digests.length
  }
}

function digestSoFar(hash: Hash): Uint8Array {
  return new Uint8Array(hash.copy().digest())
}

/** Digests of several chunks, one after the other. */
export function joinDigests(digests: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(digests.length * DIGEST_BYTES)
  for (const [i, digest] of digests.entries()) joined.set(digest, i * DIGEST_BYTES)
  return joined
}
