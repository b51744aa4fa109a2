import type { Network, Topic } from '../network/types.ts'
import type { Signed } from './core/record.ts'
import type { RecordSeal } from './seal.ts'
import { decodeEnvelope, encodeEnvelope } from './swim-codec.ts'

/** The gossip topic on which records spread: only what its author signed is relayed. */
export class MemberGossip {
  readonly #topic: Topic

  constructor(network: Network, seal: RecordSeal, onRecord: (record: Signed) => void) {
    const open = (data: Uint8Array): Signed => seal.open(decodeEnvelope(data))
    this.#topic = network.subscribe('members', open, data => onRecord(open(data)))
  }

  publish(record: Signed): void {
    this.#topic.publish(encodeEnvelope(record.envelope))
  }

  close(): void {
    this.#topic.close()
  }
}
