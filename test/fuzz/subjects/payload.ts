/** Encoded values, as members send them. The target decodes each value as the threads do, and computes its digest. */
import { getHeapStatistics } from 'node:v8'
import { unpackNumbers } from '../../../src/jobs/protocol/varints.ts'
import { digestOf } from '../../../src/tasks/values/canonical.ts'
import { checkedPack, unpack } from '../../../src/tasks/values/pack.ts'
import { decode, encode } from '../../../src/tasks/values/payload.ts'
import { encodeShardRound, roundChunkOf, shardRoundOf, withValues } from '../../../src/tasks/values/shard-round.ts'
import fc from '../../properties.ts'
import { Find } from '../find.ts'
import { mutateBytes } from '../mutate-bytes.ts'
import { mutate, varint } from '../mutate-fields.ts'
import type { Random } from '../random.ts'
import { refusing, type Simple } from '../simple-target.ts'

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withBoxedValues: true
})
const LENGTHS = [0n, 1n, 127n, 65_536n, 2n ** 20n, 2n ** 25n, 2n ** 25n + 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 35n]
/** The tags of V8's serialization format that are followed by a length. */
const LONG = [...'aA"cSBZ\\~Iz'].map(text => text.charCodeAt(0))

/** Inserts a tag with a length somewhere into the bytes. */
function withLength(bytes: Uint8Array, random: Random): Uint8Array {
  const at = Math.min(bytes.length, 2 + random.below(bytes.length + 1))
  const length = varint(random.pick(LENGTHS))
  const end = random.chance(0.5) ? [0x40, 0, ...length] : []
  return Buffer.concat([bytes.subarray(0, at), Uint8Array.of(random.pick(LONG), ...length, ...end), bytes.subarray(at)])
}

/** The most bytes that a decoded value may take in addition to the normal growth of the heap for each byte of the frame. */
const MOST_MADE = 20_000_000
const MADE_A_BYTE = 200

function takeApart(lengths: number[], bytes: Uint8Array): void {
  const parts = unpack(checkedPack(lengths, bytes))
  if (parts.some((part, i) => part.length !== lengths[i]))
    throw new Find('values are not as long as they are said to be')
}

export const payload: Simple = {
  name: 'payload',
  pool: random =>
    fc.sample(anything, { seed: random.below(2 ** 31), numRuns: 300 }).flatMap((value, i) => {
      const bytes = Uint8Array.from(encode([value], 'value'))
      const hash = 'ab'.repeat(32)
      if (i % 10 === 0) return [bytes, encodeShardRound({ round: i, shard: i, state: hash, data: hash })]
      if (i % 10 === 1) return [bytes, withValues({ round: i, shard: i }, bytes, bytes)]
      return [bytes, Uint8Array.from(encode(value, 'value'))]
    }),
  change: (frame, random, pool) => {
    const how = random.next()
    return how < 0.5 ? mutateBytes(frame, random) : how < 0.75 ? withLength(frame, random) : mutate(frame, random, pool)
  },
  feed: frame =>
    refusing(() => {
      refusing(() => shardRoundOf(frame))
      refusing(() => roundChunkOf(frame))
      refusing(() => takeApart(unpackNumbers(frame.subarray(0, 8), 100), frame.subarray(8)))
      refusing(() => takeApart(unpackNumbers(frame.subarray(8), 100), frame.subarray(0, 8)))
      const before = getHeapStatistics().used_heap_size
      const value = decode(frame, 'value')
      const made = getHeapStatistics().used_heap_size - before
      if (made > MOST_MADE + MADE_A_BYTE * frame.length) throw new Find(`${frame.length} bytes made ${made}`)
      digestOf(value)
    })
}
