/** A simulated world of peers that race for the lease of a store under faults, drawn from a seed, and the invariants that must hold at every moment. */
import { type CoordinatorMessage, compareLeaderships } from '../../src/election/core/messages.ts'
import { type ElectionRules, electionRules } from '../../src/election/core/rules.ts'
import { electionTimes } from '../../src/election/profile.ts'
import type { LeaseTime } from '../../src/election/quorum/lease.ts'
import { type StoreRules, storeRules } from '../../src/election/store/store-lease.ts'
import { longestGrace } from '../../src/lead/duty.ts'
import { profiles } from '../../src/membership/profile.ts'
import { ElectionProcess, type MembershipHooks } from './election.ts'
import { IdealMembership } from './election-ideal.ts'
import { type Failure, failureOf } from './failure.ts'
import { MachineClocks } from './machine-clocks.ts'
import { emptyStore, SimulatedStore } from './store.ts'
import { STORE_ID } from './store-client.ts'
import { type Host, World } from './world.ts'

const FAULTY_MS = 60_000
/** The time within which all peers must agree, in ms. A hand-off that fails at the end of the faults delays the next hand-off by 80 s at most. */
const AGREE_MS = 30_000 + 8 * electionTimes(profiles.lan).handOffTimeout
/** The number of seconds for which all peers must agree without interruption. */
const STEADY_S = 4
const TERMS: LeaseTime = { leaseTime: 1_000, drift: 0.01 }
/** The tolerance, in ms, within which two times count as equal. */
const ROUNDING = 1e-6

export interface StoreWorldRules {
  election?: ElectionRules
  store?: Partial<StoreRules>
}

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runStoreSeed(seed: number, rules: StoreWorldRules = {}): Failure | undefined {
  return failureOf(seed, new Scenario(seed, rules))
}

interface Peer {
  process: ElectionProcess | undefined
  clocks: MachineClocks
  priority: number
  isReady: boolean
  /** The newest leadership that the running process has accepted. */
  accepted: CoordinatorMessage | undefined
}

class Scenario {
  readonly world: World
  readonly #rules: StoreWorldRules
  readonly #ids: string[]
  readonly #grace: number
  readonly #peers = new Map<string, Peer>()
  readonly #cuts = new Set<string>()
  /** The peers that will never reach the store. */
  readonly #withoutStore = new Set<string>()
  /** The leader of each epoch. */
  readonly #epochs = new Map<number, string>()

