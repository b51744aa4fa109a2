import { createHash } from 'node:crypto'
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey, peerIdFromString } from '@libp2p/peer-id'
import { BoundedMap } from '../lib/bounded-map.ts'
import { RefusedMessageError } from '../network/guard/refusals.ts'
import { signWith } from '../network/signature.ts'
import { authorOf, type Envelope, type MemberRecord, type Sign, type Signed } from './core/record.ts'
import { check, decodeRecord, encodeRecord } from './record-codec.ts'
import { RECORD_LIMITS } from './record-limits.ts'

/** The prefix of the signed bytes. With the prefix, a signature of a record is not valid for other data or for another version of the format. */
const DOMAIN = 'p2p-worker/membership-record/1'
/** The size of an Ed25519 signature (RFC 8032). */
export const SIGNATURE_BYTES = 64
/** The limit of remembered envelopes. A peer verifies a remembered envelope only one time, and not again at every push-pull. */
const REMEMBERED = 16_384

export interface RecordSignerInit {
  privateKey: PrivateKey
  /** The cluster's id. The id is part of the signed bytes, so a record of another cluster does not verify. */
  clusterId: string
}

/** Signs the records of this peer, and verifies the records of other peers. */
export class RecordSigner {
  readonly #privateKey: PrivateKey
  readonly #self: string
  readonly #prefix: Uint8Array
  readonly #verified = new BoundedMap<string, Signed>(REMEMBERED)

  constructor({ privateKey, clusterId }: RecordSignerInit) {
    this.#privateKey = privateKey
    this.#self = peerIdFromPrivateKey(privateKey).toString()
    this.#prefix = new TextEncoder().encode(`${DOMAIN}\0${clusterId}\0`)
  }

  /**
   * Signs a record of this peer.
   *
   * @throws InvalidMessageError if a field is out of range
   */
  readonly sign: Sign = <R extends MemberRecord>(record: R): Signed<R> => {
    check(authorOf(record) === this.#self, 'signing in the name of another peer')
    const payload = encodeRecord(record)
    const envelope = { payload, signature: signWith(this.#privateKey, this.#signedBytes(payload)) }
    checkSize(envelope)
    return { record, envelope }
  }

  /**
   * Decodes an envelope and verifies that the record's author signed it for this cluster.
   *
   * @throws InvalidMessageError
   */
  verify(envelope: Envelope): Signed {
    checkSize(envelope)
    const { payload, signature } = envelope
    const digest = createHash('sha256').update(signature).update(payload).digest('base64')
    const known = this.#verified.get(digest)
    if (known !== undefined) return known
    const record = decodeRecord(payload)
    if (!verifies(authorOf(record), this.#signedBytes(payload), signature)) {
      throw new RefusedMessageError('forged', `membership: not signed by ${authorOf(record)}`)
    }
    // Copy the bytes, because they may be a view of a much larger message that would stay in memory.
    const signed = { record, envelope: { payload: payload.slice(), signature: signature.slice() } }
    this.#verified.set(digest, signed)
    return signed
  }

  #signedBytes(payload: Uint8Array): Uint8Array {
    return Buffer.concat([this.#prefix, payload])
  }
}

function checkSize({ payload, signature }: Envelope): void {
  check(signature.length === SIGNATURE_BYTES, 'not an Ed25519 signature')
  check(payload.length + signature.length <= RECORD_LIMITS.envelopeBytes, 'record too large')
}

/** Whether the author signed these bytes. The PeerId contains the author's key. */
export function verifies(author: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const { publicKey } = peerIdFromString(author)
  if (publicKey?.type !== 'Ed25519') return false
  try {
    // `verify` may return a promise. A promise does not prove that the signature is valid, so only `true` counts.
    return publicKey.verify(bytes, signature) === true
  } catch {
    return false
  }
}
