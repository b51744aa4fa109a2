/**
 * One world of voters that keep promises and journals on disk. Their folders are damaged, or put back from an earlier time, while a majority of the
 * others has lost nothing.
 */
import type { ElectionRules } from '../../src/election/core/rules.ts'
import { majority } from '../../src/election/quorum/lease.ts'
import { type VoterRules, voterRules } from '../../src/election/quorum/voter.ts'
import type { End } from '../../src/journal/core/entry.ts'
import { type JournalRules, journalRules } from '../../src/journal/core/rules.ts'
import { shuffled } from '../../src/membership/core/probe-list.ts'
import { type Lasting, SimulatedDisk } from './disk.ts'
import { IdealMembership } from './election-ideal.ts'
import { type Failure, failureOf } from './failure.ts'
import { type JobRecord, JournalProcess } from './journal.ts'
import { ASK_MS, ASKED_MS, type Job } from './journal-scenario.ts'
import { type Host, World } from './world.ts'

export interface VotersRules {
  journal?: Partial<JournalRules>
  voter?: Partial<VoterRules>
  election?: ElectionRules
}

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runVotersSeed(seed: number, rules: VotersRules = {}): Failure | undefined {
  return failureOf(seed, new Scenario(seed, rules))
}

/** The virtual ms during which faults happen, and those in which the voters become whole again. */
const FAULTY_MS = 20_000
const CALM_MS = 18_000
const LEASE_TIME = 1_000
const SLICE_MS = 400

interface Voter {
  process: JournalProcess
  disk: SimulatedDisk<JobRecord>
  /** What was on the disk at some earlier time. */
  backup: Lasting<JobRecord> | undefined
}

class Scenario {
  readonly world: World
  readonly #rules: VotersRules
  readonly #ids: string[]
  readonly #voters = new Map<string, Voter>()
  readonly #jobs = new Map<string, Job>()
  /** The leader of each epoch. */
  readonly #epochs = new Map<number, string>()
  /** For each job, the slices that an acknowledged checkpoint covers. */
  readonly #covered = new Map<string, { submissionId: string; next: number }>()

