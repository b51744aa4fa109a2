import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { expect, test } from 'vitest'
import { comparePeerIds, compareRanks, type Rank } from '../../../src/election/core/rank.ts'
import fc from '../../properties.ts'

test.each(['Ed25519', 'secp256k1'] as const)(
  'comparePeerIds orders %s PeerIds by their multihash bytes',
  async type => {
    const keys = await Promise.all(Array.from({ length: 100 }, () => generateKeyPair(type)))
    const peers = keys.map(key => peerIdFromPrivateKey(key))
    for (const a of peers) {
      for (const b of peers) {
        const bytes = Buffer.compare(a.toMultihash().bytes, b.toMultihash().bytes)
        expect(comparePeerIds(a.toString(), b.toString())).toBe(bytes)
      }
    }
  }
)

const ranks: fc.Arbitrary<Rank> = fc.record({
  priority: fc.integer({ min: -3, max: 3 }),
  id: fc.string({ maxLength: 2 })
})

test('ranks have a total order, by priority first and by PeerId second', () => {
  fc.assert(
    fc.property(ranks, ranks, ranks, (a, b, c) => {
      expect(Math.sign(compareRanks(a, b))).toBe(-Math.sign(compareRanks(b, a)) + 0)
      if (compareRanks(a, b) <= 0 && compareRanks(b, c) <= 0) expect(compareRanks(a, c)).toBeLessThanOrEqual(0)
      expect(compareRanks(a, b) === 0).toBe(a.priority === b.priority && a.id === b.id)
      if (a.priority > b.priority) expect(compareRanks(a, b)).toBeGreaterThan(0)
    })
  )
})
