import { peerIdFromString } from '@libp2p/peer-id'
import type { PeerIdString } from './types.ts'

/** Ed25519 PeerIds have 52 characters. */
export const MAX_PEER_ID_LENGTH = 64
const SIGNATURE_BYTES = 64

/** Whether `author` made the signature; the PeerId holds the key. */
export function isSignedBy(author: PeerIdString, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (author.length > MAX_PEER_ID_LENGTH || signature.length !== SIGNATURE_BYTES) return false
  try {
    const peerId = peerIdFromString(author)
    // Other spellings of the same id would be other peers to everybody who compares strings.
    if (peerId.type !== 'Ed25519' || peerId.toString() !== author) return false
    return peerId.publicKey.verify(bytes, signature) === true
  } catch {
    return false
  }
}
