import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ConnectionProtector } from '@libp2p/interface'
import { preSharedKey } from '@libp2p/pnet'

const SALT_BYTES = 16
const MAC_BYTES = 16
/** The size of the hint that a dialling side sends first. A side that has the same key can recognize the key by the hint. */
export const HINT_BYTES = SALT_BYTES + MAC_BYTES
/** The size of the check. The check is a constant derived from the key, and each side sends it encrypted with the key. */
export const CHECK_BYTES = 16

/** One key of the cluster, prepared for the handshake. */
export interface HandshakeKey {
  /** An id that distinguishes keys and reveals nothing about the key. */
  readonly id: string
  readonly check: Uint8Array
  readonly protector: ConnectionProtector
  readonly hintKey: Uint8Array
}

/**
 * The keys that a peer accepts. The peer dials with the first key. libp2p's protector has one key, so the dialling side names its key by a MAC of random bytes.
 * The MAC reveals nothing to other parties, not even that two connections use the same key.
 */
export class KeyRing {
  #keys: readonly HandshakeKey[] = []

  /** @param psks - one or more swarm key files */
  constructor(psks: readonly Uint8Array[]) {
    this.set(psks)
  }

  /** Replaces the keys. */
  set(psks: readonly Uint8Array[]): void {
    this.#keys = psks.map(handshakeKey)
  }

  get first(): HandshakeKey {
    return this.#keys[0] as HandshakeKey
  }

  /** Whether the ring has the key with this id. */
  has(id: string): boolean {
    return this.#keys.some(key => key.id === id)
  }

  /** Returns the key that a hint names, or undefined if the ring does not have that key. */
  find(hint: Uint8Array): HandshakeKey | undefined {
    const [salt, mac] = [hint.subarray(0, SALT_BYTES), hint.subarray(SALT_BYTES)]
    return this.#keys.find(key => timingSafeEqual(macOf(key, salt), mac))
  }
}

/** @returns a hint for the key, of HINT_BYTES bytes. Each call returns different bytes */
export function hintOf(key: HandshakeKey): Uint8Array {
  const salt = randomBytes(SALT_BYTES)
  return Buffer.concat([salt, macOf(key, salt)])
}

function macOf({ hintKey }: HandshakeKey, salt: Uint8Array): Uint8Array {
  return createHmac('sha256', hintKey).update(salt).digest().subarray(0, MAC_BYTES)
}

function handshakeKey(psk: Uint8Array): HandshakeKey {
  const derive = (purpose: string, length: number) => new Uint8Array(hkdfSync('sha256', psk, '', purpose, length))
  return {
    id: Buffer.from(derive('p2p-worker key id', 16)).toString('hex'),
    check: derive('p2p-worker key check', CHECK_BYTES),
    hintKey: derive('p2p-worker key hint', 32),
    protector: preSharedKey({ psk })()
  }
}
