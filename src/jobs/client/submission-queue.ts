/** The submissions of one process that no leader has accepted yet: sent in order, a few at a time, as the leader has room for them. */
import pDefer from 'p-defer'
import type { Busy } from '../protocol/submit-messages.ts'

/** Submissions that are unanswered at a time, at most. */
const MOST_ASKED = 32
/** The longest that a leader may ask to wait, in ms. */
const LONGEST_MS = 60_000
/** Where jobs have to end first, each wait in vain doubles the next one up to this, in ms. */
const LONGEST_DOUBLED_MS = 2_000
/** The first that is turned away makes the wait longer, by a ms for so many of its bytes: it was sent in vain. */
const BYTES_A_MS = 10_000

/** One submission on its way. */
export interface Turn {
  /** Lower ones go first. */
  readonly order: number
  /** Of its code and input. */
  readonly bytes: number
  state: 'fresh' | 'asked' | 'returned' | 'accepted' | 'over'
  /** Sends it, or sends it again. */
  go: () => void
  giveUp: (reason: unknown) => void
}

export class SubmissionQueue {
  /** Those that were never sent, in order; and the next of them. */
  readonly #fresh = new Set<Turn>()
  #next = this.#fresh.values()
  /** Those that are to be sent again, in order: they go before all others. */
  #returned: Turn[] = []
  /** How many the leader has not answered. */
  #asked = 0
  #orders = 0
  /** How many may be sent now. */
  #places = MOST_ASKED
  /** How many are sent together. Below the most, the next ones are sent when all of these are accepted. */
  #batch = MOST_ASKED
  /** Until the leader is asked again; `endsHelp`: or, for one submission, until a job of this process has ended. */
  #pause: { timer: NodeJS.Timeout; endsHelp: boolean } | undefined
  /** Waits since the leader had room. */
  #inVain = 0
  #hasTold = false
  readonly #onWaiting: (reason: string) => void

  /** @param onWaiting - the leader has no room: told once, and again only after nothing has waited meanwhile */
  constructor(onWaiting: (reason: string) => void) {
    this.#onWaiting = onWaiting
  }

  /** Resolves when a submission may be sent. Rejects with the signal's reason, or with that of {@link giveUp}. */
  async take(bytes: number, signal: AbortSignal | undefined): Promise<Turn> {
    signal?.throwIfAborted()
    const sent = pDefer<void>()
    const turn: Turn = { order: this.#orders++, bytes, state: 'fresh', go: sent.resolve, giveUp: sent.reject }
    const leave = (): void => {
      this.over(turn)
      sent.reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    this.#fresh.add(turn)
    this.#send()
    try {
      await sent.promise
      return turn
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** A leader has accepted it. */
  accepted(turn: Turn): void {
    const was = this.#leave(turn, 'accepted')
    this.#noteWaiting()
    if (was !== 'asked' || this.#pause !== undefined) return
    this.#inVain = 0
    if (this.#asked === 0 && this.#batch < MOST_ASKED) {
      this.#batch = Math.min(MOST_ASKED, 2 * this.#batch)
      this.#places = this.#batch
    } else if (this.#batch === MOST_ASKED) this.#places += 1
    this.#send()
  }

  /** The leader has no room for it; `again` sends it once more. */
  busy(turn: Turn, { reason, ms, places }: Busy, again: () => void): void {
    if (turn.state === 'returned' || turn.state === 'over') return
    this.#leave(turn, 'returned')
    turn.go = again
    this.#returned = [...this.#returned, turn].sort((a, b) => a.order - b.order)
    this.#places = 0
    this.#batch = 1
    if (!this.#hasTold) this.#onWaiting(reason)
    this.#hasTold = true
    if (this.#pause !== undefined) return
    const doubled = places > 0 ? ms : Math.min(LONGEST_DOUBLED_MS, ms * 2 ** this.#inVain)
    this.#inVain += 1
    // Not all clients at once.
    const wait = Math.min(LONGEST_MS, doubled) * (1 + Math.random() / 4) + turn.bytes / BYTES_A_MS
    const timer = setTimeout(() => {
      this.#pause = undefined
      this.#places = Math.min(MOST_ASKED, Math.max(1, places))
      this.#send()
    }, wait)
    this.#pause = { timer, endsHelp: places === 0 }
  }

  /** Its job has ended, or is not wanted any more. */
  over(turn: Turn): void {
    const was = this.#leave(turn, 'over')
    this.#noteWaiting()
    if (was === 'asked' && this.#pause === undefined && (this.#asked === 0 || this.#batch === MOST_ASKED))
      this.#places += 1
    if (was === 'accepted' && this.#pause?.endsHelp === true) this.#places += 1
    this.#send()
  }

  /** Nothing that was never sent is to be sent any more. */
  giveUp(reason: Error): void {
    for (const turn of this.#fresh) {
      turn.state = 'over'
      turn.giveUp(reason)
    }
    this.#fresh.clear()
    this.#noteWaiting()
  }

  stop(reason: Error): void {
    this.giveUp(reason)
    clearTimeout(this.#pause?.timer)
  }

  #noteWaiting(): void {
    if (this.#asked + this.#returned.length + this.#fresh.size === 0) this.#hasTold = false
  }

  #send(): void {
    while (this.#places > 0) {
      const turn = this.#returned.shift() ?? this.#nextFresh()
      if (turn === undefined) return
      this.#places -= 1
      this.#asked += 1
      turn.state = 'asked'
      turn.go()
    }
  }

  #nextFresh(): Turn | undefined {
    let next = this.#next.next()
    if (next.done === true) {
      // It has come to the end before others were added.
      this.#next = this.#fresh.values()
      next = this.#next.next()
    }
    if (next.done === true) return undefined
    this.#fresh.delete(next.value)
    return next.value
  }

  /** Takes it from where it was; returns where that was. */
  #leave(turn: Turn, state: Turn['state']): Turn['state'] {
    const was = turn.state
    turn.state = state
    if (was === 'asked') this.#asked -= 1
    else if (was === 'fresh') this.#fresh.delete(turn)
    else if (was === 'returned') this.#returned = this.#returned.filter(other => other !== turn)
    return was
  }
}
