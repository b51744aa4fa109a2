/** A simulated world of voters with leases under faults, drawn from a seed, and the invariants that must hold at every moment of the world's time. */

import type { CoreEffect } from '../../src/election/core/events.ts'
import { type CoordinatorMessage, compareLeaderships } from '../../src/election/core/messages.ts'
import type { ElectionRules } from '../../src/election/core/rules.ts'
import { electionTimes } from '../../src/election/profile.ts'
import { type LeaseRules, type LeaseTerms, majority } from '../../src/election/quorum/lease.ts'
import type { Promised, VoterRules } from '../../src/election/quorum/voter.ts'
import { type DutyRules, longestGrace } from '../../src/lead/duty.ts'
import type { Role } from '../../src/membership/core/member.ts'
import { shuffled } from '../../src/membership/core/probe-list.ts'
import { profiles } from '../../src/membership/profile.ts'
import { ElectionProcess, type MembershipHooks, type MembershipProcess } from './election.ts'
import { IdealMembership } from './election-ideal.ts'
import type { Below } from './election-scenario.ts'
import { type Failure, failureOf } from './failure.ts'
import { MachineClocks } from './machine-clocks.ts'
import { SWIM_TIMER, SwimProcess } from './membership.ts'
import { type Host, World } from './world.ts'

const FAULTY_MS = 60_000
/** The number of seconds for which all peers must agree without interruption. */
const STEADY_S = 4
/** The longest time, in ms, for which a leader ignores requests for a hand-off after failed hand-offs. */
const DEAF_MS = 8 * electionTimes(profiles.lan).handOffTimeout
/** The time within which all peers must agree, in ms. A hand-off that fails at the end of the faults delays the next hand-off by 10 s. */
const AGREE_MS: Record<Below, number> = { ideal: 30_000, swim: 45_000 }
const LEASE_TIME = 1_000
/** The limit of a write, in ms. A write that takes longer counts as failed until the write ends. */
const WRITE_LIMIT = 1_000
const DRIFT = 0.01
/** The tolerance, in ms, within which two times count as equal. After a pause, a process reads its messages only after a longer time. */
const ROUNDING = 1e-6
export interface QuorumRules {
  election?: ElectionRules
  lease?: LeaseRules
  voter?: VoterRules
  duty?: DutyRules
  /** Whether effects wait for an earlier write. Default true. */
  persistFirst?: boolean
}

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runQuorumSeed(seed: number, rules: QuorumRules = {}): Failure | undefined {
  return failureOf(seed, new Scenario(seed, rules))
}

function newer(one: CoordinatorMessage | undefined, other: CoordinatorMessage): CoordinatorMessage {
  return one !== undefined && compareLeaderships(one, other) > 0 ? one : other
}

/** Returns the leadership that an effect announces to other peers as accepted by `self`. */
function toldBy(self: string, effect: CoreEffect): CoordinatorMessage | undefined {
  if (effect.type === 'gossip') return effect.coordinator
  if (effect.type !== 'send') return undefined
  const { message } = effect
  if (message.type === 'coordinator') return message.coordinator
  if (message.type === 'election') return message.accepted
  if (
    message.type !== 'relayed' ||
    message.relayed.from !== self ||
    ['rival', 'request'].includes(message.relayed.kind)
  )
    return undefined
  return message.relayed.accepted
}

/** A machine: the running process, and the disk and the clocks, which outlive the process. */
interface Machine {
  process: ElectionProcess | undefined
  isReady: boolean
  promised: Promised | undefined
  /** The newest leadership that the running process has accepted. */
  accepted: CoordinatorMessage | undefined
  /** The newest leadership on the disk, and whether all writes since the start of the process succeeded. */
  written: CoordinatorMessage | undefined
  isWritten: boolean
  clocks: MachineClocks
}

class Scenario {
  readonly world: World
  /** The failure detector: the ideal one in most worlds, SWIM in the remaining worlds. */
  readonly #below: Below
  /** Whether the highest-ranked voter is far away: a grant reaches that voter shortly before the grant ends, but the other voters detect a cut at once. */
  readonly #isFar: boolean
  /** Whether writes sometimes hang for seconds. */
  readonly #disksHang: boolean
  readonly #ids: string[]
  readonly #terms: LeaseTerms
  readonly #rules: QuorumRules
  readonly #grace: number
  readonly #machines = new Map<string, Machine>()
  readonly #cuts = new Set<string>()
  /** The link that stays broken, in both directions. */
  readonly #broken = new Set<string>()
  /** The peers whose disks are currently full. */
  readonly #fullDisks = new Set<string>()
  /** The leader of each epoch. */
  readonly #epochs = new Map<number, string>()

