import type { Channel, PeerIdString, Protocol } from '../network/types.ts'
import { since } from './checkpoint.ts'
import type { Entry } from './core/entry.ts'
import { headOf } from './core/replica.ts'
import type { JournalMessage, JournalRequest } from './messages.ts'
import { isLock, type JournalRecord } from './record.ts'

/** The first pause before the leader calls an unreachable follower again, in ms. The pause doubles up to MAX_RETRY_MS. */
const RETRY_MS = 50
const MAX_RETRY_MS = 1_000

export interface FollowerLinkInit {
  to: PeerIdString
  epoch: number
  /** The leader's priority, which the read contains. It orders the leaderships with the same epoch. */
  priority: number
  protocol: Protocol<JournalMessage>
  /** Called for each failed attempt to reach the follower. */
  onUnreachable: () => void
}

/** The leader's channel to one follower. The link reopens the channel until the follower has answered the read, or is gone. */
export class FollowerLink {
  readonly #init: FollowerLinkInit
  #channel: Channel<JournalMessage> | undefined
  #calling: AbortController | undefined
  #retry: NodeJS.Timeout | undefined
  #pause = RETRY_MS
  /** For each running job, the number of chunks before the last checkpoint that was sent on this channel. */
  readonly #sent = new Map<string, number>()

  constructor(init: FollowerLinkInit) {
    this.#init = init
  }

  /** The number of bytes that wait in the channel to be sent. */
  get pendingBytes(): number {
    return this.#channel?.pendingBytes ?? 0
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
  }

  send(message: JournalRequest): void {
    const channel = this.#channel
    // A failed send closes the channel. Then the leader opens the channel again, and sends all entries again.
    channel?.send({ epoch: this.#init.epoch, ...message }).catch((error: unknown) => channel.abort(error as Error))
  }

  /** Sends the whole entry the first time, and later only the newer checkpoints of the entry. */
  put(entry: Entry<JournalRecord>): void {
    const { job, end, record } = entry
    if (isLock(record)) {
      this.send({ type: 'put', entry })
      return
    }
    const before = this.#sent.get(job)
    const { checkpoint } = record
    if (end === undefined) this.#sent.set(job, checkpoint?.next ?? 0)
    else this.#sent.delete(job)
    if (before === undefined || end !== undefined || checkpoint === undefined) this.send({ type: 'put', entry })
    else this.send({ type: 'update', head: headOf(entry), checkpoint: since(checkpoint, before) })
  }

  forget({ job, stamp }: Pick<Entry<JournalRecord>, 'job' | 'stamp'>): void {
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
