import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'
import type { PeerIdString } from '../types.ts'

/** How much one peer may ask of this one: messages or records, as the table says. */
export interface Rate {
  /** So many at once, after a while of silence. */
  readonly burst: number
  /** And so many a second in the long run. */
  readonly perSecond: number
}

/** The rates that several look at, and those of the protocols, by their names. */
export interface Rates {
  /** Direct messages of the membership, and the records that they carry or ask for. */
  readonly messages: Rate
  readonly records: Rate
  /** Gossip that one peer wrote, and gossip that one peer brings. */
  readonly author: Rate
  readonly bearer: Rate
  readonly protocols: Readonly<Record<string, Rate>>
}

export function ratesOf(limits: Limits): Rates {
  const messages = { burst: limits.membershipBurst, perSecond: limits.membershipRate }
  return {
    messages,
    records: { burst: limits.recordBurst, perSecond: limits.recordRate },
    author: { burst: limits.gossipBurst, perSecond: limits.gossipRate },
    bearer: { burst: limits.relayBurst, perSecond: limits.relayRate },
    protocols: {
      swim: messages,
      election: { burst: limits.electionBurst, perSecond: limits.electionRate },
      work: { burst: limits.workBurst, perSecond: limits.workRate },
      submit: { burst: limits.submitBurst, perSecond: limits.submitRate },
      journal: { burst: limits.journalBurst, perSecond: limits.journalRate },
      overview: { burst: limits.overviewBurst, perSecond: limits.overviewRate },
      history: { burst: limits.historyBurst, perSecond: limits.historyRate },
      attach: { burst: limits.attachBurst, perSecond: limits.attachRate }
    }
  }
}

/** What holds where nobody says otherwise. */
export const RATES = ratesOf(DEFAULT_LIMITS)

/** Those who owe nothing are forgotten when there are more than this. */
const REMEMBERED = 1_000

/** What each peer has taken of its rate: a token bucket for each, kept as the time at which it is full again. */
export class TokenBuckets {
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

  /** For so long, in ms, nothing of what it has taken is made good. */
  hold(peer: PeerIdString, ms: number): void {
    const paid = this.#paid.get(peer)
    if (paid !== undefined && paid > this.#now()) this.#paid.set(peer, paid + ms)
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
