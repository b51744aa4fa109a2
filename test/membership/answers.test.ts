import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { expect, test } from 'vitest'
import { SignedAnswers } from '../../src/membership/answers.ts'

async function identity(clusterId = 'cluster') {
  const privateKey = await generateKeyPair('Ed25519')
  return { id: peerIdFromPrivateKey(privateKey).toString(), answers: new SignedAnswers({ privateKey, clusterId }) }
}

test('an answer is the member’s own, to one asker, for one question, in one cluster', async () => {
  const [alice, bob, elsewhere] = await Promise.all([identity(), identity(), identity('another')])
  const asker = { origin: bob.id, nonce: 7 }
  const proof = alice.answers.sign(asker)
  expect(bob.answers.verify(alice.id, asker, proof)).toBe(true)
  expect(bob.answers.verify(bob.id, asker, proof)).toBe(false)
  expect(bob.answers.verify(alice.id, { ...asker, nonce: 8 }, proof)).toBe(false)
  expect(bob.answers.verify(alice.id, { ...asker, origin: alice.id }, proof)).toBe(false)
  expect(elsewhere.answers.verify(alice.id, asker, proof)).toBe(false)
  expect(bob.answers.verify(alice.id, asker, new Uint8Array(64))).toBe(false)
})

test('no two questions are alike', async () => {
  const { answers } = await identity()
  const nonces = Array.from({ length: 1_000 }, () => answers.nonce())
  expect(new Set(nonces).size).toBe(1_000)
  for (const nonce of nonces) expect(Number.isSafeInteger(nonce)).toBe(true)
})
