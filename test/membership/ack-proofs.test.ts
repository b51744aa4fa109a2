import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { expect, test } from 'vitest'
import { createAckProofs } from '../../src/membership/ack-proofs.ts'

async function identity(clusterId = 'cluster') {
  const privateKey = await generateKeyPair('Ed25519')
  return { id: peerIdFromPrivateKey(privateKey).toString(), proofs: createAckProofs({ privateKey, clusterId }) }
}

test('a proof of an ack is valid only for its own member, asker, nonce and cluster', async () => {
  const [alice, bob, elsewhere] = await Promise.all([identity(), identity(), identity('another')])
  const asker = { origin: bob.id, nonce: 7 }
  const proof = alice.proofs.sign(asker)
  expect(bob.proofs.verify(alice.id, asker, proof)).toBe(true)
  expect(bob.proofs.verify(bob.id, asker, proof)).toBe(false)
  expect(bob.proofs.verify(alice.id, { ...asker, nonce: 8 }, proof)).toBe(false)
  expect(bob.proofs.verify(alice.id, { ...asker, origin: alice.id }, proof)).toBe(false)
  expect(elsewhere.proofs.verify(alice.id, asker, proof)).toBe(false)
  expect(bob.proofs.verify(alice.id, asker, new Uint8Array(64))).toBe(false)
})

test('two nonces are never equal', async () => {
  const { proofs } = await identity()
  const nonces = Array.from({ length: 1_000 }, () => proofs.nonce())
  expect(new Set(nonces).size).toBe(1_000)
  for (const nonce of nonces) expect(Number.isSafeInteger(nonce)).toBe(true)
})