  constructor(seed: number, rules: QuorumRules) {
    this.world = new World(seed)
    this.#rules = rules
    const { random } = this.world
    this.#below = random() < 0.2 ? 'swim' : 'ideal'
    this.#isFar = random() < 0.3
    this.#disksHang = random() < 0.2
    const voters = Array.from({ length: random() < 0.5 ? 3 : 5 }, (_, i) => `v${i}`)
    this.#ids = [...voters, ...Array.from({ length: 5 - voters.length + Math.floor(random() * 3) }, (_, i) => `w${i}`)]
    this.#terms = { voters, leaseTime: LEASE_TIME, drift: DRIFT }
    this.#grace = random() * longestGrace(this.#terms)
    for (const id of this.#ids) this.world.after(random() * 2_000, () => this.#add(id))
    this.world.invariant = () => this.#check()
  }

  run(): void {
    const { world } = this
    const { random } = world
    // In a slow network an answer may arrive shortly before the end of the lease.
    const slowest = random() < 0.3 ? 1_200 : 400
    world.faults = { loss: random() * 0.3, gossipLoss: random() * 0.6, delay: [1, 5 + random() * random() * slowest] }
    const highest = this.#terms.voters.at(-1)!
    if (this.#isFar) world.detour(highest, 300 + random() * 500)
    for (let at = 2_000 + random() * 2_000; at < FAULTY_MS; at += 300 + random() * 4_000)
      world.after(at, () => this.#fault())
    world.run(FAULTY_MS)
    world.heal()
    world.detour(highest, 0)
    this.#cuts.clear()
    for (const id of [...this.#fullDisks]) this.#emptyDisk(id)
    if (random() < 0.3) this.#breakLink()
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    // Simulates the network, which redials every lost peer. SWIM itself probes only one dead member at a time.
    if (this.#below === 'swim') for (let at = 0; at < 5_000; at += 1_000) world.after(at, () => this.#rediscover())
    this.#settle()
  }

  /** Checks that all peers agree in time, and that this agreement lasts for several seconds. */
  #settle(): void {
    const { world } = this
    // After this time every peer that left or crashed has started again.
    world.run(14_000)
    const until = world.now() + AGREE_MS[this.#below] + DEAF_MS
    for (let agreed = 0; agreed < STEADY_S; ) {
      world.run(1_000)
      try {
        this.#agree()
        agreed += 1
      } catch (error) {
        agreed = 0
        if (world.now() >= until) throw error
      }
    }
  }

  #add(id: string): void {
    const machine: Machine = {
      process: undefined,
      isReady: false,
      promised: undefined,
      accepted: undefined,
      written: undefined,
      isWritten: true,
      clocks: new MachineClocks(this.world, DRIFT)
    }
    this.#machines.set(id, machine)
    this.world.add(id, host => {
      machine.isReady = false
      machine.accepted = machine.written
      machine.isWritten = true
      machine.clocks.wake()
      const clock = machine.clocks.leaseClock()
      const process = new ElectionProcess(host, {
        membership: (host, hooks) =>
          this.#membership(host, {
            ...hooks,
            onReady: () => {
              machine.isReady = true
              hooks.onReady()
            }
          }),
        rules: this.#rules.election,
        accepted: machine.written,
        persist: (coordinator, done) =>
          this.#write(
            id,
            process,
            isOnDisk => {
              machine.isWritten &&= isOnDisk
              if (isOnDisk) machine.written = newer(machine.written, coordinator)
            },
            done
          ),
        persistFirst: this.#rules.persistFirst ?? true,
        watch: effect => this.#checkTold(id, machine, effect),
        quorum: {
          terms: this.#terms,
          promised: machine.promised,
          persist: (promised, done) =>
            this.#write(
              id,
              process,
              isOnDisk => {
                if (isOnDisk && promised.epoch >= (machine.promised?.epoch ?? 0)) machine.promised = promised
              },
              done
            ),
          rules: { lease: this.#rules.lease, voter: this.#rules.voter },
          times: () => clock.times()
        },
        // A failed hand-off delays the next hand-off by 10 s, so hand-offs fail only during the faults.
        handOff: () => ({
          delay: this.world.random() * 300,
          ok: this.world.random() > 0.1 || this.world.now() > FAULTY_MS
        }),
        work: {
          grace: this.#grace,
          rules: this.#rules.duty,
          takes: () => this.#timeToStop(id),
          toldToStop: remaining => this.#checkStop(id, machine, remaining),
          end: takes => {
            this.#checkEnd(id, machine, takes)
            this.world.crash(id)
            this.world.after(this.world.random() * 3_000, () => this.world.restart(id))
          }
        }
      })
      machine.process = process
      return process
    })
  }

  /**
   * Writes within some milliseconds, or hangs for seconds. A write that hangs counts as failed until the write ends. A crash during the
   * write leaves the old or the new content, and nobody learns which.
   */
  #write(
    id: string,
    process: ElectionProcess,
    end: (isOnDisk: boolean) => void,
    done: (isOnDisk: boolean) => void
  ): void {
    const { world } = this
    const { random } = world
    let isReported = false
    const report = (isOnDisk: boolean): void => {
      if (!isReported && world.isUp(id) && this.#machines.get(id)!.process === process) done(isOnDisk)
      isReported = true
    }
    const finish = (): void => {
      const isRunning = world.isUp(id) && this.#machines.get(id)!.process === process
      if (!isRunning && random() < 0.5) return
      if (world.isPaused(id)) {
        world.after(50, finish)
        return
      }
      const isOnDisk = !this.#fullDisks.has(id)
      end(isOnDisk)
      if (isRunning) this.#tellDisk(id, isOnDisk, process)
      report(isOnDisk)
    }
    const overdue = (): void => {
      if (isReported) return
      if (world.isPaused(id)) {
        world.after(50, overdue)
        return
      }
      if (this.#machines.get(id)!.process === process) this.#machines.get(id)!.isWritten = false
      this.#tellDisk(id, false, process)
      report(false)
    }
    const hangs = this.#disksHang && random() < 0.03 && world.now() < FAULTY_MS
    const takes = hangs ? random() * 20_000 : random() < 0.9 ? random() * 10 : random() * 300
    world.after(takes, finish)
    if (takes > WRITE_LIMIT) world.after(WRITE_LIMIT, overdue)
  }

  /** Checks that a peer whose disk is writable stores each leadership on the disk before it sends the leadership. */
  #checkTold(id: string, { written, isWritten }: Machine, effect: CoreEffect): void {
    const coordinator = toldBy(id, effect)
    if (!isWritten || coordinator === undefined) return
    if (written === undefined || compareLeaderships(coordinator, written) > 0)
      throw new Error(`${id} tells of ${coordinator.leader} @${coordinator.epoch}, which is not on its disk`)
  }

  /** Draws how long the work takes to stop. During the faults the work sometimes exceeds its grace or never stops; afterwards it always stops in time. */
  #timeToStop(id: string): number {
    const { random } = this.world
    const roll = random()
    // If the machine is suspended while the work stops, the work could run on beyond the end of the leadership.
    if (random() < 0.1 && this.world.now() < FAULTY_MS) {
      this.world.after(random() * this.#grace, () => {
        if (this.world.isUp(id)) this.#suspend(id, random() * 4_000)
      })
    }
    if (roll < 0.8 || this.world.now() > FAULTY_MS) return random() * this.#grace
    return roll < 0.9 ? random() * 2 * this.#grace : Number.POSITIVE_INFINITY
  }

