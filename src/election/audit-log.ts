import type { PeerIdString } from '../network/types.ts'
import type { Leadership } from './types.ts'

/** All values of {@link EndReason}. */
export const END_REASONS = ['died', 'left', 'handed over', 'lost its lease', 'replaced'] as const
/**
 * Why a leadership ended, as the recording peer saw it: its leader died, left the cluster, handed over to the next leader, did not renew
 * its lease in time, or was replaced without a go-ahead. A leader is replaced so after a cut, or by its own next claim.
 */
export type EndReason = (typeof END_REASONS)[number]

/** One leadership as one peer saw it. Times are in ms since the Unix epoch, by that peer's wall clock. */
export interface LeadershipRecord {
  leader: PeerIdString
  epoch: number
  /** When the peer accepted the leadership. */
  from: number
  /** When the leadership ended for the peer. Undefined while the leadership lasts. */
  until: number | undefined
  why: EndReason | undefined
}

/** The most records that a peer keeps. The peer drops the oldest record first. */
export const MOST_RECORDS = 1_000

/** The leaderships that a peer has seen, so that an operator can find out later who led when. */
export class AuditLog {
  readonly #records: LeadershipRecord[] = []

  /** Returns the records, the oldest first. */
  records(): LeadershipRecord[] {
    return this.#records.map(record => ({ ...record }))
  }

  /** Records that this peer follows `leader`, or no leader, since `now`. `ended`: when and why the previous leadership ended. */
  changed(leader: Leadership | undefined, now: number, ended: { until: number; why: EndReason }): void {
    const last = this.#records.at(-1)
    if (last !== undefined && last.until === undefined) Object.assign(last, ended)
    if (leader === undefined) return
    this.#records.push({ leader: leader.id, epoch: leader.epoch, from: now, until: undefined, why: undefined })
    if (this.#records.length > MOST_RECORDS) this.#records.shift()
  }
}
