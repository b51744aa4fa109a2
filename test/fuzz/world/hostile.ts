/** A hostile member that has the cluster's key. It answers the messages that it must answer to stay a member. All other messages come from the fuzzer. */
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { attachProtocol } from '../../../src/attach/view.ts'
import { createStatements, type Statements } from '../../../src/election/statements.ts'
import { overviewProtocol } from '../../../src/jobs/protocol/overview-messages.ts'
import { submitProtocol } from '../../../src/jobs/protocol/submit-messages.ts'
import { type JournalMessage, journalProtocol } from '../../../src/journal/messages.ts'
import type { SwimMessage } from '../../../src/membership/core/messages.ts'
import type { SelfRecord, Signed } from '../../../src/membership/core/record.ts'
import { RecordSigner } from '../../../src/membership/record-signer.ts'
import { swimProtocol } from '../../../src/membership/swim-codec.ts'
import { signWith } from '../../../src/network/signature.ts'
import type { Codec, PeerIdString } from '../../../src/network/types.ts'
import { metadataOf } from '../../simulation/membership.ts'
import { CLUSTER, CLUSTER_ID, type FarEnd, type FuzzChannel, type FuzzNetwork, type Reachable } from './network.ts'

/** The number of received messages that are remembered for each protocol. */
const REMEMBERED = 64

export class Hostile implements Reachable {
  readonly self: PeerIdString
  readonly privateKey: PrivateKey
  readonly clusterId = CLUSTER_ID
  readonly signer: RecordSigner
  readonly statements: Statements
  /** The latest messages that the hostile member has received, by protocol. */
  readonly heard = new Map<string, Uint8Array[]>()
  readonly #swim: Codec<SwimMessage>
  readonly #channels = new Map<string, FuzzChannel>()
  /** The peers that believe that the hostile member leads, because these peers know no other member. */
  readonly dupes = new Set<PeerIdString>()
  #revision = 0

  constructor(privateKey: PrivateKey) {
    this.privateKey = privateKey
    this.self = peerIdFromPrivateKey(privateKey).toString()
    this.signer = new RecordSigner(this)
    this.statements = createStatements(CLUSTER_ID, privateKey)
    this.#swim = swimProtocol(this.signer).codec
  }

  /** Makes a valid record of the hostile member, which is a worker that never leads. */
  record(change: Partial<SelfRecord> = {}): Signed<SelfRecord> {
    const metadata = { ...metadataOf(this.self), role: 'worker' as const, electorate: '' }
    this.#revision += 1
    const revision = this.#revision
    return this.signer.sign({
      type: 'self',
      member: this.self,
      state: 'alive',
      incarnation: 0,
      revision,
      metadata,
      ...change
    })
  }

  sign(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    return signWith(this.privateKey, bytes)
  }

  /** Makes the hostile member known to a peer as a member. */
  join(victim: FuzzNetwork): void {
    const entries = [{ record: this.record(), accusations: [], downFor: 0 }]
    this.send(victim, 'swim', this.#swim.encode({ type: 'sync', reply: false, entries, state: new Uint8Array() }))
  }

  /** Sends bytes on the channel to a peer. Opens a new channel if no channel exists or the existing channel has ended. */
  send(victim: FuzzNetwork, protocol: string, bytes: Uint8Array): void {
    const key = `${victim.self} ${protocol}`
    let channel = this.#channels.get(key)
    if (channel === undefined || channel.closed.aborted) {
      channel = victim.inbound(protocol, this.self)
      if (channel === undefined) throw new Error(`nobody here speaks "${protocol}"`)
      channel.far = this.#end(channel)
      if (!channel.closed.aborted) this.#channels.set(key, channel)
    }
    channel.receive(bytes)
  }

  accept(name: string, near: FuzzChannel): FarEnd {
    this.#channels.set(`${near.owner} ${name}`, near)
    return this.#end(near)
  }

  listensTo(): boolean {
    return true
  }

  gossip(topic: string, data: Uint8Array): void {
    this.#remember(topic, data)
  }

  #end(near: FuzzChannel): FarEnd {
    return {
      onBytes: bytes => {
        this.#remember(near.name, bytes)
        const answer = this.#answer(near, bytes)
        if (answer !== undefined) near.receive(answer)
      },
      onEnd: () => {}
    }
  }

  #remember(name: string, bytes: Uint8Array): void {
    const heard = this.heard.get(name)
    if (heard === undefined) this.heard.set(name, [bytes])
    else {
      heard.push(bytes)
      if (heard.length > REMEMBERED) heard.shift()
    }
  }

  /** Returns the answer to a message. Returns undefined unless the peer would stop sending messages without an answer. */
  #answer(near: FuzzChannel, bytes: Uint8Array): Uint8Array | undefined {
    if (near.name === 'swim') {
      const message = this.#swim.decode(bytes)
      return message.type === 'ping' ? this.#swim.encode({ type: 'ack', seq: message.seq }) : undefined
    }
    if (near.name === 'journal') return this.#answerLeader(journalProtocol.codec.decode(bytes))
    if (this.dupes.has(near.owner)) return this.#answerDupe(near.name, bytes)
    return undefined
  }

  /** Answers the leader as a journal replica would, because a job begins only after its entry is replicated. */
  #answerLeader(message: JournalMessage): Uint8Array | undefined {
    const { encode } = journalProtocol.codec
    const { epoch, type } = message
    if (type === 'read') return encode({ epoch, type: 'heads', heads: [], age: 0, isOnDisk: false })
    if (type !== 'put' && type !== 'update') return undefined
    const { job, stamp } = type === 'put' ? message.entries.at(-1)! : message.head
    return encode({ epoch, type: 'held', job, version: stamp.version, isOnDisk: false })
  }

  #answerDupe(name: string, bytes: Uint8Array): Uint8Array | undefined {
    if (name === 'attach') {
      const { type } = attachProtocol.codec.decode(bytes)
      return type === 'subscribe' || type === 'ping' ? this.view() : undefined
    }
    if (name === 'submit') {
      const { job, type } = submitProtocol.codec.decode(bytes)
      if (type !== 'submit' && type !== 'watch') return undefined
      return submitProtocol.codec.encode({ job, epoch: 1, type: 'accepted', folded: 0 })
    }
    if (name === 'overview') {
      const { id, type } = overviewProtocol.codec.decode(bytes)
      if (type !== 'request' || id % 8 !== 0) return undefined
      return overviewProtocol.codec.encode({ id, type: 'overview', overview: { jobs: [], busy: {} } })
    }
    return undefined
  }

  /** Makes a view of a cluster in which the hostile member is the only member and the leader. */
  view(): Uint8Array {
    const leader = { id: this.self, epoch: 1, rank: { priority: 0, id: this.self } }
    const member = { ...metadataOf(this.self), id: this.self, state: 'alive' as const, incarnation: 0, revision: 0 }
    const stats = { changes: 0, leaderless: 0 }
    const view = { cluster: CLUSTER, leader, members: [{ ...member, since: 0 }], now: 0, stats }
    return attachProtocol.codec.encode({ type: 'view', view })
  }
}