  #membership(host: Host, hooks: MembershipHooks): MembershipProcess {
    // A peer without a vote cannot lead.
    const roleOf = (id: string): Role => (this.#terms.voters.includes(id) ? 'auto' : 'worker')
    if (this.#below === 'swim') {
      const metadata = { role: roleOf(host.id), electionPriority: 0 }
      return new SwimProcess(host, { seeds: this.#ids, metadata, hooks })
    }
    const truth = {
      ids: () => this.world.ids(),
      areConnected: (a: string, b: string) => this.#areConnected(a, b),
      roleOf,
      priorityOf: () => 0,
      hasLeft: (other: string) => this.#machines.get(other)?.process?.hasLeft === true
    }
    const silence: [number, number] = this.#isFar ? [100, 1_000] : [500, 4_000]
    return new IdealMembership(host, hooks, truth, { poll: 100, silence, pushPull: 4_000 })
  }

  #rediscover(): void {
    for (const [id, { process }] of this.#machines) if (this.world.isUp(id)) process?.timer(`${SWIM_TIMER}discover`)
  }

  #areConnected(a: string, b: string): boolean {
    const { world } = this
    if (!world.isUp(a) || !world.isUp(b) || world.isPaused(a) || world.isPaused(b)) return false
    return this.#cuts.size === 0 || !(this.#cuts.has(`${a} ${b}`) || this.#cuts.has(`${b} ${a}`))
  }

  #fault(): void {
    const { world } = this
    const { random } = world
    const any = (): string => this.#ids[Math.floor(random() * this.#ids.length)]!
    const leader = this.#ids.find(id => world.isUp(id) && this.#machines.get(id)?.process?.isLeader)
    const target = leader !== undefined && random() < 0.6 ? leader : any()
    if (!world.ids().includes(target)) return
    const roll = random()
    if (!world.isUp(target)) world.restart(target)
    else if (roll < 0.25) {
      world.crash(target, random() < 0.4)
      if (random() < 0.7) world.after(random() * 3_000, () => world.restart(target))
    } else if (roll < 0.4) world.pause(target, 200 + random() * random() * 8_000)
    else if (roll < 0.48) this.#suspend(target, 200 + random() * random() * 8_000)
    else if (roll < 0.5) this.#fillDisk(target, random() * 20_000)
    else if (roll < 0.53) this.#correctClock(target, (random() * 2 - 1) * 5_000)
    else if (roll < 0.7) this.#partition(this.#ids.filter(() => random() < 0.5))
    else if (roll < 0.8) this.#cut(target, any())
    else if (roll < 0.88) this.#machines.get(target)!.process!.leave()
    else {
      world.heal()
      this.#cuts.clear()
    }
    if (roll >= 0.8 && roll < 0.88) {
      world.after(12_000, () => {
        if (!world.isUp(target) || !this.#machines.get(target)!.process!.hasLeft) return
        world.exit(target)
        world.after(random() * 1_000, () => world.restart(target))
      })
    }
  }

  /** Provokes a second leader with the same epoch: cuts off the new leader before any peer hears of its leadership, and restarts a voter. */
  #onNewLeader(leader: string): void {
    const { world } = this
    if (world.now() > FAULTY_MS || world.random() > 0.3) return
    const others = this.#terms.voters.filter(id => id !== leader && world.isUp(id))
    const voter = others[Math.floor(world.random() * others.length)]
    world.after(0, () => {
      this.#partition([leader])
      if (voter === undefined || !world.isUp(voter)) return
      world.crash(voter, world.random() < 0.5)
      world.after(world.random() * 200, () => world.restart(voter))
    })
  }

