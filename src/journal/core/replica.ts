/** The copy of the leader's journal that a peer stores. */
import type { Limits } from '../../common/limits.ts'
import { compareStamps, compareWriters, type Entry, type Head, type Stamp, type Writer } from './entry.ts'
import { type HolderList, joined, type KnownList } from './holder-list.ts'
import { type JournalRules, journalRules } from './rules.ts'

/** Keeps a replica beyond the process: on disk. */
export interface ReplicaKeeper<Record> {
  put(entry: Entry<Record>): void
  remove(job: string): void
  /** From now on the replica obeys no leader before this one. */
  obey(reader: Writer): void
  /** Keeps the list of the peers that hold the journal. */
  note(list: HolderList): void
  /** Keeps whether entries are lost. */
  mark(isIncomplete: boolean): void
}

/** What the keeper has kept for an earlier process. */
export interface Kept<Record> {
  entries: Iterable<Entry<Record>>
  reader: Writer | undefined
  list: HolderList | undefined
  /** Whether entries are lost. Default: no. */
  isIncomplete?: boolean
}

export class JournalReplica<Record> {
  readonly #entries = new Map<string, Entry<Record>>()
  readonly #rules: Pick<JournalRules, 'mayRead' | 'mayWrite'>
  readonly #sizeOf: (record: Record) => number
  readonly #keeper: ReplicaKeeper<Record> | undefined
  #bytes = 0
  /** Called when entries are lost. */
  onLost: () => void = () => {}
  #reader: Writer | undefined
  #known: KnownList = { list: undefined, isFresh: false }
  #isIncomplete = false

  /**
   * @param sizeOf - returns the size of a record in bytes; default: returns 0
   * @param keeper - default: the replica is lost with the process
   */
  constructor(
    rules: Pick<JournalRules, 'mayRead' | 'mayWrite'> = journalRules,
    sizeOf: (record: Record) => number = () => 0,
    keeper?: ReplicaKeeper<Record>
  ) {
    this.#rules = rules
    this.#sizeOf = sizeOf
    this.#keeper = keeper
  }

  /** Whether the replica is kept beyond the process, once what it was given is synced. */
  get isDurable(): boolean {
    return this.#keeper !== undefined
  }

  /** Takes over what the keeper has kept for an earlier process. */
  restore({ entries, reader, list, isIncomplete = false }: Kept<Record>): void {
    for (const entry of entries) this.#set(entry)
    this.#reader = reader
    this.#known = { list, isFresh: false }
    this.#isIncomplete = isIncomplete
  }

  /** Whether this replica has lost entries that it had stored, and has not caught up since. */
  get isIncomplete(): boolean {
    return this.#isIncomplete
  }

  /** Records that entries are lost. */
  markIncomplete(): void {
    if (this.#isIncomplete) return
    this.#isIncomplete = true
    this.#keeper?.mark(true)
  }

  /** Drops entries that cannot be read any more. */
  lose(entries: readonly Entry<Record>[]): void {
    for (const entry of entries) this.#remove(entry)
    this.markIncomplete()
    this.onLost()
  }

  /** Records that this replica has all entries again. */
  markWhole(writer: Writer): void {
    if (!this.#isIncomplete || !this.obeys(writer)) return
    this.#isIncomplete = false
    this.#keeper?.mark(false)
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size
  }

  /** Whether the replica has room for an entry. The entry replaces the earlier entry of the job. */
  hasRoom(entry: Entry<Record>, { journalEntries, journalBytes }: Limits): boolean {
    const before = this.#entries.get(entry.job)
    const bytes = this.#bytes - (before === undefined ? 0 : this.#sizeOf(before.record)) + this.#sizeOf(entry.record)
    return this.#entries.size + (before === undefined ? 1 : 0) <= journalEntries && bytes <= journalBytes
  }

  /** The newest leader that has read this replica. */
  get reader(): Writer | undefined {
    return this.#reader
  }

  /** The newest list of holders that this replica was told. */
  get known(): KnownList {
    return this.#isIncomplete ? { ...this.#known, isFresh: false } : this.#known
  }

  /** Keeps the list of the peers that hold the journal. Returns false if its writer may not write. */
  note(list: HolderList): boolean {
    if (!this.obeys(list.stamp)) return false
    this.#known = { list, isFresh: true }
    this.#keeper?.note(list)
    return true
  }

  /** Keeps an earlier leader's list, unless a newer one is known. */
  copyList(writer: Writer, list: HolderList): void {
    const kept = joined(this.#known.list, list)
    if (!this.obeys(writer) || kept === this.#known.list) return
    this.#known = { ...this.#known, list: kept }
    this.#keeper?.note(kept)
  }

  get(job: string): Entry<Record> | undefined {
    return this.#entries.get(job)
  }

  entries(): Entry<Record>[] {
    return [...this.#entries.values()]
  }

  /**
   * Returns the heads of all entries. From then on no older leader may write. Returns `undefined` if a newer leader has already read.
   */
  read(reader: Writer): Head[] | undefined {
    if (!this.#rules.mayRead(reader, this.#reader)) return undefined
    const isNewer = this.#reader === undefined || compareWriters(reader, this.#reader) > 0
    this.#reader = reader
    if (isNewer) this.#keeper?.obey(reader)
    return this.entries().map(headOf)
  }

  /** Whether `writer` may write to this replica. Only the newest reader may write. */
  obeys(writer: Writer): boolean {
    return this.#rules.mayWrite(writer, this.#reader)
  }

  /** Stores an entry, unless the replica has a newer entry. Returns false if the writer of the entry may not write. */
  write(entry: Entry<Record>): boolean {
    if (!this.obeys(entry.stamp)) return false
    const stored = this.#entries.get(entry.job)
    if (stored === undefined || compareStamps(entry.stamp, stored.stamp) >= 0) this.#put(entry)
    return true
  }

  /**
   * Stores an earlier leader's entry, unless the replica has an entry of the job. Only a leader that has read all journals can
   * choose between two entries. Returns whether the entry is stored.
   */
  copy(writer: Writer, entry: Entry<Record>): boolean {
    if (!this.obeys(writer) || this.#entries.has(entry.job)) return false
    this.#put(entry)
    return true
  }

  /** Forgets an entry that other peers store, unless the entry is newer than `stamp`. */
  forget(writer: Writer, job: string, stamp: Stamp): void {
    const stored = this.#entries.get(job)
    if (stored !== undefined && this.obeys(writer) && compareStamps(stored.stamp, stamp) <= 0) this.#remove(stored)
  }

  #put(entry: Entry<Record>): void {
    this.#set(entry)
    this.#keeper?.put(entry)
  }

  #set(entry: Entry<Record>): void {
    const before = this.#entries.get(entry.job)
    this.#bytes += this.#sizeOf(entry.record) - (before === undefined ? 0 : this.#sizeOf(before.record))
    // A changed entry becomes the last one.
    this.#entries.delete(entry.job)
    this.#entries.set(entry.job, entry)
  }

  #remove({ job, record }: Entry<Record>): void {
    this.#entries.delete(job)
    this.#bytes -= this.#sizeOf(record)
    this.#keeper?.remove(job)
  }
}

export function headOf<Record>({ record: _, ...head }: Entry<Record>): Head {
  return head
}
