import type { PeerIdString } from '../../network/types.ts'
import type { Entry, Head, Writer } from './entry.ts'
import type { JournalEffect } from './events.ts'
import { headOf, type JournalReplica } from './replica.ts'
import type { JournalRules } from './rules.ts'

export interface RecoveryInit<Record> {
  writer: Writer
  replica: JournalReplica<Record>
  rules: JournalRules
  /** The entry of a job of this leadership. */
  own: (job: string) => Entry<Record> | undefined
  emit: (effect: JournalEffect<Record>) => void
}

/** Which copy of a job counts. */
export interface Decision<Record> {
  job: string
  /** Undefined: the entry of this leadership. */
  entry: Entry<Record> | undefined
  /** Who else has a copy of whatever age. */
  holders: PeerIdString[]
}

/**
 * The copies that earlier leaders left, until it is decided which one of each job counts. Reading can take seconds, and the holders of a copy may
 * die meanwhile; so each copy that is found goes to the standbys at once ({@link protect}), and is compared once all are known ({@link decide}).
 */
export class Recovery<Record> {
  readonly #init: RecoveryInit<Record>
  readonly #self: PeerIdString
  /** By job and holder. */
  readonly #copies = new Map<string, Map<PeerIdString, Head>>()
  /** The peer that each job was requested from. */
  readonly #fetching = new Map<string, PeerIdString>()
  /** Jobs whose copies changed since they were compared. */
  readonly #changed = new Set<string>()

  constructor(init: RecoveryInit<Record>) {
    this.#init = init
    this.#self = init.writer.rank.id
  }

  /** Whether every copy that was found is decided on. */
  get isDone(): boolean {
    return this.#copies.size === 0
  }

  has(job: string): boolean {
    return this.#copies.has(job)
  }

  add(holder: PeerIdString, head: Head): void {
    const copies = this.#copies.get(head.job)
    this.#changed.add(head.job)
    if (copies === undefined) this.#copies.set(head.job, new Map([[holder, head]]))
    else copies.set(holder, head)
  }

  /** The copies of a peer may be lost, and so may its answers. */
  lose(holder: PeerIdString): void {
    for (const [job, copies] of this.#copies) {
      if (this.#fetching.get(job) === holder) this.#fetching.delete(job)
      if (copies.has(holder)) this.#drop(job, copies, holder)
    }
  }

  /** Takes the answer to a fetch. Before all are read the copy is only stored here: which one counts is not known yet. */
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
    // First in the order, so that it is not requested again.
    if (this.#init.replica.copy(this.#init.writer, entry)) {
      this.#copies.set(job, new Map([[this.#self, headOf(entry)], ...copies]))
    }
    return undefined
  }

  /** Copies what was found to the standbys that have nothing of the job. */
  protect(standbys: readonly PeerIdString[]): void {
    for (const [job, copies] of this.#copies) {
      // A job of this leadership is replicated anyway; other copies of it are compared when all are read.
      if (this.#init.own(job) !== undefined) continue
      const here = copies.get(this.#self)
      if (here === undefined) {
        this.#fetch(job, this.#holderOfNewest(job, copies))
        continue
      }
      for (const to of standbys) {
        if (copies.has(to)) continue
        copies.set(to, here)
        this.#init.emit({ type: 'copy', to, entry: this.#init.replica.get(job)! })
      }
    }
  }

  /** Decides on the jobs whose newest copy is here, and fetches that of the others. */
  *decide(): Iterable<Decision<Record>> {
    for (const job of this.#changed) {
      this.#changed.delete(job)
      const copies = this.#copies.get(job)
      if (copies === undefined) continue
      const holder = this.#holderOfNewest(job, copies)
      if (holder === undefined) yield this.#decided(job, copies, undefined)
      else if (holder === this.#self) yield this.#decided(job, copies, this.#init.replica.get(job)!)
      else this.#fetch(job, holder)
    }
  }

  /** Who has the copy that counts; undefined: it is the entry of this leadership. */
  #holderOfNewest(job: string, copies: ReadonlyMap<PeerIdString, Head>): PeerIdString | undefined {
    const { rules } = this.#init
    const own = this.#init.own(job)
    const newest = rules.newest([...(own === undefined ? [] : [own]), ...copies.values()])!
    if (own !== undefined && !rules.overrules(newest)) return undefined
    return [...copies].find(([, head]) => head === newest)?.[0]
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
    return { job, entry, holders: [...copies.keys()].filter(id => id !== this.#self) }
  }
}
