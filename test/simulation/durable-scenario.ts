/**
 * One world of peers that keep their journals on disk, with crashes of single peers and of all at once drawn from a seed, and the invariants of the
 * world. In some worlds a disk is damaged, or put back from an earlier time, or ends of jobs are forgotten while a peer may have older entries.
 */
import { compareRanks, type Rank } from '../../src/election/core/rank.ts'
import { compareFloors, type End, type Entry, type Head, type Stamp } from '../../src/journal/core/entry.ts'
import { type HolderList, joined } from '../../src/journal/core/holder-list.ts'
import type { JournalRules } from '../../src/journal/core/rules.ts'
import { type Lasting, SimulatedDisk } from './disk.ts'
import { IdealMembership } from './election-ideal.ts'
import { type Failure, failureOf } from './failure.ts'
import { type JobRecord, JournalProcess, type Term } from './journal.ts'
import { ASK_MS, ASKED_MS, CALM_MS, FAULTY_MS, type Job } from './journal-scenario.ts'
import { type Host, World } from './world.ts'

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runDurableSeed(seed: number, rules?: JournalRules): Failure | undefined {
  return failureOf(seed, new Scenario(seed, rules))
}

/** How long a slice of a job takes, in ms. A checkpoint follows each one. */
const SLICE_MS = 400
/** How long a leader waits for another holder, in ms: longer than any peer stays away, or so short that it goes on with old copies. */
const RECOVER_WAITS = [16_500, 500] as const
/** How long the end of a job is kept at least, in ms. */
const KEEP_MS = 2_000
/** The time, in ms, after the last peer has returned, within which jobs go on from the latest acknowledged checkpoint. */
const FOUND_MS = 4_000
/** How long a peer is away before the end of the faults, in ms. It often comes back first, with old copies. */
const AWAY_MS = 4_000
/** The most ends of jobs that a leader keeps in some worlds. */
const MOST_ENDED = 2
/** The most disks that a job asks for. */
const MOST_DISKS = 4
/** The name of a job that takes longer than the world. */
const ENDLESS = 'endless'

/** An end that a leader forgot. */
interface Forgotten {
  end: Head
  /** The leadership that forgot it, and when. */
  by: string
  at: number
  /** The floor that this leadership knew then. */
  floor: Stamp | undefined
}

interface Peer {
  process: JournalProcess
  disk: SimulatedDisk<JobRecord> | undefined
}

class Scenario {
  readonly world: World
  readonly #rules: JournalRules | undefined
  readonly #recoverWait: number
  readonly #peers = new Map<string, Peer>()
  readonly #jobs = new Map<string, Job>()
  /** The peers that were ever paused. Without voters others may have gone on meanwhile, as in a partition. */
  readonly #paused = new Set<string>()
  /** The newest list of holders that each leader could know when it became ready. */
  readonly #found = new Map<string, HolderList | undefined>()
  /** The peers that each leader had read when it became ready. */
  readonly #readAtReady = new Map<string, readonly string[]>()
  /** For each job whose end was forgotten, that end. */
  readonly #forgotten = new Map<string, Forgotten>()
  /** When each leadership became ready, by its epoch and its leader. */
  readonly #readyAt = new Map<string, number>()
  /**
   * Whether a leader went on without another holder, as its wait was over. Others may do so as well, and which of their floors is the newer one, nobody
   * can tell from then on: the higher one counts.
   */
  #isSplit = false
  /** The jobs that ran again because a client asked, or because no peer that the leader had read knew of their ends. */
  readonly #revived = new Set<string>()
  /** The peers whose disks were damaged, or put back from an earlier time. */
  readonly #flawed = new Set<string>()
  readonly #mayPause: boolean
  readonly #mostEnded: number
  /**
   * The copies that leaders spread while they read. A leader that crashes then may not have noted on any disk where they are.
   */
  readonly #copied = new Set<string>()
  /** For each job, the slices that an acknowledged checkpoint covers. */
  readonly #covered = new Map<string, { submissionId: string; next: number }>()
  /** The peers that never return. */
  readonly #gone = new Set<string>()
  /** The number of disks that were lost at the end, whatever was on them. */
  #lost = 0

