/** Every peer's side of the journal: it keeps what the leader that it follows writes, and shows it to the next one. */

import { DEFAULT_LIMITS, type Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import type { Election } from '../election/types.ts'
import type { Membership } from '../membership/types.ts'
import type { Refusals } from '../network/guard/refusals.ts'
import type { Channel, Network, PeerIdString, Protocol } from '../network/types.ts'
import { merged } from './checkpoint.ts'
import type { Entry, Writer } from './core/entry.ts'
import type { JournalKeeper } from './core/keeper.ts'
import { LeaderJournal, type LeaderJournalEvents } from './leader-journal.ts'
import { type JournalMessage, type JournalReply, type JournalRequest, journalProtocol } from './messages.ts'
import { ReadBy } from './read-by.ts'
import type { JobRecord } from './record.ts'

export class JournalPeer {
  readonly #election: Election
  readonly #membership: Membership
  readonly #logger: Logger
  readonly #keeper: JournalKeeper<JobRecord>
  readonly #protocol: Protocol<JournalMessage>
  readonly #limits: Limits
  readonly #refusals: Refusals
  /** Who has been shown what is kept here. */
  readonly #readBy = new ReadBy()
  /** Who has asked what is kept here, and is to be answered once this peer follows it. */
  readonly #asked = new Map<PeerIdString, { writer: Writer; channel: Channel<JournalMessage> }>()
  #leading: LeaderJournal | undefined

  constructor(parts: {
    network: Network
    membership: Membership
    election: Election
    keeper: JournalKeeper<JobRecord>
    logger: Logger
    limits?: Limits
  }) {
    this.#limits = parts.limits ?? DEFAULT_LIMITS
    this.#refusals = parts.network.refusals
    this.#keeper = parts.keeper
    this.#election = parts.election
    this.#membership = parts.membership
    this.#logger = parts.logger
    this.#protocol = parts.network.register(journalProtocol, {
      onMessage: (message, channel) => {
        if (!isReply(message)) return this.#onRequest(message, channel)
        this.#leading?.onMessage(message, channel)
        return undefined
      },
      onClose: channel => {
        if (this.#asked.get(channel.remote)?.channel === channel) this.#asked.delete(channel.remote)
        this.#leading?.onClose(channel)
      }
    })
    this.#election.addEventListener('leader', this.#answer)
  }

  /** The journal of a leadership of this peer; it is to be started, and stopped. */
  lead(events: LeaderJournalEvents): LeaderJournal {
    const { epoch, rank } = this.#election.leader!
    this.#leading = new LeaderJournal({
      epoch,
      rank,
      voters: this.#election.voters,
      keeper: this.#keeper,
      membership: this.#membership,
      protocol: this.#protocol,
      logger: this.#logger,
      events
    })
    return this.#leading
  }

  async stop(): Promise<void> {
    this.#election.removeEventListener('leader', this.#answer)
    await this.#protocol.close()
  }

  /** What is fetched is large, so its answer is awaited: whoever asks and does not read it is asked to wait. */
  #onRequest(message: JournalMessage & JournalRequest, channel: Channel<JournalMessage>): void | Promise<void> {
    const { epoch } = message
    const from = channel.remote
    const isStranger = message.type !== 'read' && !this.#hasRead(from, epoch)
    if (isStranger) this.#refuse(from, `${message.type}, by somebody who does not lead`)
    switch (message.type) {
      case 'read':
        this.#asked.set(from, { writer: { epoch, rank: { priority: message.priority, id: from } }, channel })
        this.#answer()
        break
      case 'fetch':
        return this.#reply(channel, epoch, {
          type: 'fetched',
          job: message.job,
          // It holds code and input, which are nobody else's business.
          entry: isStranger ? undefined : this.#keeper.get(message.job)
        })
      case 'put':
        this.#keep(message.entry, channel, epoch)
        break
      case 'copy': {
        const writer = this.#keeper.reader
        if (writer?.epoch !== epoch || writer.rank.id !== from) break
        if (this.#hasRoom(message.entry, channel)) this.#keeper.copy(writer, message.entry)
        break
      }
      case 'update': {
        if (!this.#keeper.obeys(message.head.stamp)) {
          this.#reply(channel, epoch, { type: 'refused' })
          break
        }
        const held = this.#keeper.get(message.head.job)
        const checkpoint = held && merged(held.record.checkpoint, message.checkpoint)
        // What it follows on is not here: reading it again will tell.
        if (held?.submissionId !== message.head.submissionId || held.end !== undefined || checkpoint === undefined) {
          channel.abort(new Error(`an update of job ${message.head.job}, which is not kept here`))
          break
        }
        this.#keep({ ...message.head, record: { ...held.record, checkpoint } }, channel, epoch)
        break
      }
      case 'forget': {
        const writer = this.#keeper.reader
        if (writer?.epoch === epoch && writer.rank.id === from) this.#keeper.forget(writer, message.job, message.stamp)
        break
      }
    }
  }

  #keep(entry: Entry<JobRecord>, channel: Channel<JournalMessage>, epoch: number): void {
    const { job, stamp } = entry
    // Nobody writes in another's name.
    const isOwn = stamp.epoch === epoch && stamp.rank.id === channel.remote
    if (!isOwn) this.#refuse(channel.remote, `an entry of job ${job} in the name of ${stamp.rank.id}`)
    if (isOwn && this.#keeper.obeys(stamp) && !this.#hasRoom(entry, channel)) return
    const kept = isOwn && this.#keeper.write(entry)
    this.#reply(channel, epoch, kept ? { type: 'held', job, version: stamp.version } : { type: 'refused' })
  }

  /** A leader gives nothing to anybody, and asks for nothing, before it has been shown what is there. An older one may still do so. */
  #hasRead(from: PeerIdString, epoch: number): boolean {
    const { reader } = this.#keeper
    return (reader?.rank.id === from && reader.epoch === epoch) || this.#readBy.has(from, epoch)
  }

  #refuse(from: PeerIdString, what: string): void {
    this.#refusals.count('journal', from, `journal: ${what}`)
  }

  /** Where there is none, the leader learns it by the end of the channel. */
  #hasRoom(entry: Entry<JobRecord>, channel: Channel<JournalMessage>): boolean {
    if (this.#keeper.hasRoom(entry, this.#limits)) return true
    const { journalEntries, journalBytes } = this.#limits
    const what = `no room for job ${entry.job} in a journal of ${journalEntries} jobs and ${journalBytes} bytes`
    this.#refusals.count('rate', channel.remote, what)
    channel.abort(new Error(what))
    return false
  }

  /** Shows what is kept to the leader that this peer follows: to others it owes nothing, and obeying them would harm that one. */
  readonly #answer = (): void => {
    const { leader } = this.#election
    const asked = leader && this.#asked.get(leader.id)
    if (asked?.writer.epoch !== leader?.epoch || asked === undefined) return
    this.#asked.delete(asked.writer.rank.id)
    const heads = this.#keeper.read(asked.writer)
    if (heads !== undefined) this.#readBy.add(asked.writer.rank.id, asked.writer.epoch)
    this.#reply(asked.channel, asked.writer.epoch, heads === undefined ? { type: 'refused' } : { type: 'heads', heads })
  }

  #reply(channel: Channel<JournalMessage>, epoch: number, reply: JournalReply): Promise<void> {
    // A channel that is gone tells the leader by its close, and so does one on which this could not be said.
    return channel.send({ epoch, ...reply }).catch((error: unknown) => channel.abort(error as Error))
  }
}

function isReply(message: JournalMessage): message is JournalMessage & JournalReply {
  return message.type === 'heads' || message.type === 'fetched' || message.type === 'held' || message.type === 'refused'
}
