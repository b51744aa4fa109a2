import type { Channel, PeerIdString, Protocol } from '../network/types.ts'
import { since } from './checkpoint.ts'
import type { Entry } from './core/entry.ts'
import { headOf } from './core/replica.ts'
import type { JournalMessage, JournalRequest } from './messages.ts'
import type { JobRecord } from './record.ts'

/** Before a follower that could not be reached is called again, in ms; doubles up to the second. */
const RETRY_MS = 50
const MAX_RETRY_MS = 1_000

export interface FollowerLinkInit {
  to: PeerIdString
  epoch: number
  /** Sent with the read: orders the leaderships of one epoch. */
  priority: number
  protocol: Protocol<JournalMessage>
  /** Called for each attempt that fails. */
  onUnreachable: () => void
}

/** The leader's channel to one follower. It is opened again and again until the follower can be read, or is gone. */
export class FollowerLink {
  readonly #init: FollowerLinkInit
  #channel: Channel<JournalMessage> | undefined
  #calling: AbortController | undefined
  #retry: NodeJS.Timeout | undefined
  #pause = RETRY_MS
  /** The checkpoint of each running job that was sent on this channel last: the number of chunks before it. */
  readonly #sent = new Map<string, number>()

  constructor(init: FollowerLinkInit) {
    this.#init = init
  }

  /** Bytes that were accepted and have not left. */
  get pendingBytes(): number {
    return this.#channel?.pendingBytes ?? 0
  }

  isOn(channel: Channel<JournalMessage>): boolean {
    return this.#channel === channel
  }

  /** Opens the channel and sends the read: at once the first time, after a pause that grows from then on. */
  open(): void {
    if (this.#calling === undefined) this.#call()
    else this.#callLater()
  }

  /** The follower has confirmed something: the next pause is short. */
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
    // The close of a channel tells the leader, and everything is sent again then; so it is with what could not be sent.
    channel?.send({ epoch: this.#init.epoch, ...message }).catch((error: unknown) => channel.abort(error as Error))
  }

  /** Sends a whole entry once, and after that only its newer checkpoints. */
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
