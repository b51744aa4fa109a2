import type { PeerIdString } from '../network/types.ts'
import type { Leadership } from './types.ts'

/** All of {@link EndReason}. */
export const END_REASONS = ['died', 'left', 'handed over', 'lost its lease', 'replaced'] as const
/**
 * Why a leadership ended, for the peer that tells: its leader was found dead; left the cluster; gave it to the next one; could not renew
 * its lease in time; or another one was accepted without its leader's word, as after a cut, or since its leader claimed anew.
 */
export type EndReason = (typeof END_REASONS)[number]

/** One leadership as one peer saw it. Times are in ms since the epoch, by that peer's wall clock. */
export interface LeadershipRecord {
  leader: PeerIdString
  epoch: number
  /** When the peer accepted it. */
  from: number
  /** When it ended for the peer; undefined while it lasts. */
  until: number | undefined
  why: EndReason | undefined
}

/** More are not kept: the oldest go first. */
export const MOST_RECORDS = 1_000

/** The leaderships that a peer has seen, for whoever has to find out later who led when. */
export class AuditLog {
  readonly #records: LeadershipRecord[] = []

  /** The oldest first. */
  records(): LeadershipRecord[] {
    return this.#records.map(record => ({ ...record }))
  }

  /** Another leadership, or none, counts since `now`; `why` the one before does no more since `until`. */
  changed(leader: Leadership | undefined, now: number, ended: { until: number; why: EndReason }): void {
    const last = this.#records.at(-1)
    if (last !== undefined && last.until === undefined) Object.assign(last, ended)
    if (leader === undefined) return
    this.#records.push({ leader: leader.id, epoch: leader.epoch, from: now, until: undefined, why: undefined })
    if (this.#records.length > MOST_RECORDS) this.#records.shift()
  }
}
