/** The disk of a simulated peer. It loses what was not synced when the peer crashes, and takes its time. */
import type { CoordinatorMessage } from '../../src/election/core/messages.ts'
import type { Promised } from '../../src/election/quorum/voter.ts'
import type { Entry, Writer } from '../../src/journal/core/entry.ts'
import type { HolderList } from '../../src/journal/core/holder-list.ts'
import { JournalReplica, type ReplicaKeeper } from '../../src/journal/core/replica.ts'
import type { JournalRules } from '../../src/journal/core/rules.ts'
import { LOSSES, type Loss } from '../../src/persistence/log/damage-note.ts'
import type { World } from './world.ts'

type Change<Record> = (disk: Lasting<Record>) => unknown
/** Calls back when the disk has taken something (true), or when it does not take it for now (false). */
type Done = (isOnDisk: boolean) => void

export interface Lasting<Record> {
  entries: Map<string, Entry<Record>>
  reader: Writer | undefined
  list: HolderList | undefined
  /** The newest promise of a voter. */
  promised: Promised | undefined
  /** What is marked as lost, and not found again yet. */
  lost: Set<Loss>
  /** Whether something is missing that an opening of the disk notices. The next commit hides it, and marks it as lost. */
  isDamaged: boolean
}

interface Commit<Record> {
  /** The keys of the changes. */
  keys: Set<string>
  changes: Change<Record>[]
  done: (() => void)[]
}

/** Changes that wait for each other. */
interface Lane<Record> {
  next: Commit<Record>
  running: Commit<Record> | undefined
  /** The longest usual sync, in ms. */
  slowness: number
}

/** The keys of what is no job. */
const READER = '/reader'
const LIST = '/list'
const LOST = '/lost'

export class SimulatedDisk<Record> implements ReplicaKeeper<Record> {
  /** What is on disk. */
  readonly lasting: Lasting<Record> = {
    entries: new Map(),
    reader: undefined,
    list: undefined,
    promised: undefined,
    lost: new Set(),
    isDamaged: false
  }
  /** The newest leadership that the peer has accepted. It waits for no other write. */
  accepted: CoordinatorMessage | undefined
  readonly #world: World
  readonly #id: string
  readonly #rules: JournalRules | undefined
  readonly #bulk: Lane<Record>
  /** Large entries have a lane of their own. */
  readonly #large: Lane<Record>
  /** Whether the disk takes nothing now. */
  isFailing = false
  /** Whether the disk has failed in this life. */
  hasFailed = false
  /** Those who wait for the disk, and have not heard that it fails. */
  readonly #unaware = new Set<() => void>()
  /** Grows with each crash. */
  #life = 0

  constructor(world: World, id: string, rules: JournalRules | undefined) {
    this.#world = world
    this.#id = id
    this.#rules = rules
    const slowness = world.random() < 0.8 ? 10 : 200
    this.#bulk = { next: emptyCommit(), running: undefined, slowness }
    this.#large = { next: emptyCommit(), running: undefined, slowness: 10 * slowness }
  }

