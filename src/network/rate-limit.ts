import type { PeerIdString } from './types.ts'

/** How much one peer may ask of this one: messages or records, as the table says. */
export interface Rate {
  /** So many at once, after a while of silence. */
  readonly burst: number
  /** And so many a second in the long run. */
  readonly perSecond: number
}

/**
 * The numbers, all in one table. Each is far above what a peer that keeps the rules ever needs, so that only a flood meets it, and
 * far below what would keep this peer's processor busy.
 */
export const RATES = {
  /**
   * Direct messages of the membership. Pinging for all members of a full mesh takes some 200 a second; the burst is what comes at
   * once after a pause. Answering 500 takes some 40 ms.
   */
  messages: { burst: 2_000, perSecond: 500 },
  /**
   * Records that they carry or ask for. The burst is what a push-pull in a cluster of 5,000 members brings and asks for just after
   * half of it was cut off, three times over (each of the others comes with up to 4 accusations). Known ones cost next to nothing;
   * verifying 2,000 signatures takes 200 ms.
   */
  records: { burst: 60_000, perSecond: 2_000 },
  /** Gossip that one peer wrote: a leader that loses 1,000 workers at once accuses each of them, perhaps twice. */
  author: { burst: 2_000, perSecond: 100 },
  /** Gossip that one peer brings, whoever wrote it: when 40 members crash, all that had them as neighbours say so. */
  bearer: { burst: 10_000, perSecond: 500 }
} as const satisfies Record<string, Rate>

/** Those who owe nothing are forgotten when there are more than this. */
const REMEMBERED = 1_000

/** What each peer has taken of its rate: a token bucket for each, kept as the time at which it is full again. */
export class RateLimit {
  readonly #rate: Rate
  readonly #now: () => number
  /** When each has nothing taken any more, in ms. */
  readonly #paid = new Map<PeerIdString, number>()

  /** @param now - the time in ms, which never goes back */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate
    this.#now = now
  }

  /** Takes so much, and says how long to wait, in ms, until it is within the rate: 0 unless the burst is used up. */
  take(peer: PeerIdString, amount: number): number {
    const now = this.#now()
    if (!this.#paid.has(peer)) this.#forgetThePaid(now)
    this.#paid.set(peer, Math.max(now, this.#paid.get(peer) ?? now) + (amount / this.#rate.perSecond) * 1_000)
    return this.owed(peer)
  }

  /** How long {@link take} would say to wait, in ms. Takes nothing. */
  wouldWait(peer: PeerIdString, amount: number): number {
    const { burst, perSecond } = this.#rate
    const owing = Math.max(0, (this.#paid.get(peer) ?? 0) - this.#now())
    return Math.max(0, owing + ((amount - burst) / perSecond) * 1_000)
  }

  /** Takes so much if it is within the rate; says whether it is. */
  tryTake(peer: PeerIdString, amount: number): boolean {
    const before = this.#paid.get(peer)
    if (this.take(peer, amount) === 0) return true
    this.#paid.set(peer, before ?? this.#now())
    return false
  }

  /** How long it takes, in ms, until what was taken beyond the burst is made good. */
  owed(peer: PeerIdString): number {
    const { burst, perSecond } = this.#rate
    return Math.max(0, (this.#paid.get(peer) ?? 0) - this.#now() - (burst / perSecond) * 1_000)
  }

  #forgetThePaid(now: number): void {
    if (this.#paid.size < REMEMBERED) return
    for (const [peer, paid] of this.#paid) if (paid <= now) this.#paid.delete(peer)
  }
}
