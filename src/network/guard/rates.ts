import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'

/** The rate at which one peer may send to this peer, in messages or records. */
export interface Rate {
  /** The number that a peer may send at once after a while of silence. */
  readonly burst: number
  /** The number a second in the long run. */
  readonly perSecond: number
}

/** The rates for each peer: protocols by their names, gossip, and the records that membership messages carry or ask for. */
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
