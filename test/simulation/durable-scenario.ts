/**
 * One world of peers that keep their journals on disk, with crashes of single peers and of all at once drawn from a seed, and the invariants of the
 * world.
 */
import { compareRanks, type Rank } from '../../src/election/core/rank.ts'
import type { End } from '../../src/journal/core/entry.ts'
import type { JournalRules } from '../../src/journal/core/rules.ts'
import { SimulatedDisk } from './disk.ts'
import { IdealMembership } from './election-ideal.ts'
import { type Failure, failureOf } from './failure.ts'
import { type JobRecord, JournalProcess } from './journal.ts'
import { ASK_MS, ASKED_MS, CALM_MS, FAULTY_MS, type Job } from './journal-scenario.ts'
import { type Host, World } from './world.ts'

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runDurableSeed(seed: number, rules?: JournalRules): Failure | undefined {
  return failureOf(seed, new Scenario(seed, rules))
}

interface Peer {
  process: JournalProcess
  disk: SimulatedDisk<JobRecord> | undefined
}

class Scenario {
  readonly world: World
  readonly #rules: JournalRules | undefined
  readonly #peers = new Map<string, Peer>()
  readonly #jobs = new Map<string, Job>()
  /** The peers that never return. */
  readonly #gone = new Set<string>()

  constructor(seed: number, rules: JournalRules | undefined) {
    this.world = new World(seed)
    this.#rules = rules
    const { random } = this.world
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
    for (let at = 1_000; at < FAULTY_MS; at += random() * 2_000) world.after(at, () => this.#client())
    world.run(FAULTY_MS)
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    for (const id of [...world.ids()]) this.#restart(id)
    world.run(CALM_MS)
    this.#checkEnd()
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
          ready: () => {},
          accepted: (leader, epoch, job) => this.#onAccepted(leader, epoch, job),
          ended: (leader, epoch, job, end) => this.#onEnded(leader, epoch, job, end),
          unknown: () => {}
        },
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
    if (roll < 0.45) this.#crash([leader !== undefined && random() < 0.5 ? leader : any])
    else if (roll < 0.75) this.#crash(up)
    else if (roll < 0.85) this.world.pause(any, 200 + random() ** 2 * 5_000)
  }

  /** Crashes peers, which return one after the other. A peer that no acknowledged job needs may stay away. */
  #crash(ids: readonly string[]): void {
    const { world } = this
    const without = new Set([...this.#gone, ...ids])
    if (!this.#wouldSurvive(without)) return
    for (const id of ids) {
      world.crash(id, world.random() < 0.4)
      this.#peers.get(id)!.disk?.crash()
    }
    for (const id of ids) {
      if (world.random() < 0.1 && this.#up.length > 2 && this.#wouldSurvive(new Set([...without, id]), id)) {
        world.trace('world', `${id} never returns`)
        this.#gone.add(id)
      } else world.after(world.random() ** 2 * 4_000, () => this.#restart(id))
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
      if (!accepted && told === undefined) return true
      return [...this.#peers].some(([id, { process, disk }]) => {
        if (this.#gone.has(id) || id === lost) return false
        const isLive = this.world.isUp(id) && !without.has(id)
        const entry = disk?.lasting.entries.get(name) ?? (isLive ? process.replica.get(name) : undefined)
        return entry !== undefined && (told !== 'completed' || entry.end === told)
      })
    })
  }

  /** Starts a client that submits a job, and asks for the outcome until the job has ended. */
  #client(): void {
    const { world } = this
    const name = `job${this.#jobs.size}`
    const job: Job = { takes: 20 + world.random() ** 2 * 8_000, accepted: false, told: undefined }
    this.#jobs.set(name, job)
    const ask = (): void => {
      if (job.told !== undefined || world.now() > FAULTY_MS + CALM_MS - ASKED_MS) return
      world.after(ASK_MS, ask)
      this.#anyLeader()?.submit(name, job.takes)
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
    if (disk !== undefined && !disk.lasting.entries.has(name))
      throw new Error(`${leader} accepts ${name}, which is not on its disk`)
  }

  #onEnded(leader: string, epoch: number, name: string, end: End): void {
    const job = this.#jobs.get(name)!
    if (job.told === undefined) this.world.trace(leader, `says that ${name} is ${end} @${epoch}`)
    if (job.told === 'completed' && end !== 'completed')
      throw new Error(`${leader} says that ${name} is ${end}, which is completed`)
    job.told = end
  }

  #checkEnd(): void {
    const rank = (id: string): Rank => ({ id, priority: 0 })
    const [highest] = this.#up.toSorted((a, b) => compareRanks(rank(b), rank(a)))
    const term = highest === undefined ? undefined : this.#peers.get(highest)!.process.term
    if (term === undefined || !term.journal.isReady) throw new Error(`${highest} does not lead`)
    const { standbys } = term.journal
    const withDisk = this.#up.filter(id => id !== highest && this.#hasDisk(id))
    if (standbys.filter(id => this.#hasDisk(id)).length !== Math.min(2, withDisk.length))
      throw new Error(`${highest} has the standbys ${standbys.join(' ')}, and ${withDisk.join(' ')} have disks`)
    for (const [name, { accepted, told }] of this.#jobs) {
      const entry = term.journal.get(name)
      if (accepted && entry === undefined) throw new Error(`${name} was accepted and is lost`)
      if (accepted && entry?.end === undefined) throw new Error(`${name} was accepted and has not ended`)
      if (told === 'completed' && entry?.end !== 'completed')
        throw new Error(`${name} was completed and is ${entry?.end}`)
      if (accepted && told === undefined) throw new Error(`nobody told the client of ${name} that it is ${entry?.end}`)
    }
  }
}
