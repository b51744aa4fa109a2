import { type Deferred, deferred } from '../deferred.ts'
import type { Channel } from '../network/types.ts'
import { type Pack, slicePack } from '../tasks/pack.ts'
import type { FromLeaderSays, SubmitMessage } from './submit-messages.ts'

/** Partials that are to be folded once their reader has them. */
interface Due {
  first: number
  end: number
  partials: Pack
  read: Deferred<void>
}

export interface DeliveryInit {
  /** Partials before it have been folded under earlier leaders. */
  from: number
  /** How long (ms) a reader may be away: then whoever else waits for the job gets its result without. */
  awayMs: number
  send(reader: Channel<SubmitMessage>, says: FromLeaderSays): void
}

/**
 * Brings the partials of a job to the client that reads them: in order, and before they are folded. So no checkpoint is ever ahead of what
 * the client has, and the next leader has whatever it still lacks. A reader that is slow slows the folding, and with that the job.
 */
export class Delivery {
  readonly #init: DeliveryInit
  #reader: Channel<SubmitMessage> | undefined
  /** The reader needs no partial before it. */
  #got = 0
  /** Partials before it are folded: they are not to be had any more. */
  #done: number
  #due: Due | undefined
  /** What is due is on its way to the reader. */
  #isSent = false
  #awayTimer: NodeJS.Timeout | undefined

  constructor(init: DeliveryInit) {
    this.#init = init
    this.#done = init.from
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
    this.#isSent = false
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

  /** Resolves when the reader has these partials, however long that takes. One call at a time. */
  deliver(first: number, partials: Pack): Promise<void> {
    const read = deferred<void>()
    this.#due = { first, end: first + partials.lengths.length, partials, read }
    this.#isSent = false
    this.#go()
    return read.promise
  }

  /** Nothing is delivered any more. */
  stop(reason: Error): void {
    clearTimeout(this.#awayTimer)
    this.#due?.read.reject(reason)
    this.#due = undefined
    this.#reader = undefined
  }

  #go(): void {
    clearTimeout(this.#awayTimer)
    if (this.#due === undefined) return
    const { first, end, partials, read } = this.#due
    if (this.#got >= end) {
      this.#due = undefined
      this.#done = end
      read.resolve()
    } else if (this.#reader === undefined) {
      this.#awayTimer = setTimeout(() => {
        this.#got = Number.MAX_SAFE_INTEGER
        this.#go()
      }, this.#init.awayMs)
    } else if (!this.#isSent) {
      this.#isSent = true
      const from = Math.max(first, this.#got)
      const { lengths, bytes } = slicePack(partials, from - first, end - first)
      // A copy: to a reader in this process nothing is encoded, and what is folded goes to the thread that folds.
      this.#init.send(this.#reader, {
        type: 'partials',
        first: from,
        partials: { lengths: lengths.slice(), bytes: bytes.slice() }
      })
    }
  }
}

const NOTHING: Pack = { lengths: new Uint32Array(), bytes: new Uint8Array() }
