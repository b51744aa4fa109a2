/** Signs records and checks their signatures. */
import { createHash } from 'node:crypto'
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey, peerIdFromString } from '@libp2p/peer-id'
import { RefusedMessageError } from '../network/guard/refusals.ts'
import { signWith } from '../network/signature.ts'
import type { Envelope, MemberRecord, Sign, Signed } from './core/record.ts'
import { check, decodeRecord, encodeRecord } from './record-codec.ts'
import { RECORD_LIMITS } from './record-limits.ts'

/** Keeps a signature made here from meaning anything elsewhere, and in another version of the format. */
const DOMAIN = 'p2p-worker/membership-record/1'
/** Ed25519 (RFC 8032). */
export const SIGNATURE_BYTES = 64
/** Verified envelopes remembered: a table of that many records is checked once and not at every push-pull. */
const REMEMBERED = 16_384

export interface RecordSealInit {
  privateKey: PrivateKey
  /** Records of another cluster do not verify. */
  clusterId: string
}

/** Signs what this peer says, and opens what others said: an envelope is decoded and verified once. */
export class RecordSeal {
  readonly #privateKey: PrivateKey
  readonly #self: string
  readonly #prefix: Uint8Array
  readonly #opened = new Map<string, Signed>()

  constructor({ privateKey, clusterId }: RecordSealInit) {
    this.#privateKey = privateKey
    this.#self = peerIdFromPrivateKey(privateKey).toString()
    this.#prefix = new TextEncoder().encode(`${DOMAIN}\0${clusterId}\0`)
  }

  /**
   * Signs a record of this peer's.
   *
   * @throws InvalidMessageError when it says what no record may say
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
  open(envelope: Envelope): Signed {
    checkSize(envelope)
    const { payload, signature } = envelope
    const digest = createHash('sha256').update(signature).update(payload).digest('base64')
    const known = this.#opened.get(digest)
    if (known !== undefined) return known
    const record = decodeRecord(payload)
    if (!verifies(authorOf(record), this.#signedBytes(payload), signature)) {
      throw new RefusedMessageError('forged', `membership: not signed by ${authorOf(record)}`)
    }
    // A copy: what was decoded may be a view of a much larger message.
    const signed = { record, envelope: { payload: payload.slice(), signature: signature.slice() } }
    if (this.#opened.size >= REMEMBERED) this.#forgetOldest()
    this.#opened.set(digest, signed)
    return signed
  }

  #signedBytes(payload: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(this.#prefix.length + payload.length)
    bytes.set(this.#prefix)
    bytes.set(payload, this.#prefix.length)
    return bytes
  }

  #forgetOldest(): void {
    for (const digest of this.#opened.keys()) {
      this.#opened.delete(digest)
      return
    }
  }
}

function authorOf(record: MemberRecord): string {
  return record.type === 'self' ? record.member : record.accuser
}

function checkSize({ payload, signature }: Envelope): void {
  check(signature.length === SIGNATURE_BYTES, 'not an Ed25519 signature')
  check(payload.length + signature.length <= RECORD_LIMITS.envelopeBytes, 'record too large')
}

/** Whether the author, whose PeerId holds its key, signed these bytes. */
export function verifies(author: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const { publicKey } = peerIdFromString(author)
  if (publicKey?.type !== 'Ed25519') return false
  try {
    // Anything but a plain true (a promise, say) is no.
    return publicKey.verify(bytes, signature) === true
  } catch {
    return false
  }
}
