import { StoppedError } from '../../common/errors.ts'
import { allowManyListeners, delay } from '../../lib/wait.ts'
import { hostPrefix } from './pending-handshakes.ts'
import { TokenBuckets } from './token-buckets.ts'

/** From where somebody was shut out, so many connections may begin at once, and a second: 1 or 2% of a core for their handshakes. */
export const HANDSHAKE_RATE = { burst: 10, perSecond: 1 }
/** Who would have to wait longer than this for its turn, in ms, is sent away. */
const LONGEST_WAIT = 5_000
/** Hosts of which it is remembered; those whose time is over go first. */
const REMEMBERED = 1_000

/**
 * Who it is that connects is known only when both sides have done a handshake, some 10 ms of work each. Somebody who was shut out may
 * try as often as it can, so while it is, those who come from its address are let in one after the other.
 */
export class HandshakeLimiter {
  readonly #begun: TokenBuckets
  readonly #now: () => number
  /** Until when each host is watched. */
  readonly #watched = new Map<string, number>()
  readonly #stop = new AbortController()

  /** @param now - the time in ms, which never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#begun = new TokenBuckets(HANDSHAKE_RATE, now)
    this.#now = now
  }

  /** Somebody who was connected from there is shut out for so many ms. */
  watch(from: string, ms: number): void {
    const host = hostPrefix(from)
    const now = this.#now()
    if (this.#watched.size >= REMEMBERED)
      for (const [each, until] of this.#watched) if (until <= now) this.#watched.delete(each)
    this.#watched.set(host, Math.max(now + ms, this.#watched.get(host) ?? 0))
  }

  /** Resolves when a handshake with one who connects from there may begin: with false where none may. */
  async admits(from: string): Promise<boolean> {
    const host = hostPrefix(from)
    if ((this.#watched.get(host) ?? 0) <= this.#now()) return true
    if (this.#begun.wouldWait(host, 1) > LONGEST_WAIT) return false
    const wait = this.#begun.take(host, 1)
    if (wait > 0) await delay(wait, allowManyListeners(this.#stop.signal))
    return true
  }

  /** Nobody waits any more. */
  stop(): void {
    this.#stop.abort(new StoppedError('the network was stopped'))
  }
}
