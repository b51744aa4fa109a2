/** A simulated world of voters that grant locks under faults, drawn from a seed, and the invariants that must hold at every moment of the world's time. */
import type { LeaseTerms } from '../../src/election/quorum/lease.ts'
import type { Promised } from '../../src/election/quorum/voter.ts'
import { type LockRules, lockRules } from '../../src/locks/core/rules.ts'
import type { Role } from '../../src/membership/core/member.ts'
import { ElectionProcess } from './election.ts'
import { IdealMembership } from './election-ideal.ts'
import { type Failure, failureOf } from './failure.ts'
import { LockProcess, type SimulatedSession, TTLS, WORLD_LOCKS } from './lock-process.ts'
import { MachineClocks } from './machine-clocks.ts'
import { type Host, World } from './world.ts'

const FAULTY_MS = 40_000
/** The time after the faults in which every peer must get every lock, in ms. */
const CALM_MS = 90_000
const LEASE_TIME = 1_000
const DRIFT = 0.01
/** The tolerance, in ms, within which two times count as equal. */
const ROUNDING = 1e-6

export interface LockWorldRules {
  locks?: LockRules
  /** Whether a grant is told only when it is replicated. Default true. */
  waitsForJournal?: boolean
  /** Whether a holder counts its time by a clock that stops while the machine is suspended. Default false. */
  holdsByMonotonic?: boolean
}

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runLockSeed(seed: number, rules: LockWorldRules = {}): Failure | undefined {
  return failureOf(seed, new Scenario(seed, rules))
}

/** The rules of the world: its locks have shorter times than TTL.most, so a new leader is closed for a shorter time. */
export const worldRules: LockRules = {
  ...lockRules,
  closedFor: age => Math.max(0, Math.max(...TTLS) - age)
}

interface Machine {
  process: LockProcess | undefined
  election: ElectionProcess | undefined
  run: number
  promised: Promised | undefined
  clocks: MachineClocks
  /** How far the wall clock was set forward, in ms. */
  wall: number
}

class Scenario {
  readonly world: World
  readonly #ids: string[]
  readonly #terms: LeaseTerms
  readonly #rules: LockWorldRules
  readonly #machines = new Map<string, Machine>()
  readonly #cuts = new Set<string>()
  /** The newest token of the mutex that any session has learned, and when. */
  #token = { value: 0, at: 0 }
  /** When a voter has started last, without the copies of an earlier run. */
  #startedAt = 0
  /** The locks that each peer has held since the faults ended. */
  readonly #calm = new Map<string, Set<string>>()

