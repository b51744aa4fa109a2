/** The seam under which election strategies plug in: who leads, with which epoch, and an awaited hand-off. */
import type { TypedEventTarget } from 'main-event'
import type { PeerIdString } from '../network/types.ts'
import type { Rank } from './rank.ts'

/** A leadership. (epoch, rank) orders leaderships. */
export interface Leadership {
  id: PeerIdString
  epoch: number
  rank: Rank
}

export interface ElectionEvents {
  /** The accepted leader changed; undefined: there is none now. */
  leader: CustomEvent<{ leader: Leadership | undefined; previous: Leadership | undefined }>
}

/** Called on the leader when it hands over or leaves: resolves when the next leader has all that it needs. */
export type HandOff = (to: PeerIdString, signal: AbortSignal) => Promise<void>

export interface Election extends TypedEventTarget<ElectionEvents> {
  /** The newest leadership accepted whose leader is live; undefined while there is none. */
  readonly leader: Leadership | undefined
  /** Whether this peer leads. */
  readonly isLeader: boolean
  /**
   * The fence: whether something sent by `from` under `epoch` is still to be obeyed, i.e. is not older than the newest
   * leadership accepted here.
   */
  accepts(from: PeerIdString, epoch: number): boolean
  /** What the jobs do when leadership moves on. */
  setHandOff(handOff: HandOff): void
  /** Steps down (hands off when there is somebody to) before the membership announces `left`. */
  leave(): Promise<void>
  stop(): Promise<void>
}
