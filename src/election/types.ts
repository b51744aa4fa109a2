/** The interface of an election: the leader with its epoch, and an awaited hand-off. */
import type { TypedEventTarget } from 'main-event'
import type { Histogram } from '../lib/histogram.ts'
import type { PeerIdString } from '../network/types.ts'
import type { LeadershipRecord } from './audit-log.ts'
import type { Rank } from './core/rank.ts'
import type { LeadershipStats } from './leadership-stats.ts'
import type { Promised } from './quorum/voter.ts'

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

/** The state of an election that outlives a run of the peer. Its writes do not block the main thread, and do not reject. */
export interface ElectionStore {
  /** As voter: the newest promise of earlier runs. */
  readonly promised: Promised | undefined
  /** Writes a promise. Resolves with whether it is on disk. */
  keepPromise(promised: Promised): Promise<boolean>
  /** The newest COORDINATOR accepted in earlier runs, as its leader signed it. */
  readonly accepted: Uint8Array | undefined
  /** Writes a leadership. Resolves when the write has ended; after a failure it is repeated. */
  keepAccepted(signed: Uint8Array, epoch: number): Promise<void>
  /** Whether the last write succeeded. */
  readonly writable: boolean
  /** Calls the listener when `writable` changes; the returned function unsubscribes it. */
  onWritable(listener: (writable: boolean) => void): () => void
}

/**
 * Called on a leader that hands over or leaves. Resolves when `to` has all that the next leader needs. The signal aborts when the leader
 * stays after all.
 */
export type HandOff = (to: PeerIdString, signal: AbortSignal) => Promise<void>

export interface Election extends TypedEventTarget<ElectionEvents> {
  /** The newest leadership accepted whose leader is live; undefined while there is none. */
  readonly leader: Leadership | undefined
  /** Whether this peer leads. */
  readonly isLeader: boolean
  /** The time for which this peer certainly still leads, in ms; 0 while it does not lead, Infinity while it leads without a quorum. */
  readonly remaining: number
  /** The leaderships that this peer has seen, the oldest first. */
  history(): LeadershipRecord[]
  /** How stable the leaderships were. */
  stats(): LeadershipStats
  /** The durations of the elections that this peer has seen, in ms. */
  durations(): Histogram
  /** Under a quorum: the voters. */
  readonly voters: readonly PeerIdString[] | undefined
  /**
   * The fence: whether this peer still obeys a message of `from` under `epoch`, i.e. whether that leadership is not older
   * than the newest one accepted here.
   */
  accepts(from: PeerIdString, epoch: number): boolean
  /**
   * Registers a hand-off. A leader starts all hand-offs together and awaits them before its leadership moves to another peer. It cancels
   * them after `handOffTimeout` plus the longest `takes`: the extra time in ms that a hand-off may take, read when it starts.
   */
  onHandOff(handOff: HandOff, takes?: () => number): void
  /** Steps down before the membership announces `left`. A leader hands off first, if another peer can lead. */
  leave(): Promise<void>
  stop(): Promise<void>
}
