import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ConnectionProtector } from '@libp2p/interface'
import { preSharedKey } from '@libp2p/pnet'

const SALT_BYTES = 16
const MAC_BYTES = 16
/** The hint that a dialling side sends first: it tells which key it uses to a side that has that key. */
export const HINT_BYTES = SALT_BYTES + MAC_BYTES
/** A constant of the key, which each side sends under the key. */
export const CHECK_BYTES = 16

/** One key of the cluster, as the handshake needs it. */
export interface HandshakeKey {
  /** Tells keys apart, and reveals nothing. */
  readonly id: string
  readonly check: Uint8Array
  readonly protector: ConnectionProtector
  readonly hintKey: Uint8Array
}

/**
 * The keys that a peer accepts; it dials with the first of them. libp2p's protector has one key, so the dialling side says which key it uses: by a MAC of
 * random bytes, which tells nothing to others, not even that two connections have the same key.
 */
export class KeyRing {
  #keys: readonly HandshakeKey[] = []

  /** @param psks - one swarm key file or more */
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

  /** Whether the key of that id is one of these. */
  has(id: string): boolean {
    return this.#keys.some(key => key.id === id)
  }

  /** The key that a hint names, if it is one of these. */
  find(hint: Uint8Array): HandshakeKey | undefined {
    const [salt, mac] = [hint.subarray(0, SALT_BYTES), hint.subarray(SALT_BYTES)]
    return this.#keys.find(key => timingSafeEqual(macOf(key, salt), mac))
  }
}

/** @returns HINT_BYTES bytes, others each time */
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
