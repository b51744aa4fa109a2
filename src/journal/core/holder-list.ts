import type { PeerIdString } from '../../network/types.ts'
import { compareFloors, compareStamps, compareWriters, type Stamp, type Writer } from './entry.ts'

/** The most peers that are known to be behind. The oldest ones are forgotten first. */
const MOST_BEHIND = 256

/** Which peers hold the journal. Each peer keeps the newest list that it was told, for the time after a full stop. */
export interface HolderList {
  /** The leadership that wrote the list, and the number of the list in it. */
  stamp: Stamp
  /** The holders with a disk. */
  holders: readonly PeerIdString[]
  /** The holders without a disk. They do not return after a restart. */
  inMemory: readonly PeerIdString[]
  /** Earlier holders that may still have old entries, because they have not confirmed yet that they dropped them. */
  behind: readonly PeerIdString[]
  /** The ends of jobs up to this one may be forgotten. Undefined if no end is. */
  floor?: Stamp | undefined
  /** The peers that did not know the floor when they were read. Their running jobs may be those whose end is forgotten. Default: none. */
  outdated?: readonly PeerIdString[] | undefined
}

/** The list that a replica knows. */
export interface KnownList {
  list: HolderList | undefined
  /** Whether this process was told the list, or wrote it. If not, the list is from before a restart. */
  isFresh: boolean
}

/**
 * The holders of the journal before this leadership. After a full stop the peer that comes first may have an old copy of the journal, so it waits
 * for another one of the newest holders that it knows.
 */
export class EarlierHolders {
  readonly #self: PeerIdString
  #newest: HolderList | undefined
  readonly #isFresh: boolean
  /** The peers from which this leader has a list, this one among them. */
  readonly #tellers = new Set<PeerIdString>()
  #isWaived = false
  /** The list that each peer was told on the present connection. */
  readonly #told = new Map<PeerIdString, HolderList>()

  constructor(self: PeerIdString, { list, isFresh }: KnownList) {
    this.#self = self
    this.#newest = list
    this.#isFresh = isFresh
    if (list !== undefined) this.#tellers.add(self)
  }

  /** The newest list that this leader has found. */
  get newest(): HolderList | undefined {
    return this.#newest
  }

  /** Handles the list that another peer knows. */
  add(from: PeerIdString, list: HolderList): void {
    this.#tellers.add(from)
    this.#newest = joined(this.#newest, list)
  }

