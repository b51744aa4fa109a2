import type { PeerIdString } from '../../network/types.ts'
import { type Entry, type Head, runs, type Writer } from './entry.ts'
import type { JournalEffect } from './events.ts'
import type { HolderLists } from './holder-lists.ts'
import { headOf, type JournalReplica } from './replica.ts'
import type { JournalRules } from './rules.ts'

export interface RecoveryInit<Record> {
  writer: Writer
  replica: JournalReplica<Record>
  rules: JournalRules
  lists: Pick<HolderLists, 'mayHaveEnded'>
  canEnd?: ((record: Record) => boolean) | undefined
  /** Returns this leadership's entry of a job. */
  own: (job: string) => Entry<Record> | undefined
  emit: (effect: JournalEffect<Record>) => void
}

/** The decision which copy of a job counts. */
export interface Decision<Record> {
  job: string
  /** The entry of the copy that counts. Undefined if the entry of this leadership counts. */
  entry: Entry<Record> | undefined
  /** The other peers with a copy of any age. */
  holders: PeerIdString[]
}

/**
 * The copies that earlier leaders left. For each job, this class decides which copy counts. Reading can take seconds, and peers with a copy
 * may die during this time. So each found copy is sent to the standbys immediately ({@link protect}). When all copies are known, they are
 * compared ({@link decide}).
 */
export class Recovery<Record> {
  readonly #init: RecoveryInit<Record>
  readonly #self: PeerIdString
  /** The heads of the found copies, by job and holder. */
  readonly #copies = new Map<string, Map<PeerIdString, Head>>()
  /** For each requested job, the peer from which this leader requested the copy. */
  readonly #fetching = new Map<string, PeerIdString>()
  /** The jobs whose copies have changed since the last comparison. */
  readonly #changed = new Set<string>()

  constructor(init: RecoveryInit<Record>) {
    this.#init = init
    this.#self = init.writer.rank.id
  }

  /** Whether there is a decision on every found copy. */
  get isDone(): boolean {
    return this.#copies.size === 0
  }

  has(job: string): boolean {
    return this.#copies.has(job)
  }