  constructor(seed: number, rules: LockWorldRules) {
    this.world = new World(seed)
    this.#rules = rules
    const { random } = this.world
    const voters = Array.from({ length: random() < 0.7 ? 3 : 5 }, (_, i) => `v${i}`)
    this.#ids = [...voters, ...Array.from({ length: Math.floor(random() * 2) }, (_, i) => `w${i}`)]
    this.#terms = { voters, leaseTime: LEASE_TIME, drift: DRIFT }
    for (const id of this.#ids) this.world.after(random() * 1_000, () => this.#add(id))
    this.world.invariant = () => this.#check()
  }

  run(): void {
    const { world } = this
    const { random } = world
    // In a fast network the margins of a lock are the only time between two holders.
    const slowest = random() < 0.4 ? 2 : 5 + random() * random() * 300
    world.faults = { loss: random() * 0.2, gossipLoss: random() * 0.5, delay: [0.5, slowest] }
    for (let at = 4_000 + random() * 4_000; at < FAULTY_MS; at += 500 + random() * 5_000)
      world.after(at, () => this.#fault())
    world.run(FAULTY_MS)
    world.heal()
    this.#cuts.clear()
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    for (const id of this.#ids) if (!world.isUp(id)) world.restart(id)
    for (const id of this.#ids) this.#calm.set(id, new Set())
    const until = world.now() + CALM_MS
    while (world.now() < until && !this.#isServed()) world.run(1_000)
    for (const [id, held] of this.#calm)
      if (held.size < WORLD_LOCKS.length)
        throw new Error(`${id} has held only ${[...held].join() || 'no lock'} since the faults ended`)
  }

  #isServed(): boolean {
    return [...this.#calm.values()].every(({ size }) => size === WORLD_LOCKS.length)
  }

  /** After the faults, a peer wants what it has not held since. */
  #wantedBy(id: string): readonly { name: string; limit: number }[] {
    const missing = WORLD_LOCKS.filter(({ name }) => this.#calm.get(id)?.has(name) !== true)
    return missing.length === 0 ? WORLD_LOCKS : missing
  }

  #add(id: string): void {
    const { world } = this
    const machine: Machine = {
      process: undefined,
      election: undefined,
      run: 0,
      promised: undefined,
      clocks: new MachineClocks(world, DRIFT),
      wall: 1e9 + world.random() * 10_000
    }
    this.#machines.set(id, machine)
    world.add(id, host => {
      machine.clocks.wake()
      machine.run += 1
      if (this.#terms.voters.includes(id)) this.#startedAt = world.now()
      const clock = machine.clocks.leaseClock()
      const { locks = worldRules, waitsForJournal = true, holdsByMonotonic = false } = this.#rules
      let locksOf: LockProcess | undefined
      const election = new ElectionProcess(host, {
        membership: (host, hooks) =>
          this.#membership(host, {
            ...hooks,
            onMember: member => {
              hooks.onMember(member)
              if (member.state === 'dead') locksOf?.closed(member.id)
            }
          }),
        quorum: {
          terms: this.#terms,
          promised: machine.promised,
          persist: (promised, done) => {
            machine.promised = promised
            done(true)
          },
          times: () => clock.times()
        }
      })
      const process = new LockProcess({
        host,
        election,
        voters: this.#terms.voters,
        run: machine.run,
        runOf: voter => {
          const other = this.#machines.get(voter)
          return other?.process === undefined || !world.isUp(voter) ? undefined : other.run
        },
        times: () => {
          const { monotonic, elapsed } = clock.times()
          return { monotonic, elapsed: holdsByMonotonic ? monotonic : elapsed }
        },
        wall: () => machine.wall + world.now(),
        rules: locks,
        waitsForJournal,
        wanted: () => this.#wantedBy(id),
        onHeld: session => this.#onHeld(id, session)
      })
      locksOf = process
      machine.process = process
      machine.election = election
      return process
    })
  }

  #membership(host: Host, hooks: ConstructorParameters<typeof IdealMembership>[1]): IdealMembership {
    const roleOf = (id: string): Role => (this.#terms.voters.includes(id) ? 'auto' : 'worker')
    const truth = {
      ids: () => this.world.ids(),
      areConnected: (a: string, b: string) => this.#areConnected(a, b),
      roleOf,
      priorityOf: () => 0,
      hasLeft: () => false
    }
    return new IdealMembership(host, hooks, truth, { poll: 100, silence: [300, 1_500], pushPull: 4_000 })
  }

  #areConnected(a: string, b: string): boolean {
    const { world } = this
    if (!world.isUp(a) || !world.isUp(b) || world.isPaused(a) || world.isPaused(b)) return false
    return !(this.#cuts.has(`${a} ${b}`) || this.#cuts.has(`${b} ${a}`))
  }

  #fault(): void {
    const { world } = this
    const { random } = world
    const any = (): string => this.#ids[Math.floor(random() * this.#ids.length)]!
    const leader = this.#ids.find(id => world.isUp(id) && this.#machines.get(id)?.election?.isLeader)
    const holder = this.#ids.find(
      id =>
        world.isUp(id) &&
        [...(this.#machines.get(id)?.process?.sessions.values() ?? [])].some(({ state }) => state === 'held')
    )
    const aim = random()
    const target = aim < 0.5 ? (leader ?? any()) : aim < 0.75 ? (holder ?? any()) : any()
    if (!world.ids().includes(target)) return
    const roll = random()
    if (!world.isUp(target)) world.restart(target)
    else if (roll < 0.08) this.#loseCopies(leader)
    else if (roll < 0.16) this.#pauseInCompany(leader, holder)
    else if (roll < 0.3) {
      world.crash(target, random() < 0.4)
      if (random() < 0.8) world.after(random() * 3_000, () => world.restart(target))
    } else if (roll < 0.45) world.pause(target, 200 + random() * random() * 8_000)
    else if (roll < 0.55) this.#suspend(target, 200 + random() * random() * 8_000)
    else if (roll < 0.62) this.#correctClock(target, (random() * 2 - 1) * 20_000)
    else if (roll < 0.75) this.#partition(this.#ids.filter(() => random() < 0.5))
    else if (roll < 0.85) this.#cut(target, any())
    else {
      world.heal()
      this.#cuts.clear()
    }
  }

  /** Restarts all voters but one within a second, so that no majority has the copies of before. */
  #loseCopies(leader: string | undefined): void {
    const { world } = this
    const { random } = world
    const [first, ...others] = this.#terms.voters.filter(id => id !== leader && world.isUp(id))
    if (leader === undefined || first === undefined) return
    const restart = (id: string, after: number): void =>
      world.after(after, () => {
        if (!world.isUp(id)) return
        world.crash(id, random() < 0.5)
        world.after(50 + random() * 600, () => world.restart(id))
      })
    if (random() < 0.5) {
      this.#partition([first])
      for (const id of [leader, ...others]) restart(id, random() * 200)
    } else {
      for (const id of [first, ...others]) restart(id, random() * 200)
      restart(leader, 600 + random() * 1_200)
    }
  }

  /** Cuts the leader and a holder off together, and pauses the leader beyond its lease. */
  #pauseInCompany(leader: string | undefined, holder: string | undefined): void {
    if (leader === undefined || holder === undefined || holder === leader) return
    this.#partition([leader, holder])
    const pauses = 1_000 + this.world.random() * 2_500
    this.world.after(this.world.random() * 100, () => {
      if (this.world.isUp(leader)) this.world.pause(leader, pauses)
    })
  }

  /** Cuts the leader off in the moment in which a client learns that it holds a lock. */
  #onGrant(): void {
    const { world } = this
    if (world.now() > FAULTY_MS || world.random() > 0.05) return
    const leader = this.#ids.find(id => world.isUp(id) && this.#machines.get(id)?.election?.isLeader)
    if (leader === undefined) return
    world.after(0, () => {
      if (!world.isUp(leader)) return
      if (world.random() < 0.5) this.#partition([leader])
      else world.pause(leader, 1_000 + world.random() * 3_000)
    })
  }

  #suspend(id: string, ms: number): void {
    this.world.trace(id, `is suspended for ${ms.toFixed(0)} ms`)
    this.world.pause(id, ms)
    this.#machines.get(id)!.clocks.suspend(ms)
  }