  /** Records which of the peers that were read did not know the floor. */
  mark(outdated: readonly PeerIdString[]): void {
    if (this.#newest !== undefined && !isSame(this.#newest.outdated, outdated))
      this.#newest = { ...this.#newest, outdated }
  }

  /** Records that peers are sent copies before this leader has a list of its own. */
  sent(ids: readonly PeerIdString[]): void {
    const list = this.#newest
    const more = ids.filter(id => list !== undefined && !list.holders.includes(id) && !list.behind.includes(id))
    if (list !== undefined && more.length > 0) this.#newest = { ...list, behind: [...list.behind, ...more] }
  }

  /** Returns the peers that are to be told the newest list, because this leader may die before it has read all. */
  untold(reachable: readonly PeerIdString[]): PeerIdString[] {
    const list = this.#newest
    if (list === undefined) return []
    const untold = reachable.filter(id => this.#told.get(id) !== list)
    for (const id of untold) this.#told.set(id, list)
    return untold
  }

  /** Forgets what was told to a peer, because the messages may be lost. */
  reset(id: PeerIdString): void {
    this.#told.delete(id)
  }

  /** Waits for no holder any longer. */
  waive(): void {
    this.#isWaived = true
  }

  /** The holders of which the leader waits for one. Empty if it need not wait. */
  unread(hasAnswered: (id: PeerIdString) => boolean): readonly PeerIdString[] {
    const { holders = [], inMemory = [] } = this.#newest ?? {}
    if (this.#isWaived || (this.#isFresh && [...holders, ...inMemory].includes(this.#self))) return []
    // A list from before a restart does not prove that its peer was a holder to the end: others may have gone on without it. So two must tell one.
    const others = holders.filter(id => id !== this.#self)
    if (this.#tellers.size > 1 && [...others, ...inMemory].some(hasAnswered)) return []
    return others.filter(id => !hasAnswered(id))
  }
}

/** Joins two lists: the newer one counts, with the higher floor, and the peers of the other one may have old entries. */
export function joined(a: HolderList | undefined, b: HolderList): HolderList {
  if (a === undefined) return b
  const [newer, older] = compareStamps(a.stamp, b.stamp) >= 0 ? [a, b] : [b, a]
  const known = new Set([...newer.holders, ...newer.behind])
  const more = [...older.holders, ...older.behind].filter(id => !known.has(id))
  const behind = [...newer.behind, ...new Set(more)]
  const outdated = [...new Set([...(newer.outdated ?? []), ...(older.outdated ?? [])])]
  const isRaised = compareFloors(older.floor, newer.floor) > 0
  if (more.length === 0 && !isRaised && isSame(newer.outdated, outdated)) return newer
  return { ...newer, behind, floor: isRaised ? older.floor : newer.floor, outdated }
}

function isSame(a: readonly PeerIdString[] = [], b: readonly PeerIdString[] = []): boolean {
  return a.join() === b.join()
}

/** The present state of the journal's holders. */
export interface HoldersNow {
  /** The peers that hold the journal: those with a disk, and the others. */
  holders: readonly PeerIdString[]
  inMemory: readonly PeerIdString[]
  /** The peers with a disk that are sent entries, and do not have all of them on it. This peer itself is one while its disk fails. */
  incomplete: readonly PeerIdString[]
  /** The peers that this leader can tell the list. */
  reachable: readonly PeerIdString[]
  /** Whether a peer has dropped all entries that count no longer, as soon as it has handled the messages sent so far. */
  isClean(id: PeerIdString): boolean
  /** Whether this peer itself has the present entries only, after a restart too. */
  isCleanHere(): boolean
}

/** The list of a leadership, as it changes and is told to the other peers. */
export class HolderListWriter {
  readonly #writer: Writer
  #list: HolderList | undefined
  /** The version that each peer was told on the present connection. */
  readonly #told = new Map<PeerIdString, number>()
  /** For each clean peer, the version whose confirmation shows that the peer has dropped its old entries. */
  readonly #asked = new Map<PeerIdString, number>()
  readonly #confirmed = new Set<PeerIdString>()
  /** The peers that became known as earlier holders since the last update. */
  readonly #more = new Set<PeerIdString>()
  /** The peers that became known as outdated since the last update. */
  readonly #outdated = new Set<PeerIdString>()
  floor: Stamp | undefined
  /** Whether the floor was raised since the last update. */
  #isRaised = false

  constructor(writer: Writer) {
    this.#writer = writer
  }

  /** Whether every peer that held the journal has the present entries only. */
  get areAllClean(): boolean {
    return this.#list?.behind.length === 0 && this.#list.outdated?.length === 0
  }

  /** Handles the list that a peer has kept which was read later. The peers in it may have old entries. */
  merge({ stamp, holders, behind, floor }: HolderList): void {
    if (compareWriters(stamp, this.#writer) === 0) return
    for (const id of [...holders, ...behind]) this.#more.add(id)
    if (floor !== undefined) this.raise(floor)
  }

  /** Raises the floor. From now on all peers that may have old entries are outdated. */
  raise(floor: Stamp): void {
    if (compareFloors(floor, this.floor) <= 0) return
    this.floor = floor
    this.#isRaised = true
  }

  /** Records that a peer may have running copies of jobs whose end is forgotten, until it is clean. */
  markOutdated(id: PeerIdString): void {
    this.#more.add(id)
    this.#outdated.add(id)
    this.#forgetAnswer(id)
  }

  /** Handles that a peer keeps the list of this version, and has handled all that was sent to it before. */
  onNoted(id: PeerIdString, version: number): void {
    if (version < (this.#asked.get(id) ?? Number.POSITIVE_INFINITY)) return
    this.#asked.delete(id)
    this.#confirmed.add(id)
  }

  /** Forgets what was told to a peer, because the messages may be lost. */
  reset(id: PeerIdString): void {
    this.#told.delete(id)
    this.#forgetAnswer(id)
  }

  #forgetAnswer(id: PeerIdString): void {
    this.#asked.delete(id)
    this.#confirmed.delete(id)
  }

  /** Brings the list up to date. Returns the list if it has changed, and the peers that must be told. */
  update(now: HoldersNow, earlier: HolderList | undefined): { list: HolderList; isNew: boolean; to: PeerIdString[] } {
    const before = this.#list ?? earlier
    const left = before?.holders.filter(id => !now.holders.includes(id)) ?? []
    // Until a disk has all that this leader has, those that had all before it are the ones to wait for after a full stop.
    const isOnNoDisk = now.holders.length === 0 && now.inMemory.length + now.incomplete.length > 0
    const holders = isOnNoDisk ? left : now.holders
    // What these have confirmed as holders, or before they were sent entries again, says nothing about the copies that they drop now.
    for (const id of [...left, ...now.incomplete]) this.#forgetAnswer(id)
    const was = (before?.behind ?? []).filter(id => !this.#confirmed.has(id))
    const all = new Set([...was, ...left, ...now.incomplete, ...this.#more])
    const self = this.#writer.rank.id
    const old = new Set([...(before?.outdated ?? []), ...this.#outdated, ...(this.#isRaised ? [...all, self] : [])])
    const isOldHere = (all.has(self) || old.has(self)) && (now.incomplete.includes(self) || !now.isCleanHere())
    if (!isOldHere) all.delete(self)
    const behind = [...all].slice(-MOST_BEHIND)
    const outdated = [...old].filter(id => (id === self ? isOldHere : behind.includes(id)))
    const isRaised = this.#isRaised
    this.#confirmed.clear()
    this.#more.clear()
    this.#outdated.clear()
    this.#isRaised = false
    // To ask one that is behind again as soon as it has answered would never end.
    const mayAsk = (id: PeerIdString): boolean =>
      !this.#asked.has(id) && !now.incomplete.includes(id) && (!isOnNoDisk || !left.includes(id))
    const clean = behind.filter(id => mayAsk(id) && now.reachable.includes(id) && now.isClean(id))
    const isNew =
      this.#list === undefined ||
      clean.length > 0 ||
      isRaised ||
      !isSame(this.#list.outdated, outdated) ||
      !isSame(this.#list.holders, holders) ||
      !isSame(this.#list.inMemory, now.inMemory) ||
      !isSame(this.#list.behind, behind)
    if (isNew) {
      const version = (this.#list?.stamp.version ?? 0) + 1
      const { inMemory } = now
      this.#list = { stamp: { ...this.#writer, version }, holders, inMemory, behind, floor: this.floor, outdated }
      for (const id of clean) this.#asked.set(id, version)
    }
    const list = this.#list!
    const to = now.reachable.filter(id => this.#told.get(id) !== list.stamp.version)
    for (const id of to) this.#told.set(id, list.stamp.version)
    return { list, isNew, to }
  }
}