  constructor(seed: number, rules: JournalRules | undefined) {
    this.world = new World(seed)
    this.#rules = rules
    const { random } = this.world
    this.#mayPause = seed % 2 === 1
    this.#mostEnded = seed % 3 === 0 ? MOST_ENDED : Number.POSITIVE_INFINITY
    if (seed % 3 === 2) this.world.after(4_000 + random() * 8_000, () => this.#spoil())
    this.#recoverWait = RECOVER_WAITS[random() < 0.5 ? 0 : 1]
    const size = 3 + Math.floor(random() * 4)
    // At least two of them have a disk.
    for (let i = 0; i < size; i++) this.world.after(random() * 1_000, () => this.#join(i < 2 || random() < 0.7))
  }

  run(): void {
    const { world } = this
    const { random } = world
    world.faults = { loss: random() * 0.05, gossipLoss: random() * 0.2, delay: [1, 5 + random() * 30] }
    for (let at = 2_500 + random() * 2_000; at < FAULTY_MS; at += 300 + random() * 4_000)
      world.after(at, () => this.#fault())
    world.after(1_000, () => this.#client(ENDLESS, 10 * (FAULTY_MS + CALM_MS)))
    for (let at = 1_000; at < FAULTY_MS; at += random() * 2_000) world.after(at, () => this.#client())
    if (!this.#mayPause) world.after(FAULTY_MS - AWAY_MS, () => this.#sendAway())
    world.run(FAULTY_MS)
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    // Most of all a full stop before shows who went on with an old copy.
    if (random() < 0.5) this.#crash(this.#up, false)
    if (random() < 0.5) this.#loseDisks()
    const within = random() < 0.5 ? 1_000 : 5_000
    for (const id of world.ids()) world.after(random() * within, () => this.#restart(id))
    const covered = new Map(this.#covered)
    world.run(within + FOUND_MS)
    this.#checkProgress(covered)
    world.run(this.#calm - within - FOUND_MS)
    this.#checkEnd()
  }

  /** How long all goes well in the end, in ms. The last leader may have to wait for another holder, and then runs all jobs. */
  get #calm(): number {
    return CALM_MS + this.#recoverWait
  }

  #join(hasDisk: boolean): void {
    const { world } = this
    const id = `${String.fromCharCode(97 + Math.floor(world.random() * 26))}${this.#peers.size}`
    const disk = hasDisk ? new SimulatedDisk<JobRecord>(world, id, this.#rules) : undefined
    world.add(id, host => {
      const process = new JournalProcess(host, {
        election: {
          traceRepetitions: false,
          accepted: disk?.accepted,
          epoch: disk?.accepted === undefined ? 0 : disk.accepted.epoch + 1,
          persist: (coordinator, done) => {
            if (disk === undefined) done()
            else disk.keepAccepted(coordinator, done)
          }
        },
        membership: (host, hooks) => this.#membership(host, hooks),
        priority: 0,
        disk,
        hasDisk: other => this.#hasDisk(other),
        judge: {
          forgot: () => {},
          ready: leader => this.#onReady(leader),
          accepted: (leader, epoch, job) => this.#onAccepted(leader, epoch, job),
          ended: (leader, epoch, job, end) => this.#onEnded(leader, epoch, job, end),
          unknown: () => {},
          given: (leader, job) => this.#onGiven(leader, job),
          copied: (id, { submissionId }) => this.#copied.add(`${id} ${submissionId}`),
          forgets: (leader, entry, isForced) => this.#onForget(leader, entry, isForced),
          // A client that asks for a job whose end is forgotten runs it again.
          resumes: job => this.#revived.add(job),
          suspends: (leader, entry) => this.#onSuspends(leader, entry),
          goesOn: (leader, job) => this.#onGoesOn(leader, job),
          checkpointed: (job, submissionId, next) => this.#onCheckpoint(job, submissionId, next)
        },
        slice: SLICE_MS,
        keeps: KEEP_MS,
        mostEnded: this.#mostEnded,
        recoverWait: this.#recoverWait,
        ...(this.#rules === undefined ? {} : { rules: this.#rules })
      })
      this.#peers.set(id, { process, disk })
      return process
    })
  }

  #membership(host: Host, hooks: ConstructorParameters<typeof IdealMembership>[1]): IdealMembership {
    const truth = {
      ids: () => this.world.ids(),
      areConnected: (a: string, b: string) =>
        [a, b].every(id => this.world.isUp(id)) && ![a, b].some(id => this.world.isPaused(id)),
      roleOf: () => 'auto' as const,
      priorityOf: () => 0,
      hasLeft: () => false
    }
    return new IdealMembership(host, hooks, truth, { poll: 100, silence: [500, 4_000], pushPull: 4_000 })
  }

  #hasDisk(id: string): boolean {
    return this.#peers.get(id)?.disk !== undefined
  }

  get #up(): string[] {
    return this.world.ids().filter(id => this.world.isUp(id))
  }

  #fault(): void {
    const { random } = this.world
    const up = this.#up
    if (up.length === 0) return
    const any = up[Math.floor(random() * up.length)]!
    const leader = up.find(id => this.#peers.get(id)?.process.term !== undefined)
    const roll = random()
    if (roll < 0.35) this.#crash([leader !== undefined && random() < 0.5 ? leader : any])
    else if (roll < 0.45) this.#crash([any], true, [8_000, 15_000])
    else if (roll < 0.75) this.#crash(up)
    else if (roll < 0.85) {
      if (!this.#mayPause) return
      this.#paused.add(any)
      this.world.pause(any, 200 + random() ** 2 * 5_000)
    } else this.#peers.get(any)!.disk?.fail(200 + random() ** 2 * 8_000)
  }

  #sendAway(): void {
    const up = this.#up.filter(id => this.#hasDisk(id))
    const id = up[Math.floor(this.world.random() * up.length)]
    if (id !== undefined) this.#crash([id], false, [AWAY_MS, AWAY_MS + 300])
  }

  /** Backs up the disk of a peer, and puts it back later, or damages it. */
  #spoil(): void {
    const { world } = this
    const { random } = world
    const withDisk = world.ids().filter(id => this.#hasDisk(id) && !this.#gone.has(id))
    const id = withDisk[Math.floor(random() * withDisk.length)]
    if (id === undefined) return
    const { disk } = this.#peers.get(id)!
    const isPutBack = random() < 0.7
    const backup = isPutBack ? { ...disk!.backUp(), isDamaged: random() < 0.5 } : undefined
    const spoil = (): void => {
      if (world.now() > FAULTY_MS || this.#gone.has(id)) return
      if (this.#wouldSurvive(new Set([...this.#gone, id]), id)) this.#spoilNow(id, backup)
      else world.after(200, spoil)
    }
    world.after(random() * 12_000, spoil)
  }

  #spoilNow(id: string, backup: Lasting<JobRecord> | undefined): void {
    const { world } = this
    const disk = this.#peers.get(id)!.disk!
    if (world.isUp(id)) {
      world.crash(id)
      disk.crash()
      world.after(world.random() ** 2 * (backup === undefined ? 500 : 8_000), () => this.#restart(id))
    }
    this.#flawed.add(id)
    if (backup !== undefined) {
      world.trace('world', `puts an earlier folder of ${id} back`)
      disk.putBack(backup)
      return
    }
    world.trace('world', `damages an entry of ${id}`)
    const names = [...disk.lasting.entries.keys()]
    disk.lasting.entries.delete(names[Math.floor(world.random() * names.length)] ?? '')
    disk.lasting.isDamaged = true
    // The peers that come back first have only this disk to ask.
    this.#crash(this.#up, false, [0, 8_000])
  }

  /** Loses one disk for ever, or two, with the peers. Jobs that must be on more disks are found nevertheless. */
  #loseDisks(): void {
    const { random } = this.world
    const withDisk = this.world.ids().filter(id => this.#hasDisk(id) && !this.#gone.has(id))
    for (this.#lost = 0; this.#lost < 2 && withDisk.length > 1 && random() < 0.7; this.#lost++) {
      const [id] = withDisk.splice(Math.floor(random() * withDisk.length), 1)
      this.world.trace('world', `loses the disk of ${id}`)
      this.#gone.add(id!)
      if (!this.world.isUp(id!)) continue
      this.world.crash(id!, false)
      this.#peers.get(id!)!.disk?.crash()
    }
  }

  /** Crashes peers, which return one after the other. A peer that no acknowledged job needs may stay away. `after`: when they return, in ms. */
  #crash(ids: readonly string[], mayStay = true, [least, most] = [0, 4_000]): void {
    const { world } = this
    const without = new Set([...this.#gone, ...ids])
    if (!this.#wouldSurvive(without)) return
    for (const id of ids) {
      world.crash(id, world.random() < 0.4)
      this.#peers.get(id)!.disk?.crash()
    }
    for (const id of ids) {
      if (mayStay && world.random() < 0.1 && this.#up.length > 2 && this.#wouldSurvive(new Set([...without, id]), id)) {
        world.trace('world', `${id} never returns`)
        this.#gone.add(id)
      } else world.after(least! + world.random() ** 2 * (most! - least!), () => this.#restart(id))
    }
  }

  /** Restarts a peer. Without a disk it is another peer then. */
  #restart(id: string): void {
    if (this.world.isUp(id) || this.#gone.has(id)) return
    if (this.#hasDisk(id)) this.world.restart(id)
    else {
      this.#gone.add(id)
      this.#join(false)
    }
  }

  /** Whether each acknowledged job is on a disk, or in the memory of a peer that goes on. `lost`: the disk of this peer is lost. */
  #wouldSurvive(without: ReadonlySet<string>, lost?: string): boolean {
    return [...this.#jobs].every(([name, { accepted, told }]) => {
      if ((!accepted && told === undefined) || this.#forgotten.has(name)) return true
      return [...this.#peers].some(([id, { process, disk }]) => {
        if (this.#gone.has(id) || id === lost) return false
        const isLive = this.world.isUp(id) && !without.has(id)
        const entry = disk?.lasting.entries.get(name) ?? (isLive ? process.replica.get(name) : undefined)
        if (entry === undefined || (told === 'completed' && entry.end !== told)) return false
        return entry.end !== undefined || entry.next >= (this.#covered.get(name)?.next ?? 0)
      })
    })
  }

  /** Starts a client that submits a job, and asks for the outcome until the job has ended. Some jobs must be on several disks. */
  #client(name = `job${this.#jobs.size}`, takes = 20 + this.world.random() ** 2 * 8_000): void {
    const { world } = this
    const durable = world.random() < 0.5 ? 0 : 1 + Math.floor(world.random() * MOST_DISKS)
    const job: Job = { takes, durable, accepted: false, told: undefined }
    this.#jobs.set(name, job)
    const ask = (): void => {
      if (job.told !== undefined || world.now() > FAULTY_MS + this.#calm - ASKED_MS) return
      world.after(ASK_MS, ask)
      this.#anyLeader()?.submit(name, job.takes, job.durable)
    }
    ask()
  }

  #anyLeader(): JournalProcess | undefined {
    const up = this.#up.filter(id => !this.world.isPaused(id))
    const id = up[Math.floor(this.world.random() * up.length)]
    const leader = id === undefined ? undefined : this.#peers.get(id)?.process.election.leader?.id
    if (leader === undefined || !this.world.isUp(leader) || this.world.isPaused(leader)) return undefined
    return this.#peers.get(leader)?.process
  }

  /** An acknowledged job is on the disks of the leader and of the standbys that have one. */
  #onAccepted(leader: string, epoch: number, name: string): void {
    const job = this.#jobs.get(name)!
    if (!job.accepted) this.world.trace(leader, `accepts ${name} @${epoch}`)
    job.accepted = true
    const { disk } = this.#peers.get(leader)!
    if (disk !== undefined && !disk.hasFailed && !disk.lasting.entries.has(name))
      throw new Error(`${leader} accepts ${name}, which is not on its disk`)
    this.#checkDisks(name, `${leader} accepts ${name}`, () => true)
  }

  /** What is acknowledged of a job is on as many disks as the job asks for. */
  #checkDisks(name: string, what: string, has: (entry: Entry<JobRecord>) => boolean): void {
    const { durable = 0 } = this.#jobs.get(name)!
    // Nobody can tell a disk that is lost from one that returns.
    if (this.#lost > 0 || this.#flawed.size > 0 || this.#forgotten.has(name)) return
    const disks = [...this.#peers.values()].filter(({ disk }) => {
      const entry = disk?.lasting.entries.get(name)
      return entry !== undefined && (entry.end !== undefined || has(entry))
    })
    if (disks.length < durable) throw new Error(`${what}, which is on ${disks.length} of ${durable} disks`)
  }

  #onReady(leader: string): void {
    const { process } = this.#peers.get(leader)!
    this.#readyAt.set(`${process.term!.epoch} ${leader}`, this.world.now())
    if (this.world.now() - process.term!.since >= this.#recoverWait) this.#isSplit = true
    const isRead = (id: string): boolean => process.term?.journal.isFollowedBy(id) === true
    this.#readAtReady.set(leader, process.liveOthers.filter(isRead))
    const lists = [
      process.term!.known.list,
      // A list without a disk does not say whom to wait for.
      ...process.term!.heard.filter(({ holders }) => holders.length > 0),
      ...process.liveOthers.filter(isRead).map(id => this.#peers.get(id)!.process.replica.known.list)
    ]
    this.#found.set(
      leader,
      lists.reduce((newest, list) => (list === undefined ? newest : joined(newest, list)), undefined)
    )
  }

  /** After a full stop, a leader that knows another holder takes no job again before it has seen one. */
  #onGiven(leader: string, name: string): void {
    if (!this.#jobs.get(name)!.accepted) return
    const { process } = this.#peers.get(leader)!
    if (this.#paused.has(leader)) return
    if (this.world.now() - process.term!.since > this.#recoverWait - 1) return
    // A refused job may be given again while the leader still reads.
    const seen = new Set([...process.liveOthers, ...(this.#readAtReady.get(leader) ?? [])])
    const { holders = [], inMemory = [] } = this.#found.get(leader) ?? {}
    // Such a leader was a holder to the end.
    if (process.term!.known.isFresh && [...holders, ...inMemory].includes(leader)) return
    const others = holders.filter(id => id !== leader && this.#peers.get(id)?.disk?.hasLost('entries') !== true)
    // A holder in memory has gone on since it was told so.
    if (others.length > 0 && ![...others, ...inMemory].some(id => seen.has(id) || this.world.isUp(id)))
      throw new Error(`${leader} takes ${name} again before it has seen ${others.join(' or ')}`)
  }

  #onGoesOn(leader: string, name: string): void {
    if (this.#jobs.get(name)!.told === undefined) return
    const read = this.#readBy(leader)
    const knows = read.find(({ process }) => process.replica.get(name)?.end !== undefined)
    if (knows !== undefined)
      throw new Error(`${leader} goes on with ${name}, of which ${knows.id} knows that it has ended`)
    const forgotten = this.#forgotten.get(name)
    const submissionId = this.#peers.get(leader)!.process.term?.journal.get(name)?.submissionId
    if (forgotten?.end.submissionId !== submissionId || forgotten === undefined || this.#revived.has(name)) return
    const floors = read.map(({ process }) => process.replica.known.list?.floor)
    const warns = read.find(
      (_, i) =>
        this.#warns(floors[i], forgotten) &&
        !(this.#isSplit && floors.some(floor => compareFloors(floor, floors[i]) > 0))
    )
    if (warns !== undefined)
      throw new Error(`${leader} goes on with ${name}, of which ${warns.id} knows that its end may be forgotten`)
    this.#revived.add(name)
  }

  /**
   * Whether who knows a floor knows that an end may be forgotten. The floor of another leadership that had begun before may be higher, and know nothing of
   * that end: its leader died alone, and the others went on without it.
   */
  #warns(floor: Stamp | undefined, { end, by, at, floor: theirs }: Forgotten): boolean {
    if (floor === undefined || compareFloors(floor, end.stamp) < 0) return false
    const raisedBy = `${floor.epoch} ${floor.rank.id}`
    return raisedBy === by || compareFloors(floor, theirs) <= 0 || (this.#readyAt.get(raisedBy) ?? 0) >= at
  }

  /** A job that a peer runs which knows of all forgotten ends is no suspended one. */
  #onSuspends(leader: string, { job, submissionId }: Head): void {
    const read = this.#readBy(leader)
    const floors = read.map(({ process }) => process.replica.known.list?.floor)
    const runs = read.find(({ id, process: { replica } }) => {
      const entry = replica.get(job)
      if (entry?.submissionId !== submissionId || entry.end !== undefined || entry.isSuspended === true) return false
      const { list } = replica.known
      const isNewest = floors.every(floor => compareFloors(list?.floor, floor) >= 0)
      return isNewest && !replica.isIncomplete && list?.outdated?.includes(id) !== true
    })
    if (runs !== undefined) throw new Error(`${leader} suspends ${job}, which ${runs.id} has running`)
  }

  /** The leader, and the peers that it has read. */
  #readBy(leader: string): { id: string; process: JournalProcess }[] {
    const { term } = this.#peers.get(leader)!.process
    return [...this.#peers].flatMap(([id, { process }]) => {
      const isRead = id === leader || term?.journal.isFollowedBy(id) === true
      return process.election.leader?.id === leader && isRead ? [{ id, process }] : []
    })
  }

  /** What is forgotten must not come back from any disk. */
  #onForget(leader: string, end: Head, isForced: boolean): void {
    const { job: name, submissionId } = end
    const { process } = this.#peers.get(leader)!
    const by = `${process.term!.epoch} ${leader}`
    this.#forgotten.set(name, { end, by, at: this.world.now(), floor: process.replica.known.list?.floor })
    this.#revived.delete(name)
    // Who was a holder may be lost with a disk.
    if (isForced || this.#flawed.size > 0) return
    const old = [...this.#peers].find(([id, { disk }]) => {
      if (this.#copied.has(`${id} ${submissionId}`)) return false
      const entry = disk?.lasting.entries.get(name)
      return entry?.submissionId === submissionId && entry.end === undefined
    })
    if (old !== undefined) throw new Error(`the end of ${name} is forgotten, and ${old[0]} still has it running`)
  }

  #onCheckpoint(job: string, submissionId: string, next: number): void {
    this.#checkDisks(job, `a checkpoint of ${job} is acknowledged`, entry => entry.next >= next)
    const known = this.#covered.get(job)
    if (known?.submissionId !== submissionId || known.next < next) this.#covered.set(job, { submissionId, next })
  }

  #onEnded(leader: string, epoch: number, name: string, end: End): void {
    const job = this.#jobs.get(name)!
    if (job.told === undefined) this.world.trace(leader, `says that ${name} is ${end} @${epoch}`)
    if (job.told === 'completed' && end !== 'completed')
      throw new Error(`${leader} says that ${name} is ${end}, which is completed`)
    this.#checkDisks(name, `${leader} says that ${name} is ${end}`, () => false)
    job.told = end
  }

  /** Checks that the leader has found the checkpoints that were acknowledged before. */
  #checkProgress(covered: ReadonlyMap<string, { submissionId: string; next: number }>): void {
    const leader = this.#up
      .flatMap(id => this.#peers.get(id)!.process.term ?? [])
      .find(({ journal }) => journal.isReady)
    if (this.#paused.size > 0) return
    for (const [name, { submissionId, next }] of covered) {
      // A job whose end is forgotten may run again from any copy.
      if (this.#mayBeLost(name) || this.#forgotten.has(name)) continue
      const entry = leader?.journal.get(name)
      // Peers that never had a disk know nothing of the time before, so the job may have been submitted again there.
      if (entry?.submissionId === submissionId && entry.end === undefined && entry.next < next)
        throw new Error(`${name} goes on from slice ${entry.next}, and ${next} slices were acknowledged`)
    }
  }

  /** Whether the disks that are lost may be all that had the job. */
  #mayBeLost(name: string): boolean {
    return this.#lost > 0 && (this.#jobs.get(name)!.durable ?? 0) <= this.#lost + this.#flawed.size
  }

  #mostDurable({ journal }: Term): number {
    return Math.max(
      0,
      ...[...journal.entries()].map(({ end, hasOutcome, durable }) => (end === undefined || hasOutcome ? durable : 0))
    )
  }

  #checkEnd(): void {
    const rank = (id: string): Rank => ({ id, priority: 0 })
    const [highest] = this.#up.toSorted((a, b) => compareRanks(rank(b), rank(a)))
    const term = highest === undefined ? undefined : this.#peers.get(highest)!.process.term
    if (term === undefined || !term.journal.isReady) throw new Error(`${highest} does not lead`)
    const { standbys } = term.journal
    const withDisk = this.#up.filter(id => id !== highest && this.#hasDisk(id))
    const wanted = Math.max(2, this.#mostDurable(term) - (this.#hasDisk(highest!) ? 1 : 0))
    if (standbys.filter(id => this.#hasDisk(id)).length !== Math.min(wanted, withDisk.length))
      throw new Error(`${highest} has the standbys ${standbys.join(' ')}, and ${withDisk.join(' ')} have disks`)
    const gone = [...new Set([...this.#gone, ...this.#flawed])].filter(id => this.#hasDisk(id)).length
    const disks = withDisk.length + (this.#hasDisk(highest!) ? 1 : 0)
    for (const [name, { accepted, told, durable = 0 }] of this.#jobs) {
      const entry = term.journal.get(name)
      if (this.#mayBeLost(name)) continue
      const forgotten = this.#forgotten.get(name)
      // A refusal from before may still be on the disk of a peer that was away: as one that knows no such job, it lets a client submit it again.
      if (forgotten !== undefined && (entry === undefined || entry.end === 'abandoned')) continue
      // The peers that never return, or with an old folder, may have been the other ones.
      if (entry === undefined && this.#lost > 0 && durable <= gone) continue
      if (accepted && entry === undefined) throw new Error(`${name} was accepted and is lost`)
      // Its client has its outcome, and nobody resumes it.
      if (name === ENDLESS || (entry?.isSuspended === true && told !== undefined)) continue
      if (accepted && entry?.end === undefined) throw new Error(`${name} was accepted and has not ended`)
      if (told === 'completed' && entry?.end !== 'completed')
        throw new Error(`${name} was completed and is ${entry?.end}`)
      if (accepted && told === undefined && durable <= disks && !this.#forgotten.has(name))
        throw new Error(`nobody told the client of ${name} that it is ${entry?.end}`)
    }
  }
}
