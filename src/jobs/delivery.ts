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

/**
 * Brings the partials of a job to the client that reads them: in order, and before they are folded. So no checkpoint is ever ahead of what
 * the client has, and the next leader has whatever it still lacks. A reader that is slow slows the folding, and with that the job.
 */
export class Delivery {
  readonly #send: (reader: Channel<SubmitMessage>, says: FromLeaderSays) => void
  #reader: Channel<SubmitMessage> | undefined
  /** The reader needs no partial before it. */
  #got = 0
  #due: Due | undefined
  /** What is due is on its way to the reader. */
  #isSent = false

  constructor(send: (reader: Channel<SubmitMessage>, says: FromLeaderSays) => void) {
    this.#send = send
  }

  /** A client reads from now on, and needs no partial before `got`: in place of the one before, which it most likely is itself. */
  reads(reader: Channel<SubmitMessage>, got: number): void {
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

  gone(reader: Channel<SubmitMessage>): void {
    if (reader === this.#reader) this.#reader = undefined
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
    this.#due?.read.reject(reason)
    this.#due = undefined
    this.#reader = undefined
  }

  #go(): void {
    if (this.#due === undefined) return
    const { first, end, partials, read } = this.#due
    if (this.#got >= end) {
      this.#due = undefined
      read.resolve()
    } else if (this.#reader !== undefined && !this.#isSent) {
      this.#isSent = true
      const from = Math.max(first, this.#got)
      this.#send(this.#reader, {
        type: 'partials',
        first: from,
        partials: slicePack(partials, from - first, end - first)
      })
    }
  }
}