  /** Returns the replica of a process that starts. */
  open(): JournalReplica<Record> {
    const replica = new JournalReplica<Record>(this.#rules, undefined, this)
    if (this.lasting.isDamaged) this.#write(LOST, lasting => this.markDamage(lasting))
    replica.restore({ ...this.lasting, entries: this.lasting.entries.values(), isIncomplete: this.hasLost('entries') })
    return replica
  }

  /** Returns a copy of what is on disk. */
  backUp(): Lasting<Record> {
    return copyOf(this.lasting)
  }

  /** Puts an earlier state back. */
  putBack(backup: Lasting<Record>): void {
    Object.assign(this.lasting, copyOf(backup))
  }

  /** Whether something was lost, also by a damage that this opening has noticed. */
  hasLost(loss: Loss): boolean {
    return this.lasting.isDamaged || this.lasting.lost.has(loss)
  }

  /** Marks on the disk what is lost. Afterwards the damage itself shows no more. */
  markDamage(lasting: Lasting<Record>): void {
    lasting.isDamaged = false
    for (const loss of LOSSES) lasting.lost.add(loss)
  }

  mark(isIncomplete: boolean): void {
    this.#write(LOST, ({ lost }) => (isIncomplete ? lost.add('entries') : lost.delete('entries')))
  }

  foundPromises(): void {
    this.#write(LOST, ({ lost }) => lost.delete('promises'))
  }

  keepPromise(promised: Promised, done: () => void): void {
    this.#inThisLife(this.#world.random() * this.#bulk.slowness, () => {
      this.lasting.promised = promised
      this.#tell([done])
    })
  }

  put(entry: Entry<Record>): void {
    this.#write(entry.job, ({ entries }) => entries.set(entry.job, entry))
  }

  remove(job: string): void {
    this.#write(job, ({ entries }) => entries.delete(job))
  }

  obey(reader: Writer): void {
    this.#write(READER, lasting => {
      lasting.reader = reader
    })
  }

  note(list: HolderList): void {
    this.#write(LIST, lasting => {
      lasting.list = list
    })
  }

  /** Calls back when all that was written before, or this job, is on disk. While the disk fails, calls back at once, and again afterwards. */
  whenSynced(done: Done, job?: string): void {
    const keys = job === undefined ? undefined : [READER, LIST, job]
    const isAwaited = (commit: Commit<Record> | undefined): boolean =>
      commit !== undefined && (keys?.some(key => commit.keys.has(key)) ?? commit.keys.size > 0)
    const commits = [this.#bulk, this.#large].flatMap(({ running, next }) =>
      [running, next].filter(commit => commit !== undefined).filter(isAwaited)
    )
    if (commits.length === 0) {
      done(true)
      return
    }
    const warn = (): void => {
      if (this.#unaware.delete(warn)) done(false)
    }
    this.#unaware.add(warn)
    let left = commits.length
    for (const commit of commits)
      commit.done.push(() => {
        left -= 1
        if (left > 0) return
        this.#unaware.delete(warn)
        done(true)
      })
    if (this.isFailing) warn()
  }

  keepAccepted(coordinator: CoordinatorMessage, done: () => void): void {
    this.#inThisLife(this.#world.random() * this.#bulk.slowness, () => {
      this.accepted = coordinator
      this.#tell([done])
    })
  }

  /** Takes nothing for some time, as if the disk were full. */
  fail(ms: number): void {
    if (this.isFailing) return
    this.#world.trace('world', `lets the disk of ${this.#id} fail`)
    this.isFailing = true
    this.hasFailed = true
    this.#tell([...this.#unaware])
    this.#world.after(ms, () => {
      this.isFailing = false
      for (const lane of [this.#bulk, this.#large]) this.#commit(lane)
    })
  }

  /** Ends with the process. The commits that run may be on disk, as a whole, or not. */
  crash(): void {
    this.#life += 1
    this.hasFailed = this.isFailing
    this.#unaware.clear()
    for (const lane of [this.#bulk, this.#large]) {
      if (this.#world.random() < 0.5 && !this.isFailing) this.#apply(lane.running)
      lane.running = undefined
      lane.next = emptyCommit()
    }
  }

  #write(key: string, change: Change<Record>): void {
    const lane = isLarge(key) ? this.#large : this.#bulk
    lane.next.changes.push(change)
    lane.next.keys.add(key)
    if (lane.next.changes.length === 1) this.#inThisLife(0, () => this.#commit(lane))
  }

  #commit(lane: Lane<Record>): void {
    if (this.isFailing || lane.running !== undefined || lane.next.changes.length === 0) return
    const { random } = this.#world
    lane.running = lane.next
    lane.next = emptyCommit()
    this.#inThisLife(random() < 0.95 ? random() * lane.slowness : random() * 1_000, () => this.#end(lane))
  }

  #end(lane: Lane<Record>): void {
    const { running } = lane
    if (running === undefined) return
    lane.running = undefined
    if (this.isFailing) {
      // It is tried again with what has come since.
      const { next } = lane
      lane.next = {
        keys: new Set([...running.keys, ...next.keys]),
        changes: [...running.changes, ...next.changes],
        done: [...running.done, ...next.done]
      }
      return
    }
    this.#apply(running)
    this.#tell(running.done)
    this.#commit(lane)
  }

  /** A process that is paused hears of it afterwards. */
  #tell(done: readonly (() => void)[]): void {
    if (this.#world.isPaused(this.#id)) this.#inThisLife(50, () => this.#tell(done))
    else for (const tell of done) tell()
  }

  #apply(commit: Commit<Record> | undefined): void {
    for (const change of commit?.changes ?? []) change(this.lasting)
  }

  #inThisLife(ms: number, run: () => void): void {
    const life = this.#life
    this.#world.after(ms, () => {
      if (this.#life === life) run()
    })
  }
}

function copyOf<Record>({ entries, lost, ...rest }: Lasting<Record>): Lasting<Record> {
  return { ...rest, entries: new Map(entries), lost: new Set(lost) }
}

function emptyCommit<Record>(): Commit<Record> {
  return { keys: new Set(), changes: [], done: [] }
}

function isLarge(key: string): boolean {
  return /[369]$/.test(key)
}