  constructor(seed: number, rules: VotersRules) {
    this.world = new World(seed)
    this.#rules = rules
    const { random } = this.world
    this.#ids = Array.from({ length: random() < 0.6 ? 3 : 5 }, (_, i) => `v${i}`)
    for (const id of this.#ids) this.world.after(random() * 1_000, () => this.#add(id))
    this.world.invariant = () => this.#check()
  }

  run(): void {
    const { world } = this
    const { random } = world
    world.faults = { loss: random() * 0.05, gossipLoss: random() * 0.2, delay: [1, 5 + random() * 30] }
    for (let at = 2_500 + random() * 2_000; at < FAULTY_MS; at += 300 + random() * 3_000)
      world.after(at, () => this.#fault())
    for (let at = 1_000; at < FAULTY_MS; at += random() * 1_500) world.after(at, () => this.#client())
    world.run(FAULTY_MS)
    world.heal()
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    for (const id of world.ids()) world.after(random() * 3_000, () => world.restart(id))
    world.run(CALM_MS)
    this.#checkEnd()
  }

  #add(id: string): void {
    const { world } = this
    const journal = { ...journalRules, ...this.#rules.journal }
    const disk = new SimulatedDisk<JobRecord>(world, id, journal)
    world.add(id, host => {
      const process = new JournalProcess(host, {
        election: {
          traceRepetitions: false,
          ...(this.#rules.election && { rules: this.#rules.election }),
          accepted: disk.accepted,
          epoch: disk.accepted === undefined ? 0 : disk.accepted.epoch + 1,
          persist: (coordinator, done) => disk.keepAccepted(coordinator, done),
          quorum: {
            terms: { voters: this.#ids, leaseTime: LEASE_TIME, drift: 0.01 },
            promised: disk.lasting.promised,
            hasLost: disk.hasLost('promises'),
            persist: (promised, done) => disk.keepPromise(promised, () => done(true)),
            found: () => disk.foundPromises(),
            rules: { voter: { ...voterRules, ...this.#rules.voter } },
            times: () => ({ monotonic: host.now(), elapsed: host.now() })
          }
        },
        membership: (host, hooks) => this.#membership(host, hooks),
        priority: 0,
        disk,
        hasDisk: () => true,
        judge: {
          forgot: () => {},
          ready: () => {},
          accepted: (leader, epoch, job) => this.#onAccepted(leader, epoch, job),
          ended: (leader, epoch, job, end) => this.#onEnded(leader, epoch, job, end),
          unknown: () => {},
          given: (leader, job) => this.#onGiven(leader, job),
          toldWhole: leader => this.#onWhole(leader),
          goesOn: (leader, job) => this.#onGoesOn(leader, job),
          checkpointed: (job, submissionId, next) => this.#onCheckpoint(job, submissionId, next)
        },
        slice: SLICE_MS,
        rules: journal
      })
      this.#voters.set(id, { disk, backup: undefined, ...this.#voters.get(id), process })
      return process
    })
  }

  #membership(host: Host, hooks: ConstructorParameters<typeof IdealMembership>[1]): IdealMembership {
    const truth = {
      ids: () => this.world.ids(),
      areConnected: (a: string, b: string) => this.world.isUp(a) && this.world.isUp(b),
      roleOf: () => 'auto' as const,
      priorityOf: () => 0,
      hasLeft: () => false
    }
    return new IdealMembership(host, hooks, truth, { poll: 100, silence: [300, 1_500], pushPull: 4_000 })
  }

  get #up(): string[] {
    return this.world.ids().filter(id => this.world.isUp(id))
  }

  #fault(): void {
    const { random } = this.world
    const up = this.#up
    if (up.length === 0) return
    const leader = up.find(id => this.#voters.get(id)!.process.election.leads)
    const any = leader !== undefined && random() < 0.5 ? leader : up[Math.floor(random() * up.length)]!
    const roll = random()
    if (roll < 0.15) this.#backUp(any)
    else if (roll < 0.35) this.#crash([any])
    else if (roll < 0.5) this.#crash(shuffled(up, random).slice(0, 1 + Math.floor(random() * up.length)))
    else if (roll < 0.6) this.#crash(up)
    else if (leader !== undefined) this.#exchange(leader)
  }

  /**
   * Lets a bare majority hold what is acknowledged and promised for a while. Then the others return in place of the leader, and a voter that has lost
   * something. The most dangerous moment: together they are a majority, too.
   */
  #exchange(leader: string): void {
    const { world } = this
    const { random } = world
    const others = shuffled(
      this.#up.filter(id => id !== leader),
      random
    )
    const kept = others.slice(0, majority(this.#ids.length) - 1)
    const [lossy] = kept
    if (lossy === undefined) return
    const away = others.slice(kept.length)
    const ms = 500 + random() * 3_500
    this.#stop(away)
    for (const id of away) world.after(ms, () => world.restart(id))
    // The next leadership has an epoch that the others do not know.
    if (random() < 0.5) world.after(random() * ms * 0.3, () => this.#bounce([leader], 100))
    if (random() < 0.5) world.after(random() * ms, () => this.#backUp(lossy))
    world.after(ms, () => {
      this.#leaveTo(leader, kept)
      if (this.#up.includes(lossy)) return
      this.#damage(lossy)
      if (random() < 0.5) world.after(300 + random() * 1_200, () => this.#bounce([lossy], 100))
    })
  }

  /** Ends voters. The leader stays away for a while, and the others return soon. */
  #leaveTo(leader: string, kept: readonly string[]): void {
    const { world } = this
    for (const id of this.#stop([leader, ...kept]))
      world.after(id === leader ? 1_000 + world.random() * 4_000 : world.random() * 300, () => world.restart(id))
  }

  /** Ends voters, which return within `ms`. */
  #bounce(ids: readonly string[], ms: number): void {
    for (const id of this.#stop(ids)) this.world.after(this.world.random() * ms, () => this.world.restart(id))
  }

  /** Ends those of these voters that run, and returns them. */
  #stop(ids: readonly string[]): string[] {
    const up = ids.filter(id => this.world.isUp(id))
    for (const id of up) {
      this.world.crash(id, this.world.random() < 0.4)
      this.#voters.get(id)!.disk.crash()
    }
    return up
  }

  #backUp(id: string): void {
    const voter = this.#voters.get(id)!
    voter.backup = { ...voter.disk.backUp(), isDamaged: true }
  }

  #crash(ids: readonly string[]): void {
    const { world } = this
    for (const id of this.#stop(ids)) {
      if (world.random() < 0.4) this.#damage(id)
      world.after(world.random() ** 2 * 4_000, () => world.restart(id))
    }
  }

  /** Damages the disk of a voter, or puts an earlier state back, unless too many others have lost something. */
  #damage(id: string): void {
    const { world } = this
    const voter = this.#voters.get(id)!
    const isLossy = (other: string): boolean => {
      const { isDamaged, lost } = this.#voters.get(other)?.disk.lasting ?? { isDamaged: false, lost: new Set() }
      return other === id || isDamaged || lost.size > 0
    }
    if (this.#ids.filter(other => !isLossy(other)).length < majority(this.#ids.length)) return
    const { lasting } = voter.disk
    if (voter.backup !== undefined && world.random() < 0.5) {
      world.trace('world', `puts an earlier folder of ${id} back`)
      voter.disk.putBack(voter.backup)
      return
    }
    world.trace('world', `damages the folder of ${id}`)
    lasting.isDamaged = true
    for (const name of lasting.entries.keys()) if (world.random() < 0.7) lasting.entries.delete(name)
    if (world.random() < 0.7) lasting.promised = undefined
    if (world.random() < 0.5) lasting.reader = undefined
    if (world.random() < 0.5) voter.disk.accepted = undefined
  }

  #client(): void {
    const { world } = this
    const name = `job${this.#jobs.size}`
    const job: Job = { takes: 20 + world.random() ** 2 * 6_000, accepted: false, told: undefined }
    this.#jobs.set(name, job)
    const ask = (): void => {
      if (job.told !== undefined || world.now() > FAULTY_MS + CALM_MS - ASKED_MS) return
      world.after(ASK_MS, ask)
      const leader = this.#up.find(id => this.#voters.get(id)!.process.election.leads)
      if (leader !== undefined) this.#voters.get(leader)!.process.submit(name, job.takes)
    }
    ask()
  }

  #onAccepted(leader: string, epoch: number, name: string): void {
    const job = this.#jobs.get(name)!
    if (!job.accepted) this.world.trace(leader, `accepts ${name} @${epoch}`)
    job.accepted = true
  }

  #onGiven(leader: string, name: string): void {
    if (this.#jobs.get(name)!.accepted) throw new Error(`${leader} takes ${name} again, which was accepted`)
  }

  #onGoesOn(leader: string, name: string): void {
    const { told } = this.#jobs.get(name)!
    if (told !== undefined) throw new Error(`${leader} goes on with ${name}, which is ${told}`)
    const covered = this.#covered.get(name)
    const entry = this.#voters.get(leader)!.process.term?.journal.get(name)
    if (covered === undefined || entry === undefined || entry.submissionId !== covered.submissionId) return
    if (entry.next < covered.next)
      throw new Error(`${leader} goes on with ${name} from slice ${entry.next}, and ${covered.next} were acknowledged`)
  }

  /** A voter counts again. Now others may rely on what it stores, and the leader may be the only other one that has it. */
  #onWhole(leader: string): void {
    const { world } = this
    if (world.now() > FAULTY_MS || world.random() < 0.4) return
    world.after(world.random() * 40, () =>
      this.#leaveTo(
        leader,
        this.#up.filter(id => id !== leader)
      )
    )
  }

  #onCheckpoint(job: string, submissionId: string, next: number): void {
    const known = this.#covered.get(job)
    if (known?.submissionId !== submissionId || known.next < next) this.#covered.set(job, { submissionId, next })
  }

  #onEnded(leader: string, epoch: number, name: string, end: End): void {
    const job = this.#jobs.get(name)!
    if (job.told === undefined) this.world.trace(leader, `says that ${name} is ${end} @${epoch}`)
    job.told = end
  }

