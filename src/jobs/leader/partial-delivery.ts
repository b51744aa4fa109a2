import pDefer, { type DeferredPromise } from 'p-defer'
import type { Channel } from '../../network/types.ts'
import { type Pack, slicePack } from '../../tasks/values/pack.ts'
import type { FromLeaderSays, SubmitMessage } from '../protocol/submit-messages.ts'

/** Partials that their reader has not acknowledged. */
interface Due {
  first: number
  end: number
  partials: Pack
  /** They are on their way to the present reader. */
  isSent: boolean
  /** Resolves when they may be folded. */
  mayFold: DeferredPromise<void>
}

export interface PartialDeliveryInit {
  /** Partials before it have been folded under earlier leaders. */
  from: number
  /** How long (ms) a reader may be away: then whoever else waits for the job gets its result without. */
  awayMs: number
  /** Of a stream whose reader does not mind the order: sends those that wait to be folded, from `got` on. The others are sent as they come. */
  sendAll?: ((reader: Channel<SubmitMessage>, got: number) => void) | undefined
  /**
   * How much may be on its way while what is behind it is folded: of a stream, whose client knows best how far it has got. Default: nothing,
   * what is folded is read.
   */
  ahead?: { chunks: number; bytes: number }
  /** The reader has all before `next`. */
  onRead?: (next: number) => void
  send(reader: Channel<SubmitMessage>, says: FromLeaderSays): void
}

/**
 * Delivers the partials of a job to the client that reads them: in order, and before they are folded. So no checkpoint is ever ahead of the client,
 * and the next leader has the partials that the client lacks. A slow reader slows the job.
 */
export class PartialDelivery {
  readonly #init: PartialDeliveryInit
  #reader: Channel<SubmitMessage> | undefined
  /** The reader needs no partial before it. */
  #got = 0
  /** Partials before it are not to be had any more. */
  #done: number
  /** In order. */
  #due: Due[] = []
  #dueBytes = 0
  #drained: DeferredPromise<void> | undefined
  #awayTimer: NodeJS.Timeout | undefined

  constructor(init: PartialDeliveryInit) {
    this.#init = init
    this.#done = init.from
  }

  /** Partials before it are the reader's from an earlier leader. */
  begin(next: number): void {
    this.#done = next
  }

  /** Who reads. */
  get reader(): Channel<SubmitMessage> | undefined {
    return this.#reader
  }

  /** A client reads from now on, and needs no partial before `got`: in place of the one before, which it most likely is itself. */
  reads(reader: Channel<SubmitMessage>, got: number): void {
    if (got < this.#done) {
      // It has come too late: what it is told does not begin where it would have to, and it ends there.
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

  /** The reader may come back. */
  gone(reader: Channel<SubmitMessage>): void {
    if (reader !== this.#reader) return
    this.#reader = undefined
    this.#go()
  }

  /** The reader will not come back. */
  left(reader: Channel<SubmitMessage>): void {
    this.got(reader, Number.MAX_SAFE_INTEGER)
    this.gone(reader)
  }

  /** Resolves when these partials may be folded, however long that takes. One call at a time. */
  deliver(first: number, partials: Pack): Promise<void> {
    const mayFold = pDefer<void>()
    this.#due.push({ first, end: first + partials.lengths.length, partials, isSent: false, mayFold })
    this.#dueBytes += partials.bytes.byteLength
    this.#go()
    return mayFold.promise
  }

  /** Resolves when the reader has all that was delivered. */
  async drained(): Promise<void> {
    if (this.#due.length === 0) return
    this.#drained ??= pDefer()
    await this.#drained.promise
  }

  /** Nothing is delivered any more. */
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

  /** Lets go of what the reader has, and lets that be folded for which there is room. */
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
    // A copy: to a reader in this process nothing is encoded, and what is folded goes to the thread that folds.
    this.#init.send(reader, {
      type: 'partials',
      first: from,
      partials: { lengths: lengths.slice(), bytes: bytes.slice() }
    })
  }
}

const NOTHING: Pack = { lengths: new Uint32Array(), bytes: new Uint8Array() }
