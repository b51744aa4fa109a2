import type { Channel, PeerIdString, Protocol } from '../network/types.ts'
import { since } from './checkpoint.ts'
import type { Entry } from './core/entry.ts'
import { headOf } from './core/replica.ts'
import type { JournalMessage, JournalRequest } from './messages.ts'
import type { JobRecord } from './record.ts'

/** Pause before an unreachable follower is called again, in ms; doubles up to MAX_RETRY_MS. */
const RETRY_MS = 50
const MAX_RETRY_MS = 1_000

export interface FollowerLinkInit {
  to: PeerIdString
  epoch: number
  /** The leader's priority, sent with the read: orders the leaderships of one epoch. */
  priority: number
  protocol: Protocol<JournalMessage>
  /** Called for each attempt that fails. */
  onUnreachable: () => void
}

/** The leader's channel to one follower. It reopens until the follower can be read, or is gone. */
export class FollowerLink {
  readonly #init: FollowerLinkInit
  #channel: Channel<JournalMessage> | undefined
  #calling: AbortController | undefined
  #retry: NodeJS.Timeout | undefined
  #pause = RETRY_MS
  /** By running job, the last checkpoint sent on this channel: the number of chunks before it. */
  readonly #sent = new Map<string, number>()

  constructor(init: FollowerLinkInit) {
    this.#init = init
  }

  /** Bytes that the channel has accepted but not sent. */
  get pendingBytes(): number {
    return this.#channel?.pendingBytes ?? 0
  }

  isOn(channel: Channel<JournalMessage>): boolean {
    return this.#channel === channel
  }

  /** Opens the channel and sends the read: at once the first time, later after a growing pause. */
  open(): void {
    if (this.#calling === undefined) this.#call()
    else this.#callLater()
  }

  /** The follower has confirmed something: make the next pause short. */
  resetPause(): void {
    this.#pause = RETRY_MS
  }

  lost(): void {
    this.#channel = undefined
  }

  stop(): void {
    this.#calling?.abort()
    clearTimeout(this.#retry)
  }

  send(message: JournalRequest): void {
    const channel = this.#channel
    // A failed send closes the channel, and the leader then sends everything again.
    channel?.send({ epoch: this.#init.epoch, ...message }).catch((error: unknown) => channel.abort(error as Error))
  }

  /** Sends a whole entry once, then only its newer checkpoints. */
  put(entry: Entry<JobRecord>): void {
    const { job, end, record } = entry
    const before = this.#sent.get(job)
    const { checkpoint } = record
    if (end === undefined) this.#sent.set(job, checkpoint?.next ?? 0)
    else this.#sent.delete(job)
    if (before === undefined || end !== undefined || checkpoint === undefined) this.send({ type: 'put', entry })
    else this.send({ type: 'update', head: headOf(entry), checkpoint: since(checkpoint, before) })
  }

  forget({ job, stamp }: Pick<Entry<JobRecord>, 'job' | 'stamp'>): void {
    this.#sent.delete(job)
    this.send({ type: 'forget', job, stamp })
  }

  #callLater(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#call(), this.#pause)
    this.#pause = Math.min(MAX_RETRY_MS, this.#pause * 2)
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
        this.send({ type: 'read', priority })
      })
      .catch(() => {
        if (signal.aborted) return
        this.#callLater()
        onUnreachable()
      })
  }
}
