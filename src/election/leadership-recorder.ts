/** Records the leaderships that this peer sees: for the history, the statistics, the log and the trace. */
import type { Logger } from '../common/logger.ts'
import type { Tracer } from '../common/tracing.ts'
import type { Membership } from '../membership/types.ts'
import type { PeerIdString } from '../network/types.ts'
import { AuditLog, type EndReason } from './audit-log.ts'
import type { CoordinatorMessage } from './core/messages.ts'
import { ElectionClock, type PastElection } from './election-clock.ts'
import { electionSpan } from './election-span.ts'
import { LeadershipMeter } from './leadership-stats.ts'
import type { Leadership } from './types.ts'

export interface LeadershipRecorderInit {
  self: PeerIdString
  clusterId: string
  membership: Membership
  /** Whether leaderships end with a lease. */
  hasLease: boolean
  logger: Logger | undefined
  tracer: Tracer | undefined
}

/** The state of the election when the leader changes. */
interface Circumstances {
  accepted: CoordinatorMessage | undefined
  /** Whether this peer has handed its leadership over. */
  hasHandedOver: boolean
  /** How long ago this peer's lease ended, in ms. Undefined if the lease did not end. */
  lostAgo: number | undefined
}

export class LeadershipRecorder {
  readonly #init: LeadershipRecorderInit
  readonly audit = new AuditLog()
  readonly meter = new LeadershipMeter()
  readonly clock = new ElectionClock()
  #leader: Leadership | undefined

  constructor(init: LeadershipRecorderInit) {
    this.#init = init
  }

  /** Starts the statistics: this peer has joined, so it would know a leader of the cluster. */
  ready(): void {
    const now = performance.now()
    this.meter.ready(this.#leader !== undefined, now)
    if (this.#leader === undefined) this.clock.lost(now, 'joined')
  }

  /** Records a change of the leader, which the election has decided. */
  changed(leader: Leadership | undefined, circumstances: Circumstances): void {
    const previous = this.#leader
    this.#leader = leader
    const now = performance.now()
    const { lostAgo = 0 } = circumstances
    const why = this.#whyEnded(previous, circumstances)
    this.audit.changed(leader, Date.now(), { until: Date.now() - lostAgo, why })
    const election = leader && this.clock.accepted(now, leader.id === this.#init.self, why)
    if (leader === undefined) this.clock.lost(now - lostAgo, why)
    this.meter.changed(leader, now, { lostAgo, ...(election && { took: election.ms }) })
    this.#tell(leader, previous, why, election)
  }

  #tell(
    leader: Leadership | undefined,
    previous: Leadership | undefined,
    why: EndReason,
    election: PastElection | undefined
  ): void {
    const { logger, tracer, clusterId, self } = this.#init
    if (leader === undefined) {
      const lost = { previousId: previous?.id, epoch: previous?.epoch, reason: why }
      logger?.info({ event: 'leader', peerId: null, ...lost }, 'there is no leader')
      return
    }
    const { id, epoch } = leader
    const took = election && { ms: Math.round(election.ms), reason: election.reason }
    logger?.info({ event: 'leader', peerId: id, epoch, ...took }, 'there is a leader')
    if (election !== undefined) tracer?.record(electionSpan({ clusterId, self, leader, election }))
  }

  #whyEnded(previous: Leadership | undefined, { accepted, hasHandedOver, lostAgo }: Circumstances): EndReason {
    if (lostAgo !== undefined) return 'lost its lease'
    const isAccepted = accepted?.leader === previous?.id && accepted?.epoch === previous?.epoch
    // This peer ended its own leadership.
    if (previous?.id === this.#init.self && isAccepted) return hasHandedOver ? 'handed over' : 'left'
    const isGiven = accepted?.goAheads.some(
      ({ from, fromEpoch }) => from === previous?.id && fromEpoch >= previous.epoch
    )
    if (isGiven) return 'handed over'
    const state = previous && this.#init.membership.get(previous.id)?.state
    if (state === 'dead') return 'died'
    if (state === 'left') return 'left'
    // The leader itself has announced that it no longer leads, and no other peer leads yet.
    return isAccepted && this.#init.hasLease ? 'lost its lease' : 'replaced'
  }
}
