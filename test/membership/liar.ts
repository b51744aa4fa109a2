/** A member with a modified program: the member has the cluster's key and speaks the membership protocols, but follows no rule. */
import { generateKeyPair } from '@libp2p/crypto/keys'
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import type { Limits } from '../../src/common/limits.ts'
import type { MemberMetadata } from '../../src/membership/core/member.ts'
import type { SwimMessage, SyncEntry } from '../../src/membership/core/messages.ts'
import type { AccusationKind, Envelope, MemberRecord, SelfRecord, Signed } from '../../src/membership/core/record.ts'
import { RecordSigner } from '../../src/membership/record-signer.ts'
import { encodeEnvelope, swimProtocol } from '../../src/membership/swim-codec.ts'
import type { ClusterKey } from '../../src/network/cluster-key.ts'
import { createNetwork } from '../../src/network/network.ts'
import type { Channel, Network, Protocol, Topic } from '../../src/network/types.ts'
import { RecordPayload } from '../../src/wire/membership.gen.ts'
import { until } from '../network/until.ts'
import { metadataOf } from '../simulation/membership.ts'

export interface LiarInit {
  cluster: string
  key?: ClusterKey | undefined
  /** One address of each peer to which the liar connects at its start. */
  bootstrap: string[]
  /** Handles the messages that the liar receives. By default the liar answers pings and so stays a member. */
  onMessage?: (message: SwimMessage, channel: Channel<SwimMessage>) => void
  /** The limits that the liar applies to input from other peers. */
  limits?: Limits
  /** The metadata that the liar publishes. */
  metadata?: Partial<MemberMetadata>
}

export class Liar {
  readonly network: Network
  readonly signer: RecordSigner
  readonly protocol: Protocol<SwimMessage>
  readonly #topic: Topic
  /** The revision of the last self record. Each self record has a higher revision, so peers accept it. */
  #revision = 0
  #incarnation = 0

  private constructor(network: Network, onMessage: LiarInit['onMessage']) {
    this.network = network
    this.signer = new RecordSigner(network)
    // A high limit lets the liar send messages that no peer accepts.
    this.protocol = network.register(
      { ...swimProtocol(this.signer), maxMessageBytes: 64 * 1024 * 1024 },
      {
        onMessage: (message, channel) => {
          if (onMessage !== undefined) onMessage(message, channel)
          else if (message.type === 'ping') void channel.send({ type: 'ack', seq: message.seq }).catch(() => {})
        }
      }
    )
    // Gossipsub publishes only on a subscribed topic. The liar ignores the messages that it receives on the topic.
    this.#topic = network.subscribe(
      'members',
      () => {},
      () => {}
    )
  }

  /** Starts a liar, which becomes a member in the view of the peers of `bootstrap`. */
  static async start({ cluster, key, bootstrap, onMessage, limits, metadata }: LiarInit): Promise<Liar> {
    const listen = ['/ip4/127.0.0.1/tcp/0']
    const network = await createNetwork({ cluster, key, bootstrap, listen, limits, mdns: false })
    const liar = new Liar(network, onMessage)
    await until(() => network.connected().length >= bootstrap.length)
    for (const peer of network.connected()) await liar.send(peer, liar.sync([liar.self({}, metadata)]))
    return liar
  }

  get id(): string {
    return this.network.self
  }

  /** Signs a self record of the liar. */
  self(change: Partial<SelfRecord> = {}, metadata: Partial<MemberMetadata> = {}): Signed<SelfRecord> {
    this.#revision += 1
    this.#incarnation = change.incarnation ?? this.#incarnation
    const [revision, incarnation] = [this.#revision, this.#incarnation]
    return this.signer.sign({ ...selfRecord(this.id, metadata), revision, incarnation, ...change })
  }

  accuse(target: string, kind: AccusationKind, incarnation: number): Signed {
    return this.signer.sign({ type: 'accusation', accuser: this.id, target, incarnation, kind })
  }

  sync(records: Array<Signed<SelfRecord> | SyncEntry>, reply = true): SwimMessage {
    const entries = records.map(entry => ('downFor' in entry ? entry : { record: entry, accusations: [], downFor: 0 }))
    return { type: 'sync', reply, entries, state: new Uint8Array() }
  }

  async send(to: string, message: SwimMessage): Promise<void> {
    await this.protocol.send(to, message)
  }

  gossip(envelope: Envelope): void {
    this.#topic.publish(encodeEnvelope(envelope))
  }

  /** Signs any record with `key`, even if the record names another peer as its author. */
  async forge(record: MemberRecord, key: PrivateKey = this.network.privateKey): Promise<Signed> {
    const payload = encodeUnchecked(record)
    const prefix = new TextEncoder().encode(`p2p-worker/membership-record/1\0${this.network.clusterId}\0`)
    const signature = new Uint8Array(await key.sign(Uint8Array.from([...prefix, ...payload])))
    return { record, envelope: { payload, signature } }
  }

  async stop(): Promise<void> {
    this.#topic.close()
    await this.protocol.close()
    await this.network.stop()
  }
}

/** Returns valid signed self records of members that do not exist. */
export async function inventedMembers(count: number, clusterId: string): Promise<Signed<SelfRecord>[]> {
  const invented: Signed<SelfRecord>[] = []
  for (let i = 0; i < count; i++) {
    const privateKey = await generateKeyPair('Ed25519')
    const id = peerIdFromPrivateKey(privateKey).toString()
    invented.push(new RecordSigner({ privateKey, clusterId }).sign(selfRecord(id)))
  }
  return invented
}

function selfRecord(member: string, metadata: Partial<MemberMetadata> = {}): SelfRecord {
  const said = { ...metadataOf(member), addresses: [], ...metadata }
  return { type: 'self', member, state: 'alive', incarnation: 0, revision: 0, metadata: said }
}

function encodeUnchecked(record: MemberRecord): Uint8Array<ArrayBuffer> {
  if (record.type === 'accusation') return RecordPayload.encode({ accusation: record })
  const { metadata, state, ...rest } = record
  const tags = new Map(Object.entries(metadata.tags))
  return RecordPayload.encode({ self: { ...metadata, ...rest, tags, left: state === 'left' } })
}