  /** Whether there is no decision yet on a copy that `holder` has. */
  hasCopiesOf(holder: PeerIdString): boolean {
    return [...this.#copies.values()].some(copies => copies.has(holder))
  }

  add(holder: PeerIdString, head: Head): void {
    const copies = this.#copies.get(head.job)
    this.#changed.add(head.job)
    if (copies === undefined) this.#copies.set(head.job, new Map([[holder, head]]))
    else copies.set(holder, head)
  }

  /** Forgets the copies of a peer and the requests to this peer, because both may be lost. */
  lose(holder: PeerIdString): void {
    for (const [job, copies] of this.#copies) {
      if (this.#fetching.get(job) === holder) this.#fetching.delete(job)
      if (copies.has(holder)) this.#drop(job, copies, holder)
    }
  }

  /**
   * Handles the answer to a fetch. Until all journals are read, this leader only stores the copy, because it does not know yet
   * which copy counts.
   */
  receive(
    from: PeerIdString,
    job: string,
    entry: Entry<Record> | undefined,
    hasRead: boolean
  ): Decision<Record> | undefined {
    if (this.#fetching.get(job) !== from) return undefined
    this.#fetching.delete(job)
    this.#changed.add(job)
    const copies = this.#copies.get(job)
    if (copies === undefined) return undefined
    if (entry === undefined) {
      this.#drop(job, copies, from)
      return undefined
    }
    copies.set(from, headOf(entry))
    if (hasRead) return this.#holderOfNewest(job, copies) === from ? this.#decided(job, copies, entry) : undefined
    const copy = this.#marked(copies, entry)
    // This peer becomes the first holder in the map, so that the copy is not requested again.
    if (this.#init.replica.copy(this.#init.writer, copy)) {
      this.#copies.set(job, new Map([[this.#self, headOf(copy)], ...copies]))
    }
    return undefined
  }

  /** Sends the found copies to the standbys that have no copy of the job. */
  protect(standbys: readonly PeerIdString[]): void {
    for (const [job, copies] of this.#copies) {
      // An entry of this leadership is replicated without this step. Other copies of the job are compared when all journals are read.
      if (this.#init.own(job) !== undefined) continue
      const here = copies.get(this.#self)
      if (here === undefined) {
        this.#fetch(job, this.#holderOfNewest(job, copies))
        continue
      }
      for (const to of standbys) {
        if (copies.has(to)) continue
        const entry = this.#marked(copies, this.#init.replica.get(job)!)
        copies.set(to, headOf(entry))
        this.#init.emit({ type: 'copy', to, entry })
      }
    }
  }

  /** Decides on the jobs whose newest copy this peer stores, and fetches the newest copy of other jobs. */
  *decide(): Iterable<Decision<Record>> {
    for (const job of this.#changed) {
      this.#changed.delete(job)
      const copies = this.#copies.get(job)
      if (copies === undefined) continue
      const holder = this.#holderOfNewest(job, copies)
      if (holder === undefined) yield this.#decided(job, copies, this.#awakened(job, copies))
      else if (holder === this.#self) yield this.#decided(job, copies, this.#init.replica.get(job)!)
      else this.#fetch(job, holder)
    }
  }

  /** Returns the holder of the copy that counts, or undefined if the entry of this leadership counts. */
  #holderOfNewest(job: string, copies: ReadonlyMap<PeerIdString, Head>): PeerIdString | undefined {
    const { rules } = this.#init
    const own = this.#init.own(job)
    const newest = rules.newest([...(own === undefined ? [] : [own]), ...copies.values()])!
    if (own !== undefined && !rules.overrules(newest, own)) return undefined
    return [...copies].find(([, head]) => head === newest)?.[0]
  }

  /** Whether a running copy shows that its job has not ended. */
  #isEvidence(holder: PeerIdString, copy: Head): boolean {
    return runs(copy) && !this.#init.lists.mayHaveEnded(holder)
  }

  /** Returns a copy, marked as suspended if no peer shows that the job still runs. */
  #marked(copies: ReadonlyMap<PeerIdString, Head>, entry: Entry<Record>): Entry<Record> {
    const { own, canEnd } = this.#init
    if (entry.end !== undefined || canEnd?.(entry.record) === false) return entry
    const isSame = ({ submissionId }: Head): boolean => submissionId === entry.submissionId
    const ours = own(entry.job)
    const isShown =
      (ours !== undefined && isSame(ours) && runs(ours)) ||
      [...copies].some(([id, copy]) => isSame(copy) && this.#isEvidence(id, copy))
    return { ...entry, isSuspended: isShown ? undefined : true }
  }

  /** Returns the suspended entry of this leadership as one that runs, if a copy shows that its job has not ended. */
  #awakened(job: string, copies: ReadonlyMap<PeerIdString, Head>): Entry<Record> | undefined {
    const own = this.#init.own(job)
    if (own?.isSuspended !== true) return undefined
    const awake = this.#marked(copies, own)
    return awake.isSuspended === true ? undefined : awake
  }

  #fetch(job: string, holder: PeerIdString | undefined): void {
    if (holder === undefined || this.#fetching.get(job) === holder) return
    this.#fetching.set(job, holder)
    this.#init.emit({ type: 'fetch', to: holder, job })
  }

  #drop(job: string, copies: Map<PeerIdString, Head>, holder: PeerIdString): void {
    copies.delete(holder)
    this.#changed.add(job)
    if (copies.size === 0) this.#copies.delete(job)
  }

  #decided(job: string, copies: ReadonlyMap<PeerIdString, Head>, entry: Entry<Record> | undefined): Decision<Record> {
    this.#copies.delete(job)
    const holders = [...copies.keys()].filter(id => id !== this.#self)
    return { job, entry: entry && this.#marked(copies, entry), holders }
  }
}
