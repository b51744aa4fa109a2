import { hash, webcrypto } from 'node:crypto'

/** Values up to this many bytes are hashed in this thread. This takes a few ms. */
const HASHED_AT_ONCE = 4 * 2 ** 20

/** Calls `done` with the SHA-256 of each value in hex: at once for few bytes, otherwise after another thread has computed them. */
export function whenHashed(values: readonly { bytes: Uint8Array }[], done: (hashes: readonly string[]) => void): void {
  const size = values.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  if (size <= HASHED_AT_ONCE) {
    done(values.map(({ bytes }) => hash('sha256', bytes)))
    return
  }
  const digests = values.map(({ bytes }) => webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  void Promise.all(digests).then(all => done(all.map(digest => Buffer.from(digest).toString('hex'))))
}
