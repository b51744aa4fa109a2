/** Outcomes and packs in forms that are easy to write and read in tests. */

import type { FailedChunk, Outcomes } from '../../src/tasks/executor.ts'
import { digestOf } from '../../src/tasks/values/canonical.ts'
import { type IndexedPack, NOTHING_PACKED, packIndexed, unpackIndexed } from '../../src/tasks/values/pack.ts'
import { decode, encode } from '../../src/tasks/values/payload.ts'

/** The outcome of a chunk that returned a value. */
export function returned(index: number, value: unknown): Outcomes {
  return { partials: packIndexed([{ index, bytes: encode(value, 'partial') }]), failed: [] }
}

export function failed(...chunks: FailedChunk[]): Outcomes {
  return { partials: NOTHING_PACKED, failed: chunks }
}

/** Packs chunks with these values, from index `first` on. */
export function chunksOf(values: readonly unknown[], first = 0): IndexedPack {
  return packIndexed(values.map((value, i) => ({ index: first + i, bytes: encode(value, 'chunk') })))
}

/** The values of a pack, by index. */
export function valuesOf(pack: IndexedPack): Map<number, unknown> {
  return new Map(unpackIndexed(pack).map(({ index, bytes }) => [index, decode(bytes, 'value')]))
}

/** The digests of several values, one after the other. */
export function digestsOf(values: readonly unknown[]): Uint8Array {
  return Buffer.concat(values.map(digestOf))
}
