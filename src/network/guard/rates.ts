import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'

/** How much one peer may ask of this one, in messages or records. */
export interface Rate {
  /** How much at once, after a while of silence. */
  readonly burst: number
  /** How much a second in the long run. */
  readonly perSecond: number
}

/** The rates of each peer: of the protocols by their names, of gossip, and of the records that messages of the membership carry or ask for. */
export function ratesOf(limits: Limits) {
  return {
    swim: { burst: limits.membershipBurst, perSecond: limits.membershipRate },
    election: { burst: limits.electionBurst, perSecond: limits.electionRate },
    work: { burst: limits.workBurst, perSecond: limits.workRate },
    submit: { burst: limits.submitBurst, perSecond: limits.submitRate },
    journal: { burst: limits.journalBurst, perSecond: limits.journalRate },
    overview: { burst: limits.overviewBurst, perSecond: limits.overviewRate },
    history: { burst: limits.historyBurst, perSecond: limits.historyRate },
    attach: { burst: limits.attachBurst, perSecond: limits.attachRate },
    /** Gossip that the peer wrote itself. */
    gossip: { burst: limits.gossipBurst, perSecond: limits.gossipRate },
    /** Gossip of others that the peer relays. */
    relay: { burst: limits.relayBurst, perSecond: limits.relayRate },
    records: { burst: limits.recordBurst, perSecond: limits.recordRate }
  } satisfies Record<string, Rate>
}

/** The default rates. */
export const RATES = ratesOf(DEFAULT_LIMITS)
