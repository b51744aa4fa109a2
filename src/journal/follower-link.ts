import { longestRetry } from '../lib/backoff.ts'
import { arePending, filled } from '../lib/pending-bytes.ts'
import type { Channel, PeerIdString, Protocol } from '../network/types.ts'
import { since } from './checkpoint.ts'
import type { Entry } from './core/entry.ts'
import type { HolderList } from './core/holder-list.ts'
import { headOf } from './core/replica.ts'
import { type JournalMessage, type JournalReply, type JournalRequest, MOST_ENTRIES_A_PUT } from './messages.ts'
import { bytesOfRecord, contentsOf, isJob, type JournalRecord } from './record.ts'

/** The first pause before the leader calls an unreachable follower again, in ms. The pause doubles up to MAX_RETRY_MS, or longer while many are lost. */
const RETRY_MS = 50
const MAX_RETRY_MS = 1_000
/** The pause before the contents of an entry are read again, in ms. */
const READ_AGAIN_MS = 1_000
/** The most bytes of an entry that is sent together with others. A larger one must not delay them. */
const MOST_SHARED_BYTES = 64 * 1024

export interface FollowerLinkInit {
  to: PeerIdString
  epoch: number
  /** The leader's priority, which the read contains. It orders the leaderships with the same epoch. */
  priority: number
  protocol: Protocol<JournalMessage>
  /** The links of the leader to all followers. */
  all: ReadonlyMap<PeerIdString, Pick<FollowerLink, 'isOpen'>>
  /** Called for each failed attempt to reach the follower. */
  onUnreachable: () => void
}

/** The version of an entry that a follower stores. */
type Held = Pick<Extract<JournalReply, { type: 'held' }>, 'job' | 'version'>

/** The leader's channel to one follower. The link reopens the channel until the follower has answered the read, or is gone. */
export class FollowerLink {
  readonly #init: FollowerLinkInit
  #channel: Channel<JournalMessage> | undefined
  #calling: AbortController | undefined
  #retry: NodeJS.Timeout | undefined
  #pause = RETRY_MS
  /** For each running job, the number of chunks before the last checkpoint that was sent on this channel, and whether the job goes on without a client. */
  readonly #sent = new Map<string, { next: number; detach: boolean | undefined }>()
  /** The newest entries that are sent next, in one message. */
  readonly #next = new Map<string, Entry<JournalRecord>>()
  /** The entries whose contents are being read from the disk. */
  readonly #filling = new Map<string, Entry<JournalRecord>>()
  #filled: Promise<void> = Promise.resolve()
  /** The messages with several entries that the follower has not confirmed yet, by their last entry. */
  readonly #unconfirmed = new Map<string, Held[]>()
  #soon: NodeJS.Immediate | undefined

  constructor(init: FollowerLinkInit) {
    this.#init = init
  }

  /** Whether entries wait to be sent: in the channel, or for their contents. */
  get isSending(): boolean {
    return this.#filling.size > 0 || (this.#channel?.pendingBytes ?? 0) > 0
  }

  get isOpen(): boolean {
    return this.#channel !== undefined
  }

  isOn(channel: Channel<JournalMessage>): boolean {
    return this.#channel === channel
  }

