import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'

const COUNT = 16

/** Ids of real peers in ascending order, because the protocols check the ids in messages. */
export const PEER_IDS: readonly string[] = (
  await Promise.all(
    Array.from({ length: COUNT }, (_, i) => generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(i)))
  )
)
  .map(key => peerIdFromPrivateKey(key).toString())
  .sort()