  #correctClock(id: string, ms: number): void {
    this.world.trace(id, `has its wall clock set by ${ms.toFixed(0)} ms`)
    const machine = this.#machines.get(id)!
    machine.clocks.correct(ms)
    machine.wall += ms
  }

  #partition(group: string[]): void {
    this.world.partition(group)
    for (const a of this.#ids)
      for (const b of this.#ids) if (group.includes(a) !== group.includes(b)) this.#cuts.add(`${a} ${b}`)
  }

  #cut(from: string, to: string): void {
    this.world.trace('world', `drops ${from} -> ${to}`)
    this.world.cut(from, to)
    this.#cuts.add(`${from} ${to}`)
  }

  #onHeld(id: string, { name, limit, token }: SimulatedSession): void {
    this.#calm.get(id)?.add(name)
    this.#onGrant()
    // The tokens of a semaphore may arrive in another order than they were given.
    if (limit > 1) return
    // Voters that restart lose their copies. Then only the clocks keep the tokens growing, and the clocks of this world are set back.
    if (token <= this.#token.value && this.#startedAt <= this.#token.at)
      throw new Error(`${id} has got the token ${token} of ${name}, after ${this.#token.value}`)
    this.#token = { value: token, at: this.world.now() }
  }

  #check(): void {
    for (const { name, limit } of WORLD_LOCKS) {
      const holders: string[] = []
      for (const [id, { process }] of this.#machines) {
        // A process that wakes from a pause looks at its clock before its work continues.
        if (
          process === undefined ||
          !this.world.isUp(id) ||
          this.world.now() <= this.world.strainedUntil(id) + ROUNDING
        )
          continue
        for (const session of process.sessions.values())
          if (session.name === name && session.state === 'held' && process.remaining(session) > 0)
            holders.push(session.id)
      }
      if (holders.length > limit) throw new Error(`at one moment ${holders.join(' and ')} hold ${name}`)
    }
  }
}