  /** Suspends a machine, as when a laptop's lid is closed. During a suspend the process is paused and the monotonic clock stops. */
  #suspend(id: string, ms: number): void {
    this.world.trace(id, `is suspended for ${ms.toFixed(0)} ms`)
    this.world.pause(id, ms)
    this.#machines.get(id)!.clocks.suspend(ms)
  }

  #correctClock(id: string, ms: number): void {
    this.world.trace(id, `has its wall clock set ${ms > 0 ? 'forward' : 'back'} by ${Math.abs(ms).toFixed(0)} ms`)
    this.#machines.get(id)!.clocks.correct(ms)
  }

  #fillDisk(id: string, ms: number): void {
    this.world.trace(id, `has a full disk for ${ms.toFixed(0)} ms`)
    this.#fullDisks.add(id)
    this.world.after(ms, () => this.#emptyDisk(id))
  }

  #emptyDisk(id: string): void {
    if (!this.#fullDisks.delete(id)) return
    // The peer retries its write every two seconds.
    this.world.after(this.world.random() * 2_000, () => {
      const { process } = this.#machines.get(id)!
      if (process !== undefined && !this.#fullDisks.has(id)) this.#tellDisk(id, true, process)
    })
  }

  /** Tells the process whether its disk is writable, as soon as the process runs. */
  #tellDisk(id: string, writable: boolean, process: ElectionProcess): void {
    this.world.after(0, () => {
      if (this.world.isPaused(id)) this.world.after(50, () => this.#tellDisk(id, writable, process))
      else if (this.world.isUp(id) && this.#machines.get(id)!.process === process) process.disk(writable)
    })
  }

  /** Breaks one link for good. Membership still sees both peers as live through other members. */
  #breakLink(): void {
    const up = this.#ids.filter(id => this.world.isUp(id) && !this.#machines.get(id)!.process!.hasLeft)
    // With fewer than three peers, no third member could relay messages between the two peers of the link.
    if (up.length < 3) return
    const [a, b] = shuffled(up, this.world.random)
    this.world.trace('world', `drops ${a} <-> ${b} for good`)
    this.world.cut(a!, b!)
    this.world.cut(b!, a!)
    this.#broken.add(`${a} ${b}`).add(`${b} ${a}`)
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

  /** Returns whether a pause or a clock error of this machine explains why its peer reacted late. */
  #isDisturbed(id: string, { clocks }: Machine): boolean {
    const { world } = this
    return clocks.wereDisturbed(2 * LEASE_TIME) || world.strainedUntil(id) + 2 * LEASE_TIME >= world.now()
  }

  /** Checks that a process ends itself only if its work exceeds the grace, or if its machine was disturbed. */
  #checkEnd(id: string, machine: Machine, takes: number): void {
    if (takes <= this.#grace && !this.#isDisturbed(id, machine))
      throw new Error(`${id} ends itself, though its work stops within ${takes.toFixed(0)} ms`)
  }

  /** Checks that the work gets its whole grace, unless the machine was disturbed. */
  #checkStop(id: string, machine: Machine, remaining: number): void {
    if (remaining < this.#grace && !this.#isDisturbed(id, machine))
      throw new Error(`${id} tells its work to stop ${remaining.toFixed(0)} ms before its leadership ends`)
  }

  #check(): void {
    const leading: string[] = []
    const working: string[] = []
    for (const [id, machine] of this.#machines) {
      const { process } = machine
      if (process === undefined || !this.world.isUp(id)) continue
      const now = process.core.peer.accepted
      if (now !== undefined && now !== machine.accepted) {
        if (machine.accepted !== undefined && compareLeaderships(now, machine.accepted) < 0)
          throw new Error(
            `${id} goes back from ${machine.accepted.leader} @${machine.accepted.epoch} to ${now.leader} @${now.epoch}`
          )
        machine.accepted = now
      }
      // A process that wakes from a pause checks its lease before its work continues.
      if (process.work!.isAtWork && this.world.now() > this.world.strainedUntil(id) + ROUNDING) working.push(id)
      if (process.isLeader && !process.core.peer.isLeader) throw new Error(`${id} shows that it leads, and does not`)
      if (!process.leads) continue
      leading.push(`${id} @${process.leader?.epoch}`)
      if (!this.#terms.voters.includes(id)) throw new Error(`${id} leads, but is no voter`)
      if (!machine.isReady) throw new Error(`${id} leads before it is ready`)
      const { epoch } = process.leader!
      const other = this.#epochs.get(epoch)
      if (other !== undefined && other !== id) throw new Error(`${id} leads with epoch ${epoch}, as ${other} did`)
      if (other === undefined) this.#onNewLeader(id)
      this.#epochs.set(epoch, id)
    }
    if (leading.length > 1) throw new Error(`at one moment ${leading.join(' and ')} lead`)
    if (working.length > 1) throw new Error(`at one moment ${working.join(' and ')} do the leader's work`)
  }

  /** Checks that all running peers follow the same voter: the highest-ranked voter with direct links to a majority. Without such a voter no peer leads. */
  #agree(): void {
    const up = this.#ids.filter(id => this.world.isUp(id) && !this.#machines.get(id)!.process!.hasLeft)
    const voters = up.filter(id => this.#terms.voters.includes(id)).sort()
    const reaches = (id: string): number => voters.filter(other => !this.#broken.has(`${id} ${other}`)).length
    const highest = voters.findLast(id => reaches(id) >= majority(this.#terms.voters.length))
    for (const id of up) {
      const { leader } = this.#machines.get(id)!.process!
      if (leader?.id !== highest)
        throw new Error(`${id} follows ${leader?.id} @${leader?.epoch}, not ${highest} (of ${voters})`)
    }
    if (highest !== undefined && !this.#machines.get(highest)!.process!.leads)
      throw new Error(`${highest} has no lease`)
    if (highest !== undefined && !this.#machines.get(highest)!.process!.work!.isAtWork)
      throw new Error(`${highest} does not do the leader's work`)
  }
}
