import pDefer, { type DeferredPromise } from 'p-defer'
import type { Channel } from '../../network/types.ts'
import { type Pack, slicePack } from '../../tasks/values/pack.ts'
import type { FromLeaderSays, SubmitMessage } from '../protocol/submit-messages.ts'

/** Partials that the reader has not acknowledged. */
interface Due {
  first: number
  end: number
  partials: Pack
  /** Whether the partials are on their way to the present reader. */
  isSent: boolean
  /** Resolves when the partials may be folded. */
  mayFold: DeferredPromise<void>
}

export interface PartialDeliveryInit {
  /** The partials before this index were folded under earlier leaders. */
  from: number
  /**
   * How long (ms) a reader may be away; after that the job continues without it, for the clients that wait for the
   * result.
   */
  awayMs: number
  /** For an unordered stream: sends all unfolded partials from `got` on. Later ones are sent as they arrive. */
  sendAll?: ((reader: Channel<SubmitMessage>, got: number) => void) | undefined
  /**
   * The most partials that may be unacknowledged while later ones are folded. For a stream, whose client knows its own
   * position best. Default: none.
   */
  ahead?: { chunks: number; bytes: number }
  /** The reader has the partials before `next`. */
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

  /** The channel of the present reader; `undefined` if there is none. */
  get reader(): Channel<SubmitMessage> | undefined {
    return this.#reader
  }

  /**
   * Sets the reader, which needs no partial before `got`. It replaces the previous one, which is usually the same
   * client.
   */
  reads(reader: Channel<SubmitMessage>, got: number): void {
    if (got < this.#done) {
      // Some partials before are gone. The gap in this message ends the client's stream.
      this.#init.send(reader, { type: 'partials', first: this.#done, partials: NOTHING })
      return
    }
    this.#reader = reader
    this.#got = got
    for (const due of this.#due) due.isSent = false
    this.#init.sendAll?.(reader, got)
    this.#go()
  }

  /** The reader needs no partial before `next` any more. */
  got(reader: Channel<SubmitMessage>, next: number): void {
    if (reader !== this.#reader) return
    this.#got = Math.max(this.#got, next)
    this.#go()
  }

  /** The reader's channel closed; the reader may come back. */
  gone(reader: Channel<SubmitMessage>): void {
    if (reader !== this.#reader) return
    this.#reader = undefined
    this.#go()
  }

  /** The reader has left for good. */
  left(reader: Channel<SubmitMessage>): void {
    this.got(reader, Number.MAX_SAFE_INTEGER)
    this.gone(reader)
  }

  /** Resolves when these partials may be folded, which may take any time. One call at a time. */
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
    // A copy: a reader in this process gets the message unencoded, while the original moves to the folding thread.
    this.#init.send(reader, {
      type: 'partials',
      first: from,
      partials: { lengths: lengths.slice(), bytes: bytes.slice() }
    })
  }
}

const NOTHING: Pack = { lengths: new Uint32Array(), bytes: new Uint8Array() }
