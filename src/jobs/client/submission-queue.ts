/**
 * The submissions of one process that no leader has accepted yet. The queue sends the submissions in order. It sends
 * only a few at a time, while the leader has room.
 */
import pDefer from 'p-defer'
import type { Busy } from '../protocol/submit-messages.ts'

/** The largest number of submissions that wait for an answer at the same time. */
const MOST_ASKED = 32
/** The longest wait that a leader can ask for, in ms. */
const LONGEST_MS = 60_000
/** While the leader has no room, each refused retry doubles the next wait, up to this time (ms). */
const LONGEST_DOUBLED_MS = 2_000
/** The wait grows by 1 ms for this many bytes of the first refused submission, because the retry sends all its bytes again. */
const BYTES_A_MS = 10_000

/** One submission that the queue has sent or may send now. */
export interface Turn {
  /** The position in the queue. Submissions with a lower position are sent first. */
  readonly order: number
  /** Bytes of the submission's code and input. */
  readonly bytes: number
  state: 'fresh' | 'asked' | 'returned' | 'accepted' | 'over'
  /** Sends the submission for the first time, or sends the submission again. */
  go: () => void
  giveUp: (reason: unknown) => void
}

export class SubmissionQueue {
  /** The submissions that were never sent, in order. The iterator is at the next submission. */
  readonly #fresh = new Set<Turn>()
  #next = this.#fresh.values()
  /** The submissions that the leader had no room for, in order. They are sent before submissions that were never sent. */
  #returned: Turn[] = []
  /** Number of submissions that the leader has not answered. */
  #asked = 0
  #orders = 0
  /** Number of submissions that may be sent now. */
  #places = MOST_ASKED
  /**
   * Number of submissions that are sent together. Below MOST_ASKED, the next batch is sent when the leader has accepted the whole batch.
   */
  #batch = MOST_ASKED
  /**
   * The wait before the client asks the leader again. With `endsHelp`, each job of this process that ends makes the queue
   * send one submission earlier.
   */
  #pause: { timer: NodeJS.Timeout; endsHelp: boolean } | undefined
  /** Number of waits since the leader last had room. */
  #inVain = 0
  #hasTold = false
  readonly #onWaiting: (reason: string) => void

  /** @param onWaiting - called once when the leader has no room, and again only after the queue was empty */
  constructor(onWaiting: (reason: string) => void) {
    this.#onWaiting = onWaiting
  }

  /** Resolves when a submission may be sent. Rejects with the signal's reason, or the reason of {@link giveUp}. */
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

  /** Records that a leader has accepted the submission. */
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

  /** Records that the leader has no room for the submission. `again` sends the submission again. */
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
    // The random part keeps clients from asking all at once.
    const wait = Math.min(LONGEST_MS, doubled) * (1 + Math.random() / 4) + turn.bytes / BYTES_A_MS
    const timer = setTimeout(() => {
      this.#pause = undefined
      this.#places = Math.min(MOST_ASKED, Math.max(1, places))
      this.#send()
    }, wait)
    this.#pause = { timer, endsHelp: places === 0 }
  }

  /** Records that the job of the submission has ended, or that the client has given the job up. */
  over(turn: Turn): void {
    const was = this.#leave(turn, 'over')
    this.#noteWaiting()
    if (was === 'asked' && this.#pause === undefined && (this.#asked === 0 || this.#batch === MOST_ASKED))
      this.#places += 1
    if (was === 'accepted' && this.#pause?.endsHelp === true) this.#places += 1
    this.#send()
  }

  /** Rejects all submissions that were never sent. */
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
      // The iterator had reached its end before later submissions were added.
      this.#next = this.#fresh.values()
      next = this.#next.next()
    }
    if (next.done === true) return undefined
    this.#fresh.delete(next.value)
    return next.value
  }

  /** Removes the submission from the state that it is in. Returns that state. */
  #leave(turn: Turn, state: Turn['state']): Turn['state'] {
    const was = turn.state
    turn.state = state
    if (was === 'asked') this.#asked -= 1
    else if (was === 'fresh') this.#fresh.delete(turn)
    else if (was === 'returned') this.#returned = this.#returned.filter(other => other !== turn)
    return was
  }
}
