import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Ed25519PublicKey, PrivateKey } from '@libp2p/interface'
import { peerIdFromString } from '@libp2p/peer-id'
import type { PeerIdString } from './types.ts'

/** Ed25519 PeerIds have 52 characters. */
export const MAX_PEER_ID_LENGTH = 64
const SIGNATURE_BYTES = 64

/** Node's key objects. They are cached, because creating a key object takes five times as long as signing. */
const keys = new WeakMap<PrivateKey, KeyObject>()

/**
 * Signs with this peer's key.
 *
 * @throws TypeError for a key that is not Ed25519: a PeerId cannot contain such a key, and it may sign asynchronously
 */
export function signWith(privateKey: PrivateKey, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let key = keys.get(privateKey)
  if (key === undefined) {
    key = toKeyObject(privateKey)
    keys.set(privateKey, key)
  }
  return Uint8Array.from(sign(null, bytes, key))
}

function toKeyObject({ type, raw, publicKey }: PrivateKey): KeyObject {
  if (type !== 'Ed25519') throw new TypeError(`this peer's identity is a key of type ${type}: use an Ed25519 key`)
  const text = (part: Uint8Array): string => Buffer.from(part).toString('base64url')
  // The second half of `raw` is the public key.
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: text(raw.subarray(0, 32)), x: text(publicKey.raw) }
  return createPrivateKey({ key: jwk, format: 'jwk' })
}

/** Whether a text is a PeerId in its canonical text form. Only that form is allowed, because PeerIds are compared as strings. */
export function isPeerId(text: string): boolean {
  return publicKeyOf(text) !== undefined
}

function publicKeyOf(text: string): Ed25519PublicKey | undefined {
  if (text.length > MAX_PEER_ID_LENGTH) return undefined
  try {
    const peerId = peerIdFromString(text)
    return peerId.type === 'Ed25519' && peerId.toString() === text ? peerId.publicKey : undefined
  } catch {
    return undefined
  }
}

/** Whether `author` made the signature. The PeerId contains the public key. */
export function isSignedBy(author: PeerIdString, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false
  try {
    return publicKeyOf(author)?.verify(bytes, signature) === true
  } catch {
    return false
  }
}
