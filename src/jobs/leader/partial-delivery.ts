import pDefer, { type DeferredPromise } from 'p-defer'
import type { Channel } from '../../network/types.ts'
import { type Pack, slicePack } from '../../tasks/values/pack.ts'
import type { FromLeaderSays, SubmitMessage } from '../protocol/submit-messages.ts'

/** A group of partials that the reader has not acknowledged. */
interface Due {
  first: number
  end: number
  partials: Pack
  /** Whether the partials were sent to the present reader. */
  isSent: boolean
  /** Resolves when the partials may be folded. */
  mayFold: DeferredPromise<void>
}

export interface PartialDeliveryInit {
  /** The partials before this index were folded under earlier leaders. */
  from: number
  /**
   * How long (ms) a reader may be away. After that time the job continues without the reader, for the clients that wait for the
   * result.
   */
  awayMs: number
  /** Only for an unordered stream: sends all unfolded partials from `got` on. Later partials are sent as they arrive. */
  sendAll?: ((reader: Channel<SubmitMessage>, got: number) => void) | undefined
  /**
   * The most unacknowledged partials, in chunks and in bytes, while later partials are folded. Only for a stream, whose client knows its own
   * position best. Default: 0.
   */
  ahead?: { chunks: number; bytes: number }
  /** Called when the reader has the partials before `next`. */
  onRead?: (next: number) => void
  send(reader: Channel<SubmitMessage>, says: FromLeaderSays): void
}

/**
 * Delivers the partials of a job to the client that reads them, in order and before they are folded. No checkpoint is
 * ever ahead of the client, so the next leader has the partials that the client lacks. A slow reader slows the job.
 */
export class PartialDelivery {
  readonly #init: PartialDeliveryInit
  #reader: Channel<SubmitMessage> | undefined
  /** The reader needs no partial before this index. */
  #got = 0
  /** The partials before this index are gone. */
  #done: number
  /** Undelivered partials, in order. */
  #due: Due[] = []
  #dueBytes = 0
  #drained: DeferredPromise<void> | undefined
  #awayTimer: NodeJS.Timeout | undefined

  constructor(init: PartialDeliveryInit) {
    this.#init = init
    this.#done = init.from
  }

  /** The reader has the partials before `next` from an earlier leader. */
  begin(next: number): void {
    this.#done = next
  }

  /** The channel of the present reader. `undefined` if there is no reader. */
  get reader(): Channel<SubmitMessage> | undefined {
    return this.#reader
  }

  /**
   * Sets the reader, which needs no partial before `got`. The new reader replaces the previous reader, which is usually the same
   * client.
   */
  reads(reader: Channel<SubmitMessage>, got: number): void {
    if (got < this.#done) {
      // Some earlier partials are gone. The gap in this message ends the stream of the client.
      this.#init.send(reader, { type: 'partials', first: this.#done, partials: NOTHING })
      return
    }
    this.#reader = reader
    this.#got = got
    for (const due of this.#due) due.isSent = false
    this.#init.sendAll?.(reader, got)
    this.#go()
  }

  /** Records that the reader has the partials before `next`. */
  got(reader: Channel<SubmitMessage>, next: number): void {
    if (reader !== this.#reader) return
    this.#got = Math.max(this.#got, next)
    this.#go()
  }

  /** Records that the channel of the reader has closed. The reader may return. */
  gone(reader: Channel<SubmitMessage>): void {
    if (reader !== this.#reader) return
    this.#reader = undefined
    this.#go()
  }

  /** Records that the reader has left and will not return. */
  left(reader: Channel<SubmitMessage>): void {
    this.got(reader, Number.MAX_SAFE_INTEGER)
    this.gone(reader)
  }

  /** Delivers these partials. Resolves when they may be folded. Only one call at a time is allowed. */
  deliver(first: number, partials: Pack): Promise<void> {
    const mayFold = pDefer<void>()
    this.#due.push({ first, end: first + partials.lengths.length, partials, isSent: false, mayFold })
    this.#dueBytes += partials.bytes.byteLength
    this.#go()
    return mayFold.promise
  }

  /** Resolves when the reader has all delivered partials. */
  async drained(): Promise<void> {
    if (this.#due.length === 0) return
    this.#drained ??= pDefer()
    await this.#drained.promise
  }

  /** Rejects the pending deliveries with `reason`. */
  stop(reason: Error): void {
    clearTimeout(this.#awayTimer)
    for (const { mayFold } of this.#due) mayFold.reject(reason)
    this.#drained?.promise.catch(() => {})
    this.#drained?.reject(reason)
    this.#due = []
    this.#reader = undefined
  }

  #go(): void {
    clearTimeout(this.#awayTimer)
    this.#settle()
    if (this.#due.length === 0) return
    if (this.#reader === undefined) {
      this.#awayTimer = setTimeout(() => {
        this.#got = Number.MAX_SAFE_INTEGER
        this.#go()
      }, this.#init.awayMs)
    } else if (this.#init.sendAll === undefined) {
      for (const due of this.#due) if (!due.isSent) this.#send(this.#reader, due)
    }
  }

  /** Drops the partials that the reader has, and allows folding within the bounds of `ahead`. */
  #settle(): void {
    const { ahead = { chunks: 0, bytes: 0 }, onRead } = this.#init
    const before = this.#done
    while (this.#due.length > 0 && this.#due[0]!.end <= this.#got) {
      const { end, partials, mayFold } = this.#due.shift()!
      this.#done = end
      this.#dueBytes -= partials.bytes.byteLength
      mayFold.resolve()
    }
    const chunks = (this.#due.at(-1)?.end ?? 0) - (this.#due[0]?.first ?? 0)
    if (chunks <= ahead.chunks && this.#dueBytes <= ahead.bytes) for (const { mayFold } of this.#due) mayFold.resolve()
    if (this.#done > before) onRead?.(this.#done)
    if (this.#due.length === 0) {
      this.#drained?.resolve()
      this.#drained = undefined
    }
  }

  #send(reader: Channel<SubmitMessage>, due: Due): void {
    due.isSent = true
    const { first, end, partials } = due
    const from = Math.max(first, this.#got)
    const { lengths, bytes } = slicePack(partials, from - first, end - first)
    // This copies the partials. A reader in this process gets the message unencoded, and the original buffer moves to the folding thread.
    this.#init.send(reader, {
      type: 'partials',
      first: from,
      partials: { lengths: lengths.slice(), bytes: bytes.slice() }
    })
  }
}

const NOTHING: Pack = { lengths: new Uint32Array(), bytes: new Uint8Array() }
