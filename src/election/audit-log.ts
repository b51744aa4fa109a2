import type { PeerIdString } from '../network/types.ts'
import type { Leadership } from './types.ts'

/** Why a leadership ended, for the peer that tells. */
export type EndReason =
  /** Its leader was found dead. */
  | 'died'
  /** Its leader left the cluster. */
  | 'left'
  /** Its leader gave it to the next one. */
  | 'handed over'
  /** Its lease was not renewed in time. */
  | 'lost its lease'
  /** Another one was accepted without its leader's word, as after a cut; or its leader claimed anew. */
  | 'replaced'

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
const MOST_RECORDS = 1_000

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
