/** One world of peers that elect a leader and keep a journal, with faults and clients drawn from a seed, and the invariants of the world. */
import { compareRanks, type Rank } from '../../src/election/core/rank.ts'
import { compareWriters, type End } from '../../src/journal/core/entry.ts'
import type { Role } from '../../src/membership/core/member.ts'
import type { MembershipHooks } from './election.ts'
import { IdealMembership } from './election-ideal.ts'
import { type Failure, failureOf } from './failure.ts'
import { JournalProcess, type JournalProcessOptions } from './journal.ts'
import { emptyStore, SimulatedStore } from './store.ts'
import { STORE_ID } from './store-client.ts'
import { type Host, World } from './world.ts'

export type JournalScenarioRules = JournalProcessOptions['rules']

/** The virtual ms during which faults happen. Afterwards the journals must become complete in time. */
export const FAULTY_MS = 30_000
export const CALM_MS = 30_000
/** The time, in ms, after which a client that has no answer asks again. */
export const ASK_MS = 300
/** The time before the end of the world, in ms, from which on no client asks any more. */
export const ASKED_MS = 5_000
/** The time, in ms, within which the peers notice a loss and replace the lost replicas. */
const SETTLED_MS = 5_000
/** The time, in ms, within which the standbys of a new leader store all entries. */
const READY_MS = 1_000

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runJournalSeed(
  seed: number,
  rules?: JournalScenarioRules,
  { hasRecord = false }: JournalWorld = {}
): Failure | undefined {
  return failureOf(seed, new Scenario(seed, rules, hasRecord))
}

interface JournalWorld {
  /** Whether a store names the holders of the journal. Default false. */
  hasRecord?: boolean
}

interface Peer {
  process: JournalProcess
  role: Role
  priority: number
}

/** A job of a simulated client. */
export interface Job {
  takes: number
  /** On how many disks the job must be. Default 0. */
  durable?: number
  accepted: boolean
  told: End | undefined
}

class Scenario {
  readonly world: World
  readonly #rules: JournalScenarioRules
  readonly #peers = new Map<string, Peer>()
  readonly #jobs = new Map<string, Job>()
  readonly #cuts = new Set<string>()
  /** The pairs of peers between which streams carry nothing. */
  readonly #muted = new Set<string>()
  /** Whether messages were ever blocked, or any peer ever regarded a live peer as dead. */
  #wasApart = false
  /** The time of the last loss of a peer. */
  #lostAt = 0
  /** The time when a leader last became ready. */
  #readyAt = 0
  /** The record of the store, with the leader that may change it. */
  readonly #record: { leader: string; epoch: number; named: readonly string[] } | undefined

  /** The names on their way to the store. */
  readonly #naming = new Set<readonly string[]>()

  constructor(seed: number, rules: JournalScenarioRules, hasRecord: boolean) {
    this.world = new World(seed)
    this.#rules = rules
    this.#record = hasRecord ? { leader: '', epoch: 0, named: [] } : undefined
    const { random } = this.world
    const size = 5 + Math.floor(random() * 4)
    if (hasRecord) this.#addStore()
    for (let i = 0; i < size; i++) this.world.after(random() * 2_000, () => this.#join())
  }

  /** Adds the store that grants the lease of the leader. It never fails, because store-scenario.ts is about its failures. */
  #addStore(): void {
    const data = emptyStore()
    this.world.add(STORE_ID, host => new SimulatedStore({ host, data, now: () => this.world.now() }))
  }

