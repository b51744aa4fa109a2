import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey, peerIdFromString } from '@libp2p/peer-id'
import { expect, test, vi } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import type { Head } from '../../src/journal/core/entry.ts'
import { journalProtocol } from '../../src/journal/messages.ts'
import { JournalMessage as Wire } from '../../src/wire/jobs.gen.ts'
import { IDS } from '../jobs/fake-cluster.ts'

vi.mock(import('@libp2p/peer-id'), async original => {
  const real = await original()
  return { ...real, peerIdFromString: vi.fn(real.peerIdFromString) }
})

const { codec } = journalProtocol
const inTurns = (bytes: Uint8Array) => codec.decodeInTurns?.(bytes)

function heads(count: number, leaders: readonly string[] = IDS): Head[] {
  return Array.from({ length: count }, (_, i) => ({
    job: `night-${i}`,
    stamp: { epoch: 3, rank: { priority: i % 2, id: leaders[i % leaders.length]! }, version: i },
    submissionId: `b${i}`,
    end: i % 3 === 0 ? undefined : 'completed',
    hasOutcome: i % 3 === 1,
    next: i % 5,
    durable: i % 4
  }))
}

/** Resolves with the result of the decoding, and with the number of turns of the event loop during the decoding. */
async function turnsOf<T>(decoding: Promise<T> | undefined): Promise<{ decoded: T | undefined; turns: number }> {
  let turns = 0
  let immediate = setImmediate(function count() {
    turns += 1
    immediate = setImmediate(count)
  })
  const decoded = await decoding?.finally(() => clearImmediate(immediate))
  return { decoded, turns }
}

test('a large list of heads is decoded in turns of the event loop, with the same result', async () => {
  const bytes = codec.encode({ epoch: 7, type: 'heads', heads: heads(5_000), age: 3_600_000, isOnDisk: true })
  const { decoded, turns } = await turnsOf(inTurns(bytes))
  expect(decoded).toEqual(codec.decode(bytes))
  // One turn decodes about 256 heads.
  expect(turns).toBeGreaterThan(15)
})

test('a large list of heads is decoded in turns of the event loop, even if the epoch is 0 and therefore not encoded', async () => {
  const bytes = codec.encode({ epoch: 0, type: 'heads', heads: heads(1_000), age: 0, isOnDisk: false })
  expect(await inTurns(bytes)).toEqual(codec.decode(bytes))
})

test('a small message, or a large message without heads, is decoded in one turn of the event loop', () => {
  const payload = new Uint8Array(100_000)
  const says = [
    Wire.encode({ epoch: 1, heads: { heads: [], age: 0, onDisk: false } }),
    Wire.encode({ epoch: 1, update: { checkpoint: { next: 0, digest: payload, perPeer: [], partials: [] } } }),
    Wire.encode({ put: { entries: [{ sha256: payload } as never] } })
  ]
  for (const bytes of says) expect(inTurns(bytes)).toBeUndefined()
})

test('a large list of heads is refused if it contains an invalid leader, too many heads, or a message of another kind', async () => {
  const of = (count: number, more: Partial<Wire> = {}) =>
    Uint8Array.from([
      ...Wire.encode({
        epoch: 1,
        heads: {
          heads: heads(count).map(head => ({
            ...head,
            stamp: wireStamp(head),
            end: head.end ?? '',
            isSuspended: false
          })),
          age: 0,
          onDisk: true
        }
      }),
      ...Wire.encode(more)
    ])
  const bad = heads(2_000, [...IDS, 'me'])
  await expect(inTurns(codec.encode({ epoch: 1, type: 'heads', heads: bad, age: 0, isOnDisk: true }))).rejects.toThrow(
    InvalidMessageError
  )
  expect(() => inTurns(of(2_000, { refused: {} }))).toThrow(InvalidMessageError)
  const second = Uint8Array.from([...Wire.encode({ refused: {} }), ...of(2_000)])
  expect(() => inTurns(second)).toThrow(InvalidMessageError)
  expect(() => inTurns(second.subarray(0, 40_000))).toThrow(InvalidMessageError)
  const many = heads(100_001, IDS.slice(0, 1)).map(head => ({ ...head, job: 'a', submissionId: 'b' }))
  await expect(inTurns(codec.encode({ epoch: 1, type: 'heads', heads: many, age: 0, isOnDisk: true }))).rejects.toThrow(
    /more heads/
  )
})

test('the codec checks the PeerId of each leader only once', async () => {
  const leaders = await Promise.all(
    Array.from({ length: 50 }, async () => peerIdFromPrivateKey(await generateKeyPair('Ed25519')).toString())
  )
  const all = heads(2_000, leaders)
  const bytes = codec.encode({ epoch: 1, type: 'heads', heads: all, age: 0, isOnDisk: true })
  for (const decode of [() => codec.decode(bytes), () => inTurns(bytes)]) {
    vi.mocked(peerIdFromString).mockClear()
    expect(await decode()).toMatchObject({ heads: all })
    expect(peerIdFromString).toHaveBeenCalledTimes(50)
  }
})

function wireStamp({ stamp: { epoch, rank, version } }: Head) {
  return { epoch, leader: rank.id, priority: rank.priority, version }
}
