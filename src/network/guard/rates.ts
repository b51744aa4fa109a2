import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'

/** The rate at which one peer may send to this peer, in messages or records. */
export interface Rate {
  /** The number that a peer may send at once after it has sent nothing for some time. */
  readonly burst: number
  /** The average number per second that a peer may send. */
  readonly perSecond: number
}

/** Returns the rates of each peer: by protocol name, for gossip, and for the records that membership messages carry or ask for. */
export function ratesOf(limits: Limits) {
  return {
    swim: { burst: limits.membershipBurst, perSecond: limits.membershipRate },
    election: { burst: limits.electionBurst, perSecond: limits.electionRate },
    work: { burst: limits.workBurst, perSecond: limits.workRate },
    submit: { burst: limits.submitBurst, perSecond: limits.submitRate },
    journal: { burst: limits.journalBurst, perSecond: limits.journalRate },
    overview: { burst: limits.overviewBurst, perSecond: limits.overviewRate },
    locks: { burst: limits.lockBurst, perSecond: limits.lockRate },
    schedules: { burst: limits.scheduleBurst, perSecond: limits.scheduleRate },
    history: { burst: limits.historyBurst, perSecond: limits.historyRate },
    attach: { burst: limits.attachBurst, perSecond: limits.attachRate },
    /** Gossip that the sending peer wrote itself. */
    gossip: { burst: limits.gossipBurst, perSecond: limits.gossipRate },
    /** Gossip of other authors that the sending peer relays. */
    relay: { burst: limits.relayBurst, perSecond: limits.relayRate },
    records: { burst: limits.recordBurst, perSecond: limits.recordRate }
  } satisfies Record<string, Rate>
}

/** The default rates. */
export const RATES = ratesOf(DEFAULT_LIMITS)
