/** The seam under which election strategies plug in: who leads, with which epoch, and an awaited hand-off. */
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
 * Called on the leader when it hands over or leaves: resolves when the next leader has all that it needs. The signal is aborted when the
 * leader stays after all.
 */
export type HandOff = (to: PeerIdString, signal: AbortSignal) => Promise<void>

export interface Election extends TypedEventTarget<ElectionEvents> {
  /** The newest leadership accepted whose leader is live; undefined while there is none. */
  readonly leader: Leadership | undefined
  /** Whether this peer leads. */
  readonly isLeader: boolean
  /** For how many ms more this peer leads, whatever happens: without a quorum nobody can say, hence Infinity; 0 while it does not. */
  readonly remaining: number
  /** The leaderships that this peer has seen, the oldest first. */
  history(): LeadershipRecord[]
  /** How steady they were. */
  stats(): LeadershipStats
  /** How long elections took, in ms, as this peer has seen them. */
  durations(): Histogram
  /** Under a quorum: who votes. */
  readonly voters: readonly PeerIdString[] | undefined
  /**
   * The fence: whether something sent by `from` under `epoch` is still to be obeyed, i.e. is not older than the newest
   * leadership accepted here.
   */
  accepts(from: PeerIdString, epoch: number): boolean
  /**
   * One more thing to be done before leadership moves on; all are begun together and awaited. A hand-off is given up after a while, and
   * after as much more as the longest of `takes` says at its beginning that it may take, in ms.
   */
  onHandOff(handOff: HandOff, takes?: () => number): void
  /** Steps down (hands off when there is somebody to) before the membership announces `left`. */
  leave(): Promise<void>
  stop(): Promise<void>
}