  constructor(seed: number, rules: StoreWorldRules) {
    this.world = new World(seed)
    this.#rules = rules
    const { random } = this.world
    this.#ids = Array.from({ length: 3 + Math.floor(random() * 4) }, (_, i) => `p${i}`)
    this.#grace = random() * longestGrace(TERMS)
    this.#addStore()
    for (const id of this.#ids) this.world.after(random() * 2_000, () => this.#add(id))
    this.world.invariant = () => this.#check()
  }

  run(): void {
    const { world } = this
    const { random } = world
    const slowest = random() < 0.3 ? 1_200 : 400
    world.faults = { loss: random() * 0.3, gossipLoss: random() * 0.6, delay: [1, 5 + random() * random() * slowest] }
    for (let at = 2_000 + random() * 2_000; at < FAULTY_MS; at += 300 + random() * 4_000)
      world.after(at, () => this.#fault())
    world.run(FAULTY_MS)
    this.#heal()
    world.restart(STORE_ID)
    if (random() < 0.3) this.#loseStore(this.#ids[Math.floor(random() * this.#ids.length)]!)
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    // After this time every peer that left or crashed has started again.
    world.run(14_000)
    this.#settle()
  }

  /** Checks that all peers agree in time, and that this agreement lasts for several seconds. */
  #settle(): void {
    const { world } = this
    const until = world.now() + AGREE_MS
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

  #addStore(): void {
    const data = emptyStore()
    const clocks = new MachineClocks(this.world, TERMS.drift)
    const clock = clocks.leaseClock()
    const rules = { ...storeRules, ...this.#rules.store }
    this.world.add(STORE_ID, host => new SimulatedStore({ host, data, now: () => clock.times().monotonic, rules }))
  }

  #add(id: string): void {
    const { world } = this
    const { random } = world
    const peer: Peer = {
      process: undefined,
      clocks: new MachineClocks(world, TERMS.drift),
      priority: random() < 0.2 ? Math.floor(random() * 3) : 0,
      isReady: false,
      accepted: undefined
    }
    this.#peers.set(id, peer)
    world.add(id, host => {
      peer.isReady = false
      peer.accepted = undefined
      peer.clocks.wake()
      const clock = peer.clocks.leaseClock()
      const process = new ElectionProcess(host, {
        strategy: 'mutex',
        rules: { ...electionRules, ...this.#rules.election },
        membership: (host, hooks) => this.#membership(host, hooks, peer),
        store: { terms: TERMS, rules: { ...storeRules, ...this.#rules.store }, times: () => clock.times() },
        handOff: () => ({ delay: random() * 300, ok: random() > 0.1 || world.now() > FAULTY_MS }),
        work: {
          grace: this.#grace,
          takes: () => this.#timeToStop(id),
          toldToStop: remaining => this.#checkStop(id, peer, remaining),
          end: takes => {
            if (takes <= this.#grace && !this.#isDisturbed(id, peer))
              throw new Error(`${id} ends itself, though its work stops within ${takes.toFixed(0)} ms`)
            world.crash(id)
            world.after(random() * 3_000, () => world.restart(id))
          }
        },
        traceRepetitions: false
      })
      peer.process = process
      return process
    })
  }

  /** Draws how long the work takes to stop. During the faults the work sometimes exceeds its grace or never stops. */
  #timeToStop(id: string): number {
    const { random } = this.world
    const isFaulty = this.world.now() < FAULTY_MS
    if (isFaulty && random() < 0.1) {
      // If the machine is suspended while the work stops, the work could run on beyond the end of the leadership.
      this.world.after(random() * this.#grace, () => {
        if (this.world.isUp(id)) this.#suspend(id, random() * 4_000)
      })
    }
    const roll = random()
    if (roll < 0.8 || !isFaulty) return random() * this.#grace
    return roll < 0.9 ? random() * 2 * this.#grace : Number.POSITIVE_INFINITY
  }

  #membership(host: Host, hooks: MembershipHooks, peer: Peer): IdealMembership {
    const truth = {
      ids: () => this.world.ids().filter(id => id !== STORE_ID),
      areConnected: (a: string, b: string) => this.#areConnected(a, b),
      roleOf: () => 'auto' as const,
      priorityOf: (id: string) => this.#peers.get(id)?.priority ?? 0,
      hasLeft: (other: string) => this.#peers.get(other)?.process?.hasLeft === true
    }
    const watched = {
      ...hooks,
      onReady: () => {
        peer.isReady = true
        hooks.onReady()
      }
    }
    return new IdealMembership(host, watched, truth, { poll: 100, silence: [500, 4_000], pushPull: 4_000 })
  }

  #areConnected(a: string, b: string): boolean {
    const { world } = this
    if (!world.isUp(a) || !world.isUp(b) || world.isPaused(a) || world.isPaused(b)) return false
    return !this.#cuts.has(`${a} ${b}`) && !this.#cuts.has(`${b} ${a}`)
  }

  #fault(): void {
    const { world } = this
    const { random } = world
    const any = (): string => this.#ids[Math.floor(random() * this.#ids.length)]!
    const leader = this.#ids.find(id => world.isUp(id) && this.#peers.get(id)?.process?.isLeader)
    const target = leader !== undefined && random() < 0.6 ? leader : any()
    if (!world.ids().includes(target)) return
    const roll = random()
    if (!world.isUp(target)) world.restart(target)
    else if (roll < 0.2) {
      world.crash(target, random() < 0.4)
      if (random() < 0.7) world.after(random() * 3_000, () => world.restart(target))
    } else if (roll < 0.35) world.pause(target, 200 + random() * random() * 8_000)
    else if (roll < 0.42) this.#suspend(target, 200 + random() * random() * 8_000)
    else if (roll < 0.45) this.#peers.get(target)!.clocks.correct((random() * 2 - 1) * 5_000)
    else if (roll < 0.55) this.#partition(this.#ids.filter(() => random() < 0.5))
    else if (roll < 0.65) this.#cut(target, STORE_ID)
    else if (roll < 0.7) this.#cut(STORE_ID, target)
    else if (roll < 0.75) this.#partition([STORE_ID])
    else if (roll < 0.8) {
      world.crash(STORE_ID)
      world.after(random() * 3_000, () => world.restart(STORE_ID))
    } else if (roll < 0.84) world.pause(STORE_ID, random() * 3_000)
    else if (roll < 0.9) this.#leave(target)
    else this.#heal()
  }

