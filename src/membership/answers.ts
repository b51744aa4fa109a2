import { randomInt } from 'node:crypto'
import { signWith } from '../network/signature.ts'
import type { PeerIdString } from '../network/types.ts'
import type { Answers, Asker } from './core/messages.ts'
import { type RecordSealInit, verifies } from './seal.ts'

/** Keeps a signature made here from meaning anything elsewhere. */
const DOMAIN = 'p2p-worker/membership-answer/1'
/** The largest that Node draws at random, below 2^48. */
const NONCES = 2 ** 48 - 1

/** Answers to relayed pings, signed by whoever is pinged. */
export class SignedAnswers implements Answers {
  readonly #init: RecordSealInit

  constructor({ privateKey, clusterId }: RecordSealInit) {
    this.#init = { privateKey, clusterId }
  }

  nonce(): number {
    return randomInt(NONCES)
  }

  sign(asker: Asker): Uint8Array {
    return signWith(this.#init.privateKey, this.#bytes(asker))
  }

  verify(member: PeerIdString, asker: Asker, proof: Uint8Array): boolean {
    return verifies(member, this.#bytes(asker), proof)
  }

  #bytes({ origin, nonce }: Asker): Uint8Array {
    return new TextEncoder().encode(`${DOMAIN}\0${this.#init.clusterId}\0${origin}\0${nonce}`)
  }
}