  /** Opens the channel and sends the read. The first attempt starts immediately, and later attempts start after a growing pause. */
  open(): void {
    if (this.#calling === undefined) this.#call()
    else this.#callLater()
  }

  /** Makes the next pause short, because the follower has confirmed an entry. */
  resetPause(): void {
    this.#pause = RETRY_MS
  }

  lost(): void {
    this.#channel = undefined
  }

  stop(): void {
    this.#calling?.abort()
    clearTimeout(this.#retry)
    clearImmediate(this.#soon)
    this.#filling.clear()
  }

  send(message: JournalRequest): void {
    const channel = this.#channel
    // A failed send closes the channel. Then the leader opens the channel again, and sends all entries again.
    channel?.send({ epoch: this.#init.epoch, ...message }).catch((error: unknown) => channel.abort(error as Error))
  }

  /**
   * Sends the whole entry of a job the first time, and later only the newer checkpoints of the entry. Sends small entries together that were
   * written before the follower has confirmed earlier ones: a message and a sync cost far more than an entry.
   */
  put(entry: Entry<JournalRecord>): void {
    const { job, end, record } = entry
    this.#filling.delete(job)
    if (!this.#sent.has(job) && arePending(...contentsOf(record).submission)) {
      this.#whenFilled(entry, () => this.put(entry))
      return
    }
    const checkpoint = isJob(record) ? record.checkpoint : undefined
    const before = this.#sent.get(job)
    if (!isJob(record) || end !== undefined) this.#sent.delete(job)
    else this.#sent.set(job, { next: checkpoint?.next ?? 0, detach: record.submission?.detach })
    const isWaiting = this.#next.delete(job)
    // A user who resumes a job detaches it, which an update does not tell.
    const isSame = isJob(record) && before !== undefined && before.detach === record.submission?.detach
    if (isSame && end === undefined && !isWaiting && checkpoint !== undefined)
      this.send({ type: 'update', head: headOf(entry), checkpoint: since(checkpoint, before.next) })
    else if (bytesOfRecord(record) > MOST_SHARED_BYTES) this.send({ type: 'put', entries: [entry] })
    else {
      this.#next.set(job, entry)
      this.#putSoon()
    }
  }

  /** Sends the entry of an earlier leader. */
  copy(entry: Entry<JournalRecord>): void {
    const send = (): void => this.send({ type: 'copy', entry })
    if (arePending(...contentsOf(entry.record).submission)) this.#whenFilled(entry, send)
    else send()
  }

  /**
   * Calls `send` when the contents of an entry are read, unless a newer entry of the job is sent before, or the channel has ended. Reads the contents of
   * one entry after the other: those of a job that begins must not wait for all of them.
   */
  #whenFilled(entry: Entry<JournalRecord>, send: () => void): void {
    const { job, record } = entry
    const channel = this.#channel
    this.#filling.set(job, entry)
    const isCurrent = (): boolean => this.#filling.get(job) === entry && this.#channel === channel
    const fill = async (): Promise<void> => {
      if (isCurrent()) await filled(...contentsOf(record).submission)
      if (!isCurrent()) return
      this.#filling.delete(job)
      send()
    }
    // Other entries go first.
    const again = (): void => {
      if (isCurrent()) this.#whenFilled(entry, send)
    }
    this.#filled = this.#filled.then(fill).catch(() => void setTimeout(again, READ_AGAIN_MS).unref())
  }

  /** Sends a list of holders, behind the entries that were given before. */
  tell(list: HolderList): void {
    while (this.#next.size > 0) this.#putNext()
    this.send({ type: 'holders', list })
  }

  /** Returns the entries that the follower stores, since it has confirmed this one. */
  confirmed({ job, version }: Held): Held[] {
    const all = this.#unconfirmed.get(nameOf({ job, version }))
    if (all === undefined) return [{ job, version }]
    this.#unconfirmed.delete(nameOf({ job, version }))
    this.#putSoon()
    return all
  }

  forget({ job, stamp }: Pick<Entry<JournalRecord>, 'job' | 'stamp'>): void {
    this.#sent.delete(job)
    this.#next.delete(job)
    this.#filling.delete(job)
    this.send({ type: 'forget', job, stamp })
  }

  /** The entries of other clients in this turn of the event loop come along. */
  #putSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined
      if (this.#unconfirmed.size === 0 && this.#next.size > 0) this.#putNext()
    })
  }

  #putNext(): void {
    const entries = [...this.#next.values()].slice(0, MOST_ENTRIES_A_PUT)
    for (const { job } of entries) this.#next.delete(job)
    const all = entries.map(({ job, stamp }) => ({ job, version: stamp.version }))
    this.#unconfirmed.set(nameOf(all.at(-1)!), all)
    this.send({ type: 'put', entries })
  }

  #callLater(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#call(), this.#pause)
    const longest = longestRetry(MAX_RETRY_MS, this.#init.all.values(), ({ isOpen }) => !isOpen)
    this.#pause = Math.min(longest, this.#pause * 2)
  }

  #call(): void {
    const { to, protocol, priority, onUnreachable } = this.#init
    this.#calling?.abort()
    this.#calling = new AbortController()
    const { signal } = this.#calling
    protocol
      .channel(to, { signal })
      .then(channel => {
        if (signal.aborted) return
        channel.closed.throwIfAborted()
        this.#channel = channel
        this.#sent.clear()
        this.#next.clear()
        this.#filling.clear()
        this.#unconfirmed.clear()
        this.send({ type: 'read', priority })
      })
      .catch(() => {
        if (signal.aborted) return
        this.#callLater()
        onUnreachable()
      })
  }
}

function nameOf({ job, version }: Held): string {
  return `${version} ${job}`
}