  run(): void {
    const { world } = this
    const { random } = world
    world.faults = { loss: random() * 0.1, gossipLoss: random() * 0.3, delay: [1, 5 + random() * random() * 100] }
    const apart = random() < 0.6
    for (let at = 2_000 + random() * 2_000; at < FAULTY_MS; at += 200 + random() * 2_500)
      world.after(at, () => this.#fault(apart))
    for (let at = 1_000; at < FAULTY_MS; at += random() * 2_000) world.after(at, () => this.#client())
    world.run(FAULTY_MS)
    this.#heal()
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    world.run(CALM_MS)
    this.#checkEnd()
  }

  #join(): void {
    const { world } = this
    const { random } = world
    const id = `${String.fromCharCode(97 + Math.floor(random() * 26))}${this.#peers.size}`
    const role: Role = random() < 0.25 ? 'worker' : 'auto'
    const priority = random() < 0.2 ? Math.floor(random() * 3) - 1 : 0
    world.add(id, host => {
      const process = new JournalProcess(host, {
        election: { traceRepetitions: false, ...(this.#record && { strategy: 'mutex', store: this.#lease(host) }) },
        membership: (host, hooks) => this.#membership(host, hooks, role, priority),
        priority,
        isMuted: to => this.#muted.has(`${id} ${to}`),
        judge: {
          forgot: job => this.#onForgot(id, job),
          ready: leader => this.#onReady(leader),
          accepted: (leader, epoch, job, first) => this.#onAccepted(leader, epoch, job, first),
          ended: (leader, epoch, job, end) => this.#onEnded(leader, epoch, job, end),
          unknown: (leader, epoch, job) => this.#onUnknown(leader, epoch, job)
        },
        ...(this.#rules === undefined ? {} : { rules: this.#rules }),
        ...(this.#record !== undefined && {
          record: {
            begin: (leader, epoch) => this.#begin(leader, epoch),
            name: (leader, epoch, holders, done) => this.#name(leader, epoch, holders, done)
          }
        })
      })
      this.#peers.set(id, { process, role, priority })
      return process
    })
  }

  #lease(host: Host): NonNullable<JournalProcessOptions['election']['store']> {
    return {
      terms: { leaseTime: 1_000, drift: 0.01 },
      times: () => ({ monotonic: host.now(), elapsed: host.now() })
    }
  }

  #begin(leader: string, epoch: number): readonly string[] {
    const record = this.#record!
    if (epoch >= record.epoch) Object.assign(record, { leader, epoch })
    return record.named
  }

  /** Changes the record within some milliseconds. Sometimes the answer takes seconds. */
  #name(leader: string, epoch: number, holders: readonly string[], done: () => void): void {
    const { random } = this.world
    // With the leader alone in the record, its crash would leave nobody to read.
    if (holders.length === 1 && this.#peers.get(leader)!.process.liveOthers.length > 0)
      throw new Error(`${leader} lets the record name itself alone, and is not alone`)
    this.#naming.add(holders)
    this.world.after(random() * 30, () => {
      this.#naming.delete(holders)
      if (!this.#isRecorded(leader, epoch)) return
      this.#record!.named = holders
      const answer = (): void => {
        if (this.world.isPaused(leader)) this.world.after(50, answer)
        else if (this.world.isUp(leader)) done()
      }
      this.world.after(random() < 0.9 ? random() * 30 : random() * 3_000, answer)
    })
  }

  #isRecorded(leader: string, epoch: number): boolean {
    return this.#record?.leader === leader && this.#record.epoch === epoch
  }

  #membership(host: Host, hooks: MembershipHooks, role: Role, electionPriority: number): IdealMembership {
    const truth = {
      ids: () => this.#ids,
      areConnected: (a: string, b: string) => this.#areConnected(a, b),
      roleOf: (id: string) => this.#peers.get(id)?.role ?? role,
      priorityOf: (id: string) => this.#peers.get(id)?.priority ?? electionPriority,
      hasLeft: (id: string) => this.#peers.get(id)?.process.election.hasLeft === true
    }
    const times = { poll: 100, silence: [500, 4_000] as [number, number], pushPull: 4_000 }
    return new IdealMembership(host, hooks, truth, times)
  }

