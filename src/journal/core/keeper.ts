/** The journal as every peer keeps it, for whoever leads: pure. */
import type { Limits } from '../../common/limits.ts'
import { compareStamps, compareWriters, type Entry, type Head, type Stamp, type Writer } from './entry.ts'

/** The rules that keep what was acknowledged; the simulation switches single ones off to see that it notices. */
export interface KeeperRules {
  /**
   * Only the newest leader that has read what is here may write: an older one was replaced by one that relies on what it read, and
   * whoever has not read would overwrite what it does not know.
   */
  obeysNewest: boolean
}

export const KEEPER_RULES: KeeperRules = { obeysNewest: true }

export class JournalKeeper<Record> {
  readonly #entries = new Map<string, Entry<Record>>()
  readonly #rules: KeeperRules
  readonly #sizeOf: (record: Record) => number
  #bytes = 0
  #reader: Writer | undefined

  /** @param sizeOf - what a record takes, in bytes; default: nothing */
  constructor(rules: KeeperRules = KEEPER_RULES, sizeOf: (record: Record) => number = () => 0) {
    this.#rules = rules
    this.#sizeOf = sizeOf
  }

  /** Whether there is room for an entry, in the place of the one before. */
  hasRoom(entry: Entry<Record>, { journalEntries, journalBytes }: Limits): boolean {
    const before = this.#entries.get(entry.job)
    const bytes = this.#bytes - (before === undefined ? 0 : this.#sizeOf(before.record)) + this.#sizeOf(entry.record)
    return this.#entries.size + (before === undefined ? 1 : 0) <= journalEntries && bytes <= journalBytes
  }

  #put(entry: Entry<Record>): void {
    this.#remove(entry.job)
    this.#entries.set(entry.job, entry)
    this.#bytes += this.#sizeOf(entry.record)
  }

  #remove(job: string): void {
    const held = this.#entries.get(job)
    if (held === undefined) return
    this.#entries.delete(job)
    this.#bytes -= this.#sizeOf(held.record)
  }

  /** The newest leader that has read what is here. */
  get reader(): Writer | undefined {
    return this.#reader
  }

  get(job: string): Entry<Record> | undefined {
    return this.#entries.get(job)
  }

  entries(): Entry<Record>[] {
    return [...this.#entries.values()]
  }

  /** What is here; from now on no older leader may write. Undefined: this one is older itself. */
  read(reader: Writer): Head[] | undefined {
    if (this.#rules.obeysNewest && this.#reader !== undefined && compareWriters(reader, this.#reader) < 0)
      return undefined
    this.#reader = reader
    return this.entries().map(headOf)
  }

  /** Keeps an entry; false: whoever writes is not the newest leader that has read. */
  write(entry: Entry<Record>): boolean {
    if (!this.obeys(entry.stamp)) return false
    const held = this.#entries.get(entry.job)
    if (held === undefined || compareStamps(entry.stamp, held.stamp) >= 0) this.#put(entry)
    return true
  }

  /**
   * Keeps what an earlier leader wrote, unless something of the job is here: which of the two counts is for whoever has read all. Whether it
   * is kept.
   */
  copy(writer: Writer, entry: Entry<Record>): boolean {
    if (!this.obeys(writer) || this.#entries.has(entry.job)) return false
    this.#put(entry)
    return true
  }

  /** Forgets an entry that is held elsewhere, unless it is newer than `stamp`. */
  forget(writer: Writer, job: string, stamp: Stamp): boolean {
    if (!this.obeys(writer)) return false
    const held = this.#entries.get(job)
    if (held !== undefined && compareStamps(held.stamp, stamp) <= 0) this.#remove(job)
    return true
  }

  /** Whether this one may write here: the newest leader that has read. */
  obeys(writer: Writer): boolean {
    return !this.#rules.obeysNewest || (this.#reader !== undefined && compareWriters(this.#reader, writer) === 0)
  }
}

export function headOf<Record>({ job, stamp, submissionId, end, hasOutcome }: Entry<Record>): Head {
  return { job, stamp, submissionId, end, hasOutcome }
}