  #leave(id: string): void {
    const { world } = this
    const { process } = this.#peers.get(id)!
    process!.leave()
    world.after(12_000, () => {
      if (!world.isUp(id) || this.#peers.get(id)!.process !== process || !process!.hasLeft) return
      world.exit(id)
      world.after(world.random() * 1_000, () => world.restart(id))
    })
  }

  #heal(): void {
    this.world.heal()
    this.#cuts.clear()
  }

  #loseStore(id: string): void {
    this.world.trace('world', `cuts ${id} off from the store for good`)
    this.world.cut(id, STORE_ID)
    this.#withoutStore.add(id)
  }

  /** Suspends a machine, as when a laptop's lid is closed. */
  #suspend(id: string, ms: number): void {
    this.world.trace(id, `is suspended for ${ms.toFixed(0)} ms`)
    this.world.pause(id, ms)
    this.#peers.get(id)!.clocks.suspend(ms)
  }

  #partition(group: string[]): void {
    this.world.partition(group)
    const all = [...this.#ids, STORE_ID]
    for (const a of all) for (const b of all) if (group.includes(a) !== group.includes(b)) this.#cuts.add(`${a} ${b}`)
  }

  #cut(from: string, to: string): void {
    this.world.trace('world', `drops ${from} -> ${to}`)
    this.world.cut(from, to)
    this.#cuts.add(`${from} ${to}`)
  }

  /** Returns whether a pause or a clock error of this machine explains why its peer reacted late. */
  #isDisturbed(id: string, { clocks }: Peer): boolean {
    const { world } = this
    return clocks.wereDisturbed(2 * TERMS.leaseTime) || world.strainedUntil(id) + 2 * TERMS.leaseTime >= world.now()
  }

  /** Checks that the work gets its whole grace, unless the machine was disturbed. */
  #checkStop(id: string, peer: Peer, remaining: number): void {
    if (remaining < this.#grace && !this.#isDisturbed(id, peer))
      throw new Error(`${id} tells its work to stop ${remaining.toFixed(0)} ms before its leadership ends`)
  }

  #check(): void {
    const leading: string[] = []
    const working: string[] = []
    for (const [id, peer] of this.#peers) {
      const { process } = peer
      if (process === undefined || !this.world.isUp(id)) continue
      const now = process.core.peer.accepted
      if (now !== undefined && now !== peer.accepted) {
        if (peer.accepted !== undefined && compareLeaderships(now, peer.accepted) < 0)
          throw new Error(`${id} goes back from @${peer.accepted.epoch} to @${now.epoch}`)
        peer.accepted = now
      }
      // A process that wakes from a pause checks its lease before its work continues.
      if (process.work!.isAtWork && this.world.now() > this.world.strainedUntil(id) + ROUNDING) working.push(id)
      if (!process.leads) continue
      leading.push(`${id} @${process.leader?.epoch}`)
      if (!peer.isReady) throw new Error(`${id} leads before it is ready`)
      const { epoch } = process.leader!
      const other = this.#epochs.get(epoch)
      if (other !== undefined && other !== id) throw new Error(`${id} leads with epoch ${epoch}, as ${other} did`)
      this.#epochs.set(epoch, id)
    }
    if (leading.length > 1) throw new Error(`at one moment ${leading.join(' and ')} lead`)
    if (working.length > 1) throw new Error(`at one moment ${working.join(' and ')} do the leader's work`)
  }

  /** Checks that all running peers follow one leader, which reaches the store and has the highest priority of the peers that do. */
  #agree(): void {
    const up = this.#ids.filter(id => this.world.isUp(id) && !this.#peers.get(id)!.process!.hasLeft)
    const able = up.filter(id => !this.#withoutStore.has(id))
    if (able.length === 0) return
    const highest = Math.max(...able.map(id => this.#peers.get(id)!.priority))
    const leader = this.#peers.get(up[0]!)!.process!.leader?.id
    if (leader === undefined || !able.includes(leader)) throw new Error(`${up[0]} follows ${leader} (of ${able})`)
    for (const id of up) {
      const followed = this.#peers.get(id)!.process!.leader
      if (followed?.id !== leader) throw new Error(`${id} follows ${followed?.id} @${followed?.epoch}, not ${leader}`)
    }
    const { process, priority } = this.#peers.get(leader)!
    const isOutranked = able.some(id => this.#peers.get(id)!.priority > priority)
    if (isOutranked) throw new Error(`${leader} leads with priority ${priority}, though a peer has ${highest}`)
    if (!process!.leads) throw new Error(`${leader} has no lease`)
    if (!process!.work!.isAtWork) throw new Error(`${leader} does not do the leader's work`)
  }
}
