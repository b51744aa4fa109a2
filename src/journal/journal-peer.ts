/** Every peer's side of the journal: stores the entries of its leader, and sends these entries to the next leader. */
import { DEFAULT_LIMITS, type Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import type { Election } from '../election/types.ts'
import { filled } from '../lib/pending-bytes.ts'
import type { Membership } from '../membership/types.ts'
import type { Channel, Network, PeerIdString, Protocol } from '../network/types.ts'
import { merged } from './checkpoint.ts'
import { compareWriters, type Entry, type Writer } from './core/entry.ts'
import type { HolderList } from './core/holder-list.ts'
import type { JournalReplica } from './core/replica.ts'
import { LeaderJournal } from './leader-journal.ts'
import type { LeaderJournalEvents } from './leader-journal-events.ts'
import type { LockKeeper } from './lock-keeper.ts'
import { type JournalMessage, type JournalReply, type JournalRequest, journalProtocol } from './messages.ts'
import { contentsOf, isJob, type JournalRecord } from './record.ts'
import type { WhenSynced } from './sync-copies.ts'

/** The most leaderships that this peer remembers as readers of its replica. Only a leadership that has read the replica may write to it. */
const MOST_READERS = 256

/** The types of the messages from a replica to the leader. */
const REPLIES: ReadonlySet<JournalMessage['type']> = new Set(['heads', 'fetched', 'held', 'noted', 'refused'])

type JournalChannel = Channel<JournalMessage>

export interface JournalPeerInit {
  network: Network
  membership: Membership
  election: Election
  replica: JournalReplica<JournalRecord>
  /** Tells when the replica is on disk. Default: this peer has no disk. */
  whenSynced?: WhenSynced | undefined
  /** How long a new leader waits after a full stop for another holder, in ms. Default: as JournalInit. */
  recoverWait?: number | undefined
  logger: Logger
  limits?: Limits
  /** Grants locks while this peer leads. Default: this peer grants none. */
  locks?: LockKeeper | undefined
}

export class JournalPeer {
  readonly #init: JournalPeerInit
  readonly #protocol: Protocol<JournalMessage>
  /** The leaderships that have read the replica, oldest first. */
  readonly #readers = new Set<string>()
  /** The reads that this peer answers as soon as it follows their sender. */
  readonly #reads = new Map<PeerIdString, { writer: Writer; channel: JournalChannel }>()
  #leading: LeaderJournal | undefined
  readonly #startedAt = performance.now()

  constructor(init: JournalPeerInit) {
    this.#init = init
    this.#protocol = init.network.register(journalProtocol, {
      onMessage: (message, channel) => {
        if (!isReply(message)) return this.#onRequest(message, channel)
        this.#leading?.onMessage(message, channel)
        return undefined
      },
      onClose: channel => {
        if (this.#reads.get(channel.remote)?.channel === channel) this.#reads.delete(channel.remote)
        this.#leading?.onClose(channel)
      }
    })
    init.election.addEventListener('leader', this.#answerRead)
  }

  /** Creates the journal of a leadership of this peer. The caller starts and stops the journal. */
  lead(events: LeaderJournalEvents): LeaderJournal {
    const { election, replica, membership, recoverWait, logger, locks } = this.#init
    const { epoch, rank } = election.leader!
    const { voters, order, holders } = election
    const protocol = this.#protocol
    this.#leading = new LeaderJournal({
      epoch,
      rank,
      voters,
      order,
      holders,
      replica,
      recoverWait,
      whenSynced: this.#whenSynced,
      membership,
      protocol,
      logger,
      events,
      locks,
      startedAt: this.#startedAt
    })
    return this.#leading
  }

  async stop(): Promise<void> {
    this.#init.election.removeEventListener('leader', this.#answerRead)
    await this.#protocol.close()
  }

  /** Handles a request. Resolves when a large answer is sent, so that a peer that does not read its answers cannot send many requests. */
  #onRequest(message: JournalMessage & JournalRequest, channel: JournalChannel): void | Promise<void> {
    const { replica } = this.#init
    const { epoch } = message
    const from = channel.remote
    const isStranger = message.type !== 'read' && !this.#hasRead(from, epoch)
    if (isStranger) this.#refuse(from, `${message.type}, by a peer that does not lead`)
    const writer = replica.reader?.epoch === epoch && replica.reader.rank.id === from ? replica.reader : undefined
    switch (message.type) {
      case 'read':
        this.#reads.set(from, { writer: { epoch, rank: { priority: message.priority, id: from } }, channel })
        this.#answerRead()
        break
      case 'fetch': {
        // An entry contains code and input, which only a leader may read.
        const entry = isStranger ? undefined : replica.get(message.job)
        const reply = (entry: Entry<JournalRecord> | undefined): Promise<void> =>
          this.#reply(channel, epoch, { type: 'fetched', job: message.job, entry })
        const filling = entry && filled(...contentsOf(entry.record).submission)
        if (filling === undefined) return reply(entry)
        return filling.then(
          () => reply(entry),
          // The leader must not take this peer for one that has nothing: it reads again.
          (error: Error) => channel.abort(error)
        )
      }
      case 'put':
        this.#put(message.entries, channel, epoch)
        break
      case 'copy':
        if (writer !== undefined && this.#hasRoom(message.entry, channel)) replica.copy(writer, message.entry)
        break
      case 'update':
        this.#onUpdate(message, channel)
        break
      case 'holders':
        this.#note(message.list, writer, channel)
        break
      case 'whole':
        if (writer !== undefined) replica.markWhole(writer)
        break
      case 'forget':
        if (writer !== undefined) replica.forget(writer, message.job, message.stamp)
        break
    }
  }

  #note(list: HolderList, writer: Writer | undefined, channel: JournalChannel): void {
    const { replica } = this.#init
    if (writer === undefined) return
    if (compareWriters(list.stamp, writer) !== 0) replica.copyList(writer, list)
    else if (replica.note(list))
      this.#whenSynced(isOnDisk => {
        // The leader may forget the ends of jobs then, so an older entry must not come back from the disk.
        if (isOnDisk || this.#init.whenSynced === undefined)
          this.#reply(channel, writer.epoch, { type: 'noted', version: list.stamp.version })
      })
  }

  #onUpdate(
    { head, checkpoint: newer, epoch }: Extract<JournalMessage, { type: 'update' }>,
    channel: JournalChannel
  ): void {
    const { replica } = this.#init
    if (!replica.obeys(head.stamp)) {
      this.#reply(channel, epoch, { type: 'refused' })
      return
    }
    const stored = replica.get(head.job)
    const record = stored !== undefined && isJob(stored.record) ? stored.record : undefined
    const checkpoint = record && merged(record.checkpoint, newer)
    if (
      record === undefined ||
      stored?.submissionId !== head.submissionId ||
      stored.end !== undefined ||
      checkpoint === undefined
    ) {
      // This peer does not store the entry that the update needs. After the close, the leader reads again, and then sends the whole entry.
      channel.abort(new Error(`an update of job ${head.job}, which is not stored here`))
      return
    }
    this.#put([{ ...head, record: { ...record, checkpoint } }], channel, epoch)
  }

  /** Stores the entries in their order, and answers with the last one. Stores no entry after one that is refused or has no room. */
  #put(entries: Entry<JournalRecord>[], channel: JournalChannel, epoch: number): void {
    const { replica } = this.#init
    for (const entry of entries) {
      const { job, stamp } = entry
      // A peer may write only entries of its own leadership.
      const isOwn = stamp.epoch === epoch && stamp.rank.id === channel.remote
      if (!isOwn) this.#refuse(channel.remote, `an entry of job ${job} in the name of ${stamp.rank.id}`)
      if (isOwn && replica.obeys(stamp) && !this.#hasRoom(entry, channel)) return
      if (!isOwn || !replica.write(entry)) {
        this.#reply(channel, epoch, { type: 'refused' })
        return
      }
    }
    const jobs = entries.map(entry => entry.job)
    let isAnswered = false
    this.#whenSynced(isOnDisk => {
      // The first answer confirms all entries, and a second one only that which it names.
      const named = isAnswered ? entries : entries.slice(-1)
      isAnswered = true
      for (const { job, stamp } of named)
        this.#reply(channel, epoch, { type: 'held', job, version: stamp.version, isOnDisk })
    }, jobs)
  }

  /** What is not on disk is not held, so the leader hears of it only afterwards. */
  readonly #whenSynced: WhenSynced = (done, jobs) => {
    const { whenSynced } = this.#init
    if (whenSynced === undefined) done(false)
    else whenSynced(done, jobs)
  }

  /**
   * Whether this leadership has read the replica. A leader must read before any other request. An older leader that has read
   * the replica may still send requests.
   */
  #hasRead(from: PeerIdString, epoch: number): boolean {
    const { reader } = this.#init.replica
    return (reader?.rank.id === from && reader.epoch === epoch) || this.#readers.has(`${epoch} ${from}`)
  }

  #refuse(from: PeerIdString, what: string): void {
    this.#init.network.refusals.count('journal', from, `journal: ${what}`)
  }

  /** Whether the replica has room for an entry. Without room, closes the channel, which informs the leader. */
  #hasRoom(entry: Entry<JournalRecord>, channel: JournalChannel): boolean {
    const { replica, network, limits = DEFAULT_LIMITS } = this.#init
    if (replica.hasRoom(entry, limits)) return true
    const { journalEntries, journalBytes } = limits
    const what = `no room for ${entry.job} in a journal of ${journalEntries} entries and ${journalBytes} bytes`
    network.refusals.count('rate', channel.remote, what)
    channel.abort(new Error(what))
    return false
  }

  /** Answers the read of the leader that this peer follows. If this peer answered another peer, it would no longer obey its own leader. */
  readonly #answerRead = (): void => {
    const { election, replica } = this.#init
    const read = election.leader && this.#reads.get(election.leader.id)
    if (read === undefined || read.writer.epoch !== election.leader?.epoch) return
    const { writer, channel } = read
    this.#reads.delete(writer.rank.id)
    const heads = replica.read(writer)
    if (heads !== undefined) this.#addReader(`${writer.epoch} ${writer.rank.id}`)
    const age = Math.floor(performance.now() - this.#startedAt)
    const { isIncomplete } = replica
    const { list } = replica.known
    let isAnswered = false
    // After a restart, too, this peer must obey no older leader, and have what it has shown.
    this.#whenSynced(isOnDisk => {
      if (isAnswered) {
        channel.abort(new Error('the disk takes writes again: the leader reads again'))
        return
      }
      isAnswered = true
      const answer: JournalReply =
        heads === undefined ? { type: 'refused' } : { type: 'heads', heads, age, list, isIncomplete, isOnDisk }
      this.#reply(channel, writer.epoch, answer)
    })
  }

  #addReader(reader: string): void {
    this.#readers.delete(reader)
    this.#readers.add(reader)
    const [oldest] = this.#readers
    if (this.#readers.size > MOST_READERS) this.#readers.delete(oldest!)
  }

  #reply(channel: JournalChannel, epoch: number, reply: JournalReply): Promise<void> {
    // After a failed send, the close of the channel informs the leader that a reply is lost.
    return channel.send({ epoch, ...reply }).catch((error: unknown) => channel.abort(error as Error))
  }
}

function isReply(message: JournalMessage): message is JournalMessage & JournalReply {
  return REPLIES.has(message.type)
}
