import { randomInt } from 'node:crypto'
import { signWith } from '../network/signature.ts'
import type { AckProofs, Asker } from './core/messages.ts'
import { type RecordSignerInit, verifies } from './record-signer.ts'

/** The prefix of signed bytes: a signature made here is invalid anywhere else. */
const DOMAIN = 'p2p-worker/membership-answer/1'
/** The largest range that Node draws from, below 2^48. */
const NONCES = 2 ** 48 - 1

/** Creates and verifies proofs that a member has answered a relayed ping: the member signs the ping's origin and nonce. */
export function createAckProofs({ privateKey, clusterId }: RecordSignerInit): AckProofs {
  const bytesOf = ({ origin, nonce }: Asker): Uint8Array =>
    new TextEncoder().encode(`${DOMAIN}\0${clusterId}\0${origin}\0${nonce}`)
  return {
    nonce: () => randomInt(NONCES),
    sign: asker => signWith(privateKey, bytesOf(asker)),
    verify: (member, asker, proof) => verifies(member, bytesOf(asker), proof)
  }
}
