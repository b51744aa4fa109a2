import type { PeerIdString } from '../../network/types.ts'

/** The name of the timer for the answer of one of the named holders. It is no PeerId. */
export const HOLDERS = ''
/** How long a leader waits for one of the named holders, in ms. Peers that run without a data folder never return under their names. */
export const HOLDERS_MS = 60_000

interface Synced {
  /** Whether a standby stores all acknowledged entries. */
  isSynced: (id: PeerIdString) => boolean
  mayName: (synced: number, standbys: number) => boolean
}

/**
 * The peers that the store of the election names as holders of the journal. Each of them stores every acknowledged entry, so the
 * next leader needs the answer of only one of them. The store changes these names only for the present leader.
 */
export class NamedHolders {
  readonly #self: PeerIdString
  /** The holders that earlier leaders have named. Undefined if the election has no store. */
  readonly #earlier: readonly PeerIdString[] | undefined
  /** The holders that the store names for this leader. Undefined while it still names those of earlier leaders. */
  #named: readonly PeerIdString[] | undefined
  /** The names that the store has not confirmed yet. */
  #naming: readonly PeerIdString[] | undefined
  readonly #hasCopies: boolean
  #isWaived = false

  /** @param hasCopies - whether the replica of this peer still has what an earlier leader stored there. A restart without a disk loses it. */
  constructor(self: PeerIdString, earlier: readonly PeerIdString[] | undefined, hasCopies: boolean) {
    this.#self = self
    this.#earlier = earlier
    this.#hasCopies = hasCopies
    if (earlier?.length === 0) this.#named = []
  }

  /** Whether the election has a store that names the holders. */
  get areNeeded(): boolean {
    return this.#earlier !== undefined
  }

  /** Whether this leader has read one of the holders that earlier leaders have named. */
  isRead(hasAnswered: (id: PeerIdString) => boolean): boolean {
    const earlier = this.#earlier ?? []
    const isRead = (id: PeerIdString): boolean => (id === this.#self ? this.#hasCopies : hasAnswered(id))
    return this.#isWaived || earlier.length === 0 || earlier.some(isRead)
  }

  /** The earlier holders, of which the leader waits for one. Empty if it need not wait. */
  get unread(): readonly PeerIdString[] {
    return this.#isWaived ? [] : (this.#earlier ?? [])
  }

  /** Waits for no earlier holder any longer. */
  waive(): void {
    this.#isWaived = true
  }

  /** Whether a peer is named, or may be. Such a peer keeps its copies. */
  has(id: PeerIdString): boolean {
    return [...(this.#named ?? this.#earlier ?? []), ...(this.#naming ?? [])].includes(id)
  }

  /** The number of named peers that do not store an entry. 1 if the store does not name this leader yet. */
  lacking(isStoredBy: (id: PeerIdString) => boolean): number {
    if (!this.areNeeded) return 0
    if (this.#named?.includes(this.#self) !== true || this.#naming?.includes(this.#self) === false) return 1
    const all = new Set([...this.#named, ...(this.#naming ?? [])])
    return [...all].filter(id => id !== this.#self && !isStoredBy(id)).length
  }

  /**
   * Returns the holders that the store should name now: this leader and the standbys that store all acknowledged entries, as soon as
   * these are enough. Without jobs there are no holders. Returns undefined if the store should change nothing.
   */
  next(jobs: ({ standbys: readonly PeerIdString[] } & Synced) | undefined): readonly PeerIdString[] | undefined {
    const self = this.#self
    if (this.#naming !== undefined || this.#areNamed(jobs === undefined ? [] : [self, ...jobs.standbys]))
      return undefined
    const synced = jobs?.standbys.filter(jobs.isSynced) ?? []
    const holders = jobs === undefined ? [] : [self, ...synced]
    if (jobs?.mayName(synced.length, jobs.standbys.length) === false || this.#areNamed(holders)) return undefined
    this.#naming = holders
    return holders
  }

  #areNamed(holders: readonly PeerIdString[]): boolean {
    return this.#named?.join() === holders.join()
  }

  confirm(holders: readonly PeerIdString[]): void {
    this.#named = holders
    this.#naming = undefined
  }
}
