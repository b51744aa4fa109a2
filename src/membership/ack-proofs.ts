import { randomInt } from 'node:crypto'
import { signWith } from '../network/signature.ts'
import type { AckProofs, Asker } from './core/messages.ts'
import { type RecordSignerInit, verifies } from './record-signer.ts'

/** The prefix of the signed bytes. With the prefix, a signature of an answer is not valid for any other kind of data. */
const DOMAIN = 'p2p-worker/membership-answer/1'
/** The exclusive upper bound of a nonce: the largest range that Node's `randomInt` accepts. */
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
