/** A member that first behaves well, so that it gets chunks. Then it sends messages that only other members may send. */
import { createCodec } from '../../src/election/codec.ts'
import { createStatements, type Statements } from '../../src/election/statements.ts'
import { type BatchMessage, type WorkMessage, workProtocol } from '../../src/jobs/protocol/work-messages.ts'
import { type JournalMessage, journalProtocol } from '../../src/journal/messages.ts'
import type { ClusterKey } from '../../src/network/cluster-key.ts'
import type { Channel, Codec, PeerIdString, Protocol, Topic } from '../../src/network/types.ts'
import { packIndexed } from '../../src/tasks/values/pack.ts'
import { encode } from '../../src/tasks/values/payload.ts'
import { Liar } from '../membership/liar.ts'

const raw: Codec<Uint8Array> = { encode: bytes => bytes, decode: bytes => bytes }

export class Forger {
  readonly liar: Liar
  /** Signs with the forger's key, even if the statement claims the id of another member. */
  readonly statements: Statements
  readonly batches: BatchMessage[] = []
  readonly #election: Protocol<Uint8Array>
  readonly #journal: Protocol<JournalMessage>
  readonly #work: Protocol<WorkMessage>
  readonly #leaders: Topic
  #leader: Channel<WorkMessage> | undefined
  #epoch = 0

  private constructor(liar: Liar) {
    this.liar = liar
    const { network } = liar
    this.statements = createStatements(network.clusterId, network.privateKey)
    const ignore = { onMessage: () => {} }
    this.#election = network.register({ name: 'election', codec: raw, maxMessageBytes: 2 ** 20 }, ignore)
    this.#journal = network.register(journalProtocol, ignore)
    this.#work = network.register(workProtocol, { onMessage: (message, channel) => this.#onWork(message, channel) })
    this.#leaders = network.subscribe(
      'leader',
      () => {},
      () => {}
    )
  }

  static async start(cluster: string, key: ClusterKey, bootstrap: string[]): Promise<Forger> {
    return new Forger(await Liar.start({ cluster, key, bootstrap, metadata: { role: 'worker', slots: 1 } }))
  }

  get id(): PeerIdString {
    return this.liar.id
  }

  /** Sends an election message on a separate channel, because the receiver closes the channel when it refuses a message. */
  async elect(to: PeerIdString, message: Parameters<ReturnType<typeof createCodec>['encode']>[0]): Promise<void> {
    await this.#election.send(to, createCodec(this.statements).encode(message))
  }

  gossipLeadership(signed: Uint8Array): void {
    this.#leaders.publish(signed)
  }

  async journal(to: PeerIdString, message: JournalMessage): Promise<void> {
    await this.#journal.send(to, message)
  }

  /** Reports the outcome 1,000,000 for each of these chunks of the job. */
  async claimOutcomes(indices: readonly number[]): Promise<void> {
    const [batch] = this.batches
    const partials = packIndexed(indices.map(index => ({ index, bytes: encode(1_000_000, 'partial') })))
    const { job, submissionId } = batch!
    await this.#leader!.send({
      epoch: this.#epoch,
      type: 'outcomes',
      job,
      submissionId,
      partials,
      failed: [],
      busyMs: 1
    })
  }

  async stop(): Promise<void> {
    await Promise.all([this.#election.close(), this.#journal.close(), this.#work.close()])
    this.#leaders.close()
    await this.liar.stop()
  }

  #onWork(message: WorkMessage, channel: Channel<WorkMessage>): void {
    if (message.type === 'batch') this.batches.push(message)
    if (message.type !== 'welcome') return
    this.#leader = channel
    this.#epoch = message.epoch
    void channel.send({ epoch: message.epoch, type: 'hello', slots: 1, leaving: false }).catch(() => {})
  }
}
