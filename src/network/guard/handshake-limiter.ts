import { StoppedError } from '../../common/errors.ts'
import { allowManyListeners, delay } from '../../lib/abort.ts'
import { hostPrefix } from '../host-prefix.ts'
import { deleteExpired, TokenBuckets } from './token-buckets.ts'

/** The number of connections that a limited host may begin at once, and a second: their handshakes take 1 or 2% of a core. */
export const HANDSHAKE_RATE = { burst: 10, perSecond: 1 }
/** The longest wait (ms) for a handshake: a connection that would wait longer is closed. */
const LONGEST_WAIT = 5_000

/**
 * Limits the handshakes with the hosts of blocked peers. The PeerId of a connection is known only after the handshake, some 10 ms of work on each side, and a
 * blocked peer may try as often as it can. So while a peer is blocked, handshakes with its host begin at a low rate.
 */
export class HandshakeLimiter {
  readonly #begun: TokenBuckets
  readonly #now: () => number
  /** The time until which each host is limited. */
  readonly #limited = new Map<string, number>()
  readonly #stop = new AbortController()

  /** @param now - the time in ms, which never goes back */
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

  /** Resolves with true when a handshake with this host may begin, and with false if it may not. */
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
