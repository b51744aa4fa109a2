import type { PeerIdString } from '../../network/types.ts'
import { compareFloors, type Stamp, type Writer } from './entry.ts'
import type { JournalEffect } from './events.ts'
import { EarlierHolders, type HolderList, HolderListWriter, type HoldersNow } from './holder-list.ts'
import type { JournalReplica } from './replica.ts'
import type { JournalRules } from './rules.ts'

interface HolderListsInit {
  writer: Writer
  replica: Pick<JournalReplica<never>, 'known' | 'note' | 'copyList'>
  rules: JournalRules
  emit: (effect: Extract<JournalEffect<never>, { type: 'tell' }>) => void
}

/** The lists of the peers that hold the journal: those that this leader finds, and then its own. */
export class HolderLists {
  readonly #init: HolderListsInit
  readonly #earlier: EarlierHolders
  readonly #own: HolderListWriter
  #hasOwn = false
  /** For each peer that was read, the floor that it knew. Undefined if the peer was outdated already. */
  readonly #floors = new Map<PeerIdString, Stamp | undefined>()
  /** Whether the own list may have to change, or to be told, since it was last brought up to date. */
  #isDue = true
  #wasEmpty = true
  /** The standbys that have stored all entries. */
  readonly #complete = new Set<PeerIdString>()
  #areComplete = true

  constructor(init: HolderListsInit) {
    this.#init = init
    this.#earlier = new EarlierHolders(init.writer.rank.id, init.replica.known)
    this.#own = new HolderListWriter(init.writer)
  }

  /** Handles the list that a peer has kept: this one, or another one that was read. */
  read(from: PeerIdString, list: HolderList | undefined, hasEntries: boolean): void {
    const before = this.#outdated
    this.#floors.set(from, list?.outdated?.includes(from) === true ? undefined : list?.floor)
    if (list !== undefined && this.#hasOwn) this.#own.merge(list)
    else if (list !== undefined && from !== this.#init.writer.rank.id) this.#earlier.add(from, list)
    // A peer without entries hears of the floor before it gets any.
    if (!hasEntries) this.#floors.set(from, this.#floor)
    // The earlier list may still be told: its reader must not pass for one that knew the floor.
    this.#earlier.mark(this.#outdated)
    // A higher floor may also outdate peers that were read before.
    if (this.#hasOwn)
      for (const id of this.#outdated) if (id === from || !before.includes(id)) this.#own.markOutdated(id)
    this.#isDue = true
  }

  get #floor(): Stamp | undefined {
    return this.#hasOwn ? this.#own.floor : this.#earlier.newest?.floor
  }

  #isOutdated(id: PeerIdString): boolean {
    return this.#floors.has(id) && compareFloors(this.#floors.get(id), this.#floor) < 0
  }

  get #outdated(): PeerIdString[] {
    return [...this.#floors.keys()].filter(id => this.#isOutdated(id))
  }

  /**
   * Whether a running copy that a peer has may be of a job whose end is forgotten. The stamp of the copy does not tell: a leader that died alone may
   * have written it, and the others, which did not know of that leader, may have gone on with lower stamps.
   */
  mayHaveEnded(holder: PeerIdString): boolean {
    return this.#init.rules.mayHaveEnded(this.#isOutdated(holder))
  }

  /** Whether the floor must be raised before the end of a job with this stamp is forgotten. */
  isAbove(stamp: Stamp): boolean {
    return compareFloors(stamp, this.#floor) > 0
  }

  /** Raises the floor of the own list, if this one is higher. `old`: the peers that may have an older entry of the job whose end is forgotten. */
  raise(floor: Stamp, old: readonly PeerIdString[]): void {
    if (this.isAbove(floor)) {
      const current = [...this.#floors.keys()].filter(id => !this.#isOutdated(id))
      this.#own.raise(floor)
      for (const id of current) this.#floors.set(id, floor)
    }
    for (const id of old) this.#own.markOutdated(id)
  }

  onStandbys(): void {
    this.#isDue = true
  }

  onNoted(id: PeerIdString, version: number): void {
    this.#isDue = true
    this.#own.onNoted(id, version)
  }

  /** Forgets what was told to a peer, because the messages may be lost. */
  reset(id: PeerIdString): void {
    this.#earlier.reset(id)
    this.#own.reset(id)
    this.#complete.delete(id)
    this.#isDue = true
  }

  /** The earlier holders of which the leader waits for one. Empty if it need not wait. */
  unread(hasAnswered: (id: PeerIdString) => boolean): readonly PeerIdString[] {
    return this.#earlier.unread(hasAnswered)
  }

  /** Waits for no earlier holder any longer. */
  waive(): void {
    this.#earlier.waive()
  }

  /** The peers that held the journal on disk before this leadership. */
  get earlier(): readonly PeerIdString[] {
    return this.#earlier.newest?.holders ?? []
  }

  /** Whether every peer that ever held the journal has dropped its old entries. */
  get areOldGone(): boolean {
    return this.#own.areAllClean
  }

  /** Tells the newest list that was found. `copies`: the peers with a disk that are sent copies now. */
  tellEarlier(reachable: readonly PeerIdString[], copies: readonly PeerIdString[]): void {
    this.#earlier.sent(copies)
    const { newest } = this.#earlier
    if (newest === undefined) return
    this.#init.replica.copyList(this.#init.writer, newest)
    for (const to of this.#earlier.untold(reachable)) this.#init.emit({ type: 'tell', to, list: newest })
  }

  /** Whether {@link tell} may have something to do. `isEmpty`: whether the journal has no entries. */
  isDue(isEmpty: boolean): boolean {
    return this.#isDue || isEmpty !== this.#wasEmpty || !this.#areComplete || !this.#own.areAllClean
  }

  /** Returns the standbys that have stored all entries since they became standbys. Only these are holders. */
  complete(standbys: readonly PeerIdString[], isClean: (id: PeerIdString) => boolean): PeerIdString[] {
    for (const id of this.#complete) if (!standbys.includes(id)) this.#complete.delete(id)
    for (const id of standbys) if (!this.#complete.has(id) && isClean(id)) this.#complete.add(id)
    this.#areComplete = this.#complete.size === standbys.length
    return standbys.filter(id => this.#complete.has(id))
  }

  /** Whether a standby has stored all entries since it became a standby. */
  isComplete(id: PeerIdString): boolean {
    return this.#complete.has(id)
  }

  /** Tells who holds the journal now. Returns false if a newer leader has read the replica of this peer. */
  tell(now: HoldersNow): boolean {
    if (!this.#hasOwn) {
      for (const id of this.#outdated) this.#own.markOutdated(id)
      this.#own.floor = this.#floor
      this.#hasOwn = true
    }
    this.#isDue = false
    this.#wasEmpty = now.holders.length + now.inMemory.length === 0
    const { list, isNew, to } = this.#own.update(now, this.#earlier.newest)
    if (isNew && !this.#init.replica.note(list)) return false
    for (const id of to) this.#init.emit({ type: 'tell', to: id, list })
    return true
  }
}
