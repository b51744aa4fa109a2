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
  changes: Change<Record>[]
  done: (() => void)[]
}

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
  #next: Commit<Record> = { changes: [], done: [] }
  #running: Commit<Record> | undefined
  #list: HolderList | undefined
  /** Grows with each crash. */
  #life = 0
  /** The longest usual sync, in ms. */
  readonly #slowness: number

  constructor(world: World, id: string, rules: JournalRules | undefined) {
    this.#world = world
    this.#id = id
    this.#rules = rules
    this.#slowness = world.random() < 0.8 ? 10 : 200
  }

  /** Returns the replica of a process that starts. */
  open(): JournalReplica<Record> {
    this.#list = this.lasting.list
    const replica = new JournalReplica<Record>(this.#rules, undefined, this)
    if (this.lasting.isDamaged) this.#write(lasting => this.markDamage(lasting))
    replica.restore({ ...this.lasting, entries: this.lasting.entries.values(), isIncomplete: this.hasLost('entries') })
    return replica
  }

  /** The list of holders that was here when the present life began. */
  get list(): HolderList | undefined {
    return this.#list
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
    this.#write(({ lost }) => (isIncomplete ? lost.add('entries') : lost.delete('entries')))
  }

  foundPromises(): void {
    this.#write(({ lost }) => lost.delete('promises'))
  }

  keepPromise(promised: Promised, done: () => void): void {
    this.#inThisLife(this.#world.random() * this.#slowness, () => {
      this.lasting.promised = promised
      this.#tell([done])
    })
  }

  put(entry: Entry<Record>): void {
    this.#write(({ entries }) => entries.set(entry.job, entry))
  }

  remove(job: string): void {
    this.#write(({ entries }) => entries.delete(job))
  }

  obey(reader: Writer): void {
    this.#write(lasting => {
      lasting.reader = reader
    })
  }

  note(list: HolderList): void {
    this.#write(lasting => {
      lasting.list = list
    })
  }

  /** Calls back when all that was written before is on disk. */
  whenSynced(done: () => void): void {
    if (this.#next.changes.length > 0) this.#next.done.push(done)
    else if (this.#running !== undefined) this.#running.done.push(done)
    else done()
  }

  keepAccepted(coordinator: CoordinatorMessage, done: () => void): void {
    this.#inThisLife(this.#world.random() * this.#slowness, () => {
      this.accepted = coordinator
      this.#tell([done])
    })
  }

  /** Ends with the process. The commit that runs may be on disk, as a whole, or not. */
  crash(): void {
    this.#life += 1
    if (this.#world.random() < 0.5) this.#apply(this.#running)
    this.#running = undefined
    this.#next = { changes: [], done: [] }
  }

  #write(change: Change<Record>): void {
    this.#next.changes.push(change)
    if (this.#next.changes.length === 1) this.#inThisLife(0, () => this.#commit())
  }

  #commit(): void {
    if (this.#running !== undefined || this.#next.changes.length === 0) return
    const { random } = this.#world
    this.#running = this.#next
    this.#next = { changes: [], done: [] }
    this.#inThisLife(random() < 0.95 ? random() * this.#slowness : random() * 1_000, () => this.#end())
  }

  #end(): void {
    const { done = [] } = this.#running ?? {}
    this.#apply(this.#running)
    this.#running = undefined
    this.#tell(done)
    this.#commit()
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
