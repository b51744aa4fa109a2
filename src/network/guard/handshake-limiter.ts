import { StoppedError } from '../../common/errors.ts'
import { allowManyListeners, delay } from '../../lib/abort.ts'
import { hostPrefix } from '../host-prefix.ts'
import { deleteExpired, TokenBuckets } from './token-buckets.ts'

/** The handshakes that a limited host may begin: a burst, and a number per second. At this rate, handshakes take 1 to 2% of a core. */
export const HANDSHAKE_RATE = { burst: 10, perSecond: 1 }
/** The longest wait (ms) for a handshake. A connection that would wait longer is closed. */
const LONGEST_WAIT = 5_000

/**
 * Limits the handshakes with the hosts of blocked peers. The PeerId of a connection is known only after the handshake, which takes 10 ms on each side, and a
 * blocked peer may connect as often as it can. So while a peer is blocked, handshakes with the host of that peer begin at a low rate.
 */
export class HandshakeLimiter {
  readonly #begun: TokenBuckets
  readonly #now: () => number
  /** The time until which each host is limited. */
  readonly #limited = new Map<string, number>()
  readonly #stop = new AbortController()

  /** @param now - returns a time in ms that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#begun = new TokenBuckets(HANDSHAKE_RATE, now)
    this.#now = now
  }

  /** Limits a host for `ms`. */
  limit(address: string, ms: number): void {
    const host = hostPrefix(address)
    const now = this.#now()
    deleteExpired(this.#limited, now, until => until)
    this.#limited.set(host, Math.max(now + ms, this.#limited.get(host) ?? 0))
  }

  /** Resolves with true when a handshake with this host may begin, and with false if the connection must be closed. */
  async admits(address: string): Promise<boolean> {
    const host = hostPrefix(address)
    if ((this.#limited.get(host) ?? 0) <= this.#now()) return true
    if (this.#begun.wouldWait(host, 1) > LONGEST_WAIT) return false
    const wait = this.#begun.take(host, 1)
    if (wait > 0) await delay(wait, allowManyListeners(this.#stop.signal))
    return true
  }

  /** Rejects all waiting calls. */
  stop(): void {
    this.#stop.abort(new StoppedError('the network was stopped'))
  }
}