  #areConnected(a: string, b: string): boolean {
    const { world } = this
    if (!world.isUp(a) || !world.isUp(b) || world.isPaused(a) || world.isPaused(b)) return false
    return !this.#cuts.has(`${a} ${b}`) && !this.#cuts.has(`${b} ${a}`)
  }

  get #ids(): string[] {
    return this.world.ids().filter(id => id !== STORE_ID)
  }

  get #up(): string[] {
    return this.#ids.filter(id => this.world.isUp(id))
  }

  #fault(apart: boolean): void {
    const { world } = this
    const { random } = world
    const up = this.#up
    const any = (): string => up[Math.floor(random() * up.length)]!
    const leader = up.find(id => this.#peers.get(id)?.process.term !== undefined)
    const target = leader !== undefined && random() < 0.5 ? leader : any()
    const roll = random()
    if (up.length < 5 || roll < 0.2) this.#join()
    else if (roll < 0.32) this.#crash([target])
    else if (roll < 0.4) this.#crash([target, ...this.#standbysOf(target)].slice(0, 2))
    else if (roll < 0.48) this.#leave(target)
    else if (!apart) return
    else if (roll < 0.62) this.#pause(target)
    else if (roll < 0.78) this.#partition(up.filter(() => random() < 0.5))
    else if (roll < 0.83) this.#cut(target, any())
    else if (roll < 0.89) this.#mute(target)
    else this.#heal()
  }

  #heal(): void {
    this.world.heal()
    this.#cuts.clear()
    this.#muted.clear()
  }

  /** Drops the journal's messages of a peer, while membership and elections continue. */
  #mute(id: string): void {
    this.#wasApart = true
    const others = this.#up.filter(other => other !== id && this.world.random() < 0.7)
    this.world.trace('world', `carries no streams between ${id} and ${others.join(' ')}`)
    for (const other of others) this.#muted.add(`${id} ${other}`).add(`${other} ${id}`)
    this.world.after(2_000 + this.world.random() * 13_000, () => {
      for (const other of others) {
        this.#muted.delete(`${id} ${other}`)
        this.#muted.delete(`${other} ${id}`)
      }
    })
  }

  /** Whether no peer was lost during the last seconds, and a ready leader has led for some of these seconds. */
  get #isSettled(): boolean {
    const now = this.world.now()
    if (now < this.#lostAt + SETTLED_MS || now < this.#readyAt + READY_MS) return false
    return this.#up.some(id => this.#peers.get(id)?.process.term?.journal.isReady === true)
  }

  #standbysOf(leader: string): readonly string[] {
    return this.#peers.get(leader)?.process.term?.journal.standbys ?? []
  }

  /**
   * Crashes peers, but never all peers that hold an acknowledged job, because no job survives such a loss. If a single peer dies in a quiet world,
   * a second peer must hold each acknowledged job of the dead peer.
   */
  #crash(ids: string[]): void {
    if (ids.some(id => !this.world.isUp(id))) return
    const isQuiet = this.#isSettled && this.#up.length > ids.length + 1
    const isSafe = isQuiet && ids.length === 1 && !this.#wasApart
    // The leader may be about to tell one of the holders to delete its copy.
    const isRecordSafe = this.#record === undefined || isSafe || this.#wouldSurvive(ids)
    if (!isRecordSafe || (!isSafe && !this.#wouldSurvive(ids, isQuiet ? 1 : 2))) return
    this.#lostAt = this.world.now()
    for (const id of ids) this.world.crash(id, this.world.random() < 0.4)
  }

  /** Checks that no peer needs a deleted copy: a named holder keeps its copies, and while no peer is lost, the leader and two standbys have the entry. */
  #onForgot(id: string, name: string): void {
    const isGone = this.#peers.get(id)!.process.replica.get(name) === undefined
    const isNamed = this.#record?.named.includes(id) === true
    if (isGone && isNamed && this.#jobs.get(name)?.accepted === true)
      throw new Error(`${id} drops ${name}, and the record names it`)
    const isQuiet = !this.#wasApart && this.#isSettled
    if (!isQuiet || this.#jobs.get(name)?.accepted !== true) return
    const holders = this.#up.filter(id => this.#peers.get(id)?.process.replica.get(name) !== undefined)
    if (holders.length < 3) throw new Error(`${name} is forgotten, and only ${holders.join(' and ')} have it`)
  }

  /** Crashes some leaders right after their leadership began, which is the most dangerous moment. */
  #onReady(leader: string): void {
    const { random } = this.world
    this.#readyAt = this.world.now()
    if (this.world.now() < FAULTY_MS && random() < 0.4) this.world.after(random() * 30, () => this.#crash([leader]))
  }

  #wouldSurvive(without: readonly string[], holders = 1): boolean {
    const left = this.#up.filter(id => !without.includes(id) && this.#peers.get(id)?.process.election.hasLeft === false)
    const names = [this.#record?.named ?? [], ...this.#naming]
    if (names.some(named => named.length > 0 && !named.some(id => left.includes(id)))) return false
    return [...this.#jobs].every(
      ([job, { accepted, told }]) =>
        (!accepted && told === undefined) ||
        left.filter(id => {
          const entry = this.#peers.get(id)?.process.replica.get(job)
          return entry !== undefined && (told !== 'completed' || entry.end === told)
        }).length >= holders
    )
  }

  #pause(id: string): void {
    this.#wasApart = true
    const ms = 200 + this.world.random() ** 2 * 15_000
    this.world.pause(id, ms)
    // Clients asked the leader during its pause, and the leader may not know yet that its leadership is over.
    if (this.world.now() + ms > FAULTY_MS) return
    this.world.after(ms + 0.5, () => {
      if (this.world.isUp(id) && !this.world.isPaused(id)) this.#client(() => this.#peers.get(id)?.process)
      // The leader may also die before it tells other peers about its leadership.
      if (this.world.random() < 0.3) this.world.after(this.world.random() * 300, () => this.#crash([id]))
    })
  }

  #leave(id: string): void {
    if (this.world.isPaused(id) || !this.#wouldSurvive([id])) return
    this.#lostAt = this.world.now() + 12_000
    this.#peers.get(id)?.process.election.leave()
    const exit = (): void => {
      if (!this.world.isUp(id)) return
      if (this.#wouldSurvive([id])) this.world.exit(id)
      else this.world.after(1_000, exit)
    }
    this.world.after(12_000, exit)
  }

  #partition(group: string[]): void {
    this.#wasApart = true
    this.world.partition(group)
    for (const a of this.world.ids())
      for (const b of this.world.ids()) if (group.includes(a) !== group.includes(b)) this.#cuts.add(`${a} ${b}`)
  }

  #cut(from: string, to: string): void {
    this.#wasApart = true
    this.world.trace('world', `drops ${from} -> ${to}`)
    this.world.cut(from, to)
    this.#cuts.add(`${from} ${to}`)
  }

  /** Starts a client that submits a job and asks for the outcome until the job has ended. Some clients cancel the job. */
  #client(first: () => JournalProcess | undefined = () => undefined): void {
    const { world } = this
    const { random } = world
    const name = `job${this.#jobs.size}`
    const job: Job = { takes: 20 + random() ** 2 * 8_000, accepted: false, told: undefined }
    this.#jobs.set(name, job)
    const cancelsAt = random() < 0.35 ? world.now() + random() * job.takes : Number.POSITIVE_INFINITY
    let asked = 0
    const ask = (): void => {
      if (job.told !== undefined || world.now() > FAULTY_MS + CALM_MS - ASKED_MS) return
      world.after(ASK_MS, ask)
      const leader = asked++ === 0 && first() !== undefined ? first() : this.#anyLeader()
      if (leader === undefined) return
      if (job.accepted && world.now() > cancelsAt) leader.cancel(name)
      else leader.submit(name, job.takes)
    }
    ask()
  }

  /** Returns a leader that some peer follows, if a client can reach both the leader and this peer. */
  #anyLeader(): JournalProcess | undefined {
    const up = this.#up
    const id = up[Math.floor(this.world.random() * up.length)]
    if (id === undefined || this.world.isPaused(id)) return undefined
    const leader = this.#peers.get(id)?.process.election.leader?.id
    if (leader === undefined || !this.world.isUp(leader) || this.world.isPaused(leader)) return undefined
    return this.#peers.get(leader)?.process
  }

  #onAccepted(leader: string, epoch: number, name: string, first: boolean): void {
    const job = this.#jobs.get(name)!
    if (!job.accepted) this.world.trace(leader, `accepts ${name} @${epoch}`)
    if (first) this.#checkHeld(leader, epoch, name)
    if (first && this.#isRecorded(leader, epoch)) this.#checkNamed(name)
    job.accepted = true
    if (job.told !== undefined && !this.#wasApart)
      throw new Error(`${leader} goes on with ${name}, which is ${job.told}`)
  }

  /**
   * Checks that two live peers besides the leader hold an acknowledged job. If the leader sees fewer live peers, all of these must hold the job. Peers
   * that just died, and peers whose copy a newer leader has taken over, may lack the job.
   */
  #checkHeld(leader: string, epoch: number, name: string): void {
    const others = this.#peers.get(leader)!.process.liveOthers
    const without = others.filter(id => {
      const { replica } = this.#peers.get(id)!.process
      const isTakenOver =
        replica.reader !== undefined && compareWriters(replica.reader, { epoch, rank: this.#rankOf(leader) }) > 0
      return this.world.isUp(id) && replica.get(name) === undefined && !isTakenOver
    })
    if (others.length - without.length < Math.min(2, others.length))
      throw new Error(`${leader} accepts ${name}, which of ${others.join(' ')} not even two hold`)
  }

  /** Checks that each peer that the record names holds an acknowledged job. */
  #checkNamed(name: string): void {
    const { named } = this.#record!
    const lacking = named.filter(id => this.#peers.get(id)!.process.replica.get(name) === undefined)
    if (named.length === 0) throw new Error(`${name} is accepted, and the record names nobody`)
    if (lacking.length > 0) throw new Error(`${name} is accepted, and ${lacking} of the named ${named} lack it`)
  }

  #rankOf(id: string): Rank {
    return { id, priority: this.#peers.get(id)!.priority }
  }

  #onEnded(leader: string, epoch: number, name: string, end: End): void {
    const job = this.#jobs.get(name)!
    if (job.told === undefined) this.world.trace(leader, `says that ${name} is ${end} @${epoch}`)
    if (job.told === 'completed' && end !== 'completed' && !this.#wasApart)
      throw new Error(`${leader} says that ${name} is ${end}, which is completed`)
    if (job.told !== 'completed') job.told = end
  }

  #onUnknown(leader: string, epoch: number, name: string): void {
    // The holders that the record names know each accepted job, even after a cut.
    const knows = this.#record === undefined ? !this.#wasApart : this.#isRecorded(leader, epoch)
    if (this.#jobs.get(name)!.accepted && knows)
      throw new Error(`${leader} @${epoch} denies ${name}, which was accepted`)
  }

  #checkEnd(): void {
    const up = this.#up.filter(id => this.#peers.get(id)?.process.election.hasLeft === false)
    const electable = up.filter(id => this.#peers.get(id)!.role !== 'worker')
    const [first] = electable.sort((a, b) => compareRanks(this.#rankOf(b), this.#rankOf(a)))
    if (first === undefined) return
    // Under a store any peer may lead.
    const leads = (id: string): boolean => this.#peers.get(id)!.process.term?.journal.isReady === true
    const highest = (this.#record && electable.find(leads)) ?? first
    const { process } = this.#peers.get(highest)!
    const { term } = process
    if (term === undefined || !term.journal.isReady) throw new Error(`${highest} does not lead`)
    const { standbys } = term.journal
    if (standbys.length !== Math.min(2, up.length - 1))
      throw new Error(`${highest} has the standbys ${standbys.join(' ')}`)
    for (const [name, { accepted, told }] of this.#jobs) {
      const entry = term.journal.get(name)
      if (accepted && entry === undefined) throw new Error(`${name} was accepted and is lost`)
      if (accepted && entry?.end === undefined) throw new Error(`${name} was accepted and has not ended`)
      if (told === 'completed' && entry?.end !== 'completed')
        throw new Error(`${name} was completed and is ${entry?.end}`)
      if (accepted && told === undefined) throw new Error(`nobody told the client of ${name} that it is ${entry?.end}`)
      for (const id of up) this.#checkCopy(id, name, id === highest || standbys.includes(id), entry?.stamp.version)
    }
  }

  /** Checks that the leader and the standbys have the newest version of the job's entry, and that no other peer has a copy. */
  #checkCopy(id: string, name: string, holds: boolean, version: number | undefined): void {
    const entry = this.#peers.get(id)!.process.replica.get(name)
    const expected = holds ? version : undefined
    if (entry?.stamp.version !== expected)
      throw new Error(`${id} has version ${entry?.stamp.version} of ${name} where it should have ${expected}`)
  }
}
