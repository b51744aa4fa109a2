/** The interface of an election: the leader with its epoch, and an awaited hand-off. */
import type { TypedEventTarget } from 'main-event'
import type { Histogram } from '../lib/histogram.ts'
import type { PeerIdString } from '../network/types.ts'
import type { LeadershipRecord } from './audit-log.ts'
import type { Rank, RankOrder } from './core/rank.ts'
import type { LeadershipStats } from './leadership-stats.ts'
import type { Promised } from './quorum/voter.ts'

/** A leadership. (epoch, rank) orders leaderships. */
export interface Leadership {
  id: PeerIdString
  epoch: number
  rank: Rank
}

export interface ElectionEvents {
  /** The accepted leader changed. `leader` is undefined while there is no leader. */
  leader: CustomEvent<{ leader: Leadership | undefined; previous: Leadership | undefined }>
}

/** The state of an election that outlives a run of the peer. Its writes do not block the main thread, and do not reject. */
export interface ElectionStore {
  /** The newest promise that this peer gave as a voter in earlier runs. */
  readonly promised: Promised | undefined
  /** Writes a promise. Resolves with whether it is on disk. */
  keepPromise(promised: Promised): Promise<boolean>
  /** The newest COORDINATOR accepted in earlier runs, as its leader signed it. */
  readonly accepted: Uint8Array | undefined
  /** Writes a leadership. Resolves when the write has succeeded or failed. The store repeats a failed write. */
  keepAccepted(signed: Uint8Array, epoch: number): Promise<void>
  /** Whether promises of earlier runs are lost, because the store is damaged or old. */
  readonly hasLostPromises: boolean
  /** Records that other peers have told what was lost. */
  foundPromises(): void
  /** Calls the listener when the store turns out to be old. */
  onLostPromises(listener: () => void): void
  /** Whether the last write succeeded. */
  readonly writable: boolean
  /** Calls the listener when `writable` changes. The returned function unsubscribes the listener. */
  onWritable(listener: (writable: boolean) => void): () => void
}

/** The record of the store, in which the leader names the peers that hold the journal. */
export interface HolderRecord {
  /** The PeerIds that earlier leaders have named. */
  readonly named: readonly PeerIdString[]
  /** Names these peers, if this peer still holds the lease. Resolves with whether the record names them. @throws when the store does not answer */
  name(holders: readonly PeerIdString[]): Promise<boolean>
}

/**
 * Gives `to` the state that the next leader needs, and resolves when `to` has this state. Called when a leader hands over or leaves. The
 * signal aborts when the leader keeps leading after all.
 */
export type HandOff = (to: PeerIdString, signal: AbortSignal) => Promise<void>

export interface Election extends TypedEventTarget<ElectionEvents> {
  /** The newest accepted leadership, if its leader is live. Undefined while there is no such leadership. */
  readonly leader: Leadership | undefined
  /** Whether this peer leads. */
  readonly isLeader: boolean
  /** The time for which this peer certainly still leads, in ms. 0 while this peer does not lead, Infinity while it leads without a quorum. */
  readonly remaining: number
  /** Returns the leaderships that this peer has seen, the oldest first. */
  history(): LeadershipRecord[]
  /** Returns how stable the leaderships were. */
  stats(): LeadershipStats
  /** Returns the durations of the elections that this peer has seen, in ms. */
  durations(): Histogram
  /** The voters. Undefined without a quorum. */
  readonly voters: readonly PeerIdString[] | undefined
  /** The store's own number of this peer's leadership. Undefined while this peer does not lead, and without a store that has such numbers. */
  readonly storeNumber: string | undefined
  /** The record of the store for the present leadership of this peer. Undefined while it does not lead, and without a store. */
  readonly holders: HolderRecord | undefined
  /** Sets the least lead in priority with which this peer takes over from a live leader. Undefined, the default: any higher rank takes over. */
  setMargin(margin: number | undefined): void
  /** Orders peers by who should lead. */
  readonly order: RankOrder
  /**
   * The fence: whether this peer still obeys a message that `from` sent as leader with `epoch`. This peer obeys unless it has
   * accepted a newer leadership.
   */
  accepts(from: PeerIdString, epoch: number): boolean
  /**
   * Registers a hand-off. A leader starts all hand-offs together, and awaits them before its leadership moves to another peer. The leader
   * cancels the hand-offs after `handOffTimeout` plus the longest extra time. `takes` returns the extra time of a hand-off in ms, and is
   * called when the hand-off starts. The returned function removes the hand-off.
   */
  onHandOff(handOff: HandOff, takes?: () => number): () => void
  /** Leaves the election before the membership announces `left`. A leader hands off first if another peer can lead. */
  leave(): Promise<void>
  stop(): Promise<void>
}