  #check(): void {
    const leading: string[] = []
    for (const [id, { process }] of this.#voters) {
      if (!this.world.isUp(id) || !process.election.leads) continue
      const { epoch } = process.election.leader!
      leading.push(`${id} @${epoch}`)
      const other = this.#epochs.get(epoch) ?? id
      if (other !== id) throw new Error(`${id} leads with epoch ${epoch}, as ${other} did`)
      this.#epochs.set(epoch, id)
    }
    if (leading.length > 1) throw new Error(`at one moment ${leading.join(' and ')} lead`)
  }

  /** In the end one voter leads, knows all jobs, and no voter counts as incomplete. */
  #checkEnd(): void {
    const leader = this.#up.find(id => this.#voters.get(id)!.process.election.leads)
    const term = leader === undefined ? undefined : this.#voters.get(leader)!.process.term
    if (term === undefined || !term.journal.isReady) throw new Error(`${leader} does not lead`)
    for (const [name, { accepted, told }] of this.#jobs) {
      const entry = term.journal.get(name)
      if (!accepted) continue
      if (entry === undefined) throw new Error(`${name} was accepted and is lost`)
      if (entry.end === undefined || told === undefined) throw new Error(`${name} was accepted and has not ended`)
      if (told !== entry.end) throw new Error(`${name} was ${told} and is ${entry.end}`)
    }
    for (const [id, { disk, process }] of this.#voters) {
      const { isDamaged, lost } = disk.lasting
      if (process.replica.isIncomplete || isDamaged || lost.has('entries')) throw new Error(`${id} has not caught up`)
      if (lost.has('promises')) throw new Error(`${id} does not vote again`)
    }
  }
}
