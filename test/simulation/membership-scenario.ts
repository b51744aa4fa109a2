/** One world of membership processes and faults, drawn from a seed, with the invariants that must hold in it. */
import { isLive, type Member } from '../../src/membership/member.ts'
import { profiles } from '../../src/membership/profile.ts'
import type { SwimRules } from '../../src/membership/rules.ts'
import { SwimProcess } from './membership.ts'
import { type Process, World } from './world.ts'

/** Virtual ms during which faults happen, and within which all must agree once they have ended. */
const FAULTY_MS = 60_000
const AGREE_MS = 40_000

export interface Failure {
  seed: number
  error: Error
  lines: string[]
}

/** Runs the world of `seed`; undefined when all went well. */
export function runSeed(seed: number, rules?: SwimRules, trace?: string[]): Failure | undefined {
  const scenario = new Scenario(seed, rules)
  try {
    scenario.run()
    return undefined
  } catch (error) {
    return { seed, error: error as Error, lines: scenario.world.lines }
  } finally {
    trace?.push(...scenario.world.lines)
  }
}

class Scenario {
  readonly world: World
  readonly #ids: string[]
  readonly #processes = new Map<string, SwimProcess>()
  /** The highest incarnation that a member ever had, over all its lives. */
  readonly #reached = new Map<string, number>()
  /** What each observer's present life last held of each member. */
  readonly #seen = new Map<SwimProcess, Map<string, Member>>()
  /** Up to which event each process was checked. */
  readonly #checked = new Map<SwimProcess, number>()
  /** Who ever found whom refused, rightly or not. */
  readonly #refusals = new Map<string, Set<string>>()

  constructor(seed: number, rules: SwimRules | undefined) {
    const world = new World(seed)
    this.world = world
    const size = 5 + Math.floor(world.random() * 4)
    this.#ids = Array.from({ length: size }, (_, i) => `p${i}`)
    for (const id of this.#ids) {
      world.after(world.random() * 3_000, () =>
        world.add(id, host => {
          const process = new SwimProcess(host, { seeds: this.#ids, rules })
          this.#processes.set(id, process)
          return this.#watched(process)
        })
      )
    }
    world.invariant = () => this.#check()
  }

  run(): void {
    const { world } = this
    const { random } = world
    // Loss is mild for most of the time: what stays of it in a real network is a stream that broke.
    world.faults = { loss: random() * 0.3, gossipLoss: random() * 0.5, delay: [1, 5 + random() * random() * 400] }
    for (let at = 2_000 + random() * 2_000; at < FAULTY_MS; at += 500 + random() * 6_000) {
      world.after(at, () => this.#fault())
    }
    world.run(FAULTY_MS)
    this.#end()
    world.run(AGREE_MS)
    this.#agree()
  }

  /** The same process; the scenario learns what it finds refused. */
  #watched(process: SwimProcess): Process {
    return {
      start: () => process.start(),
      receive: (from, protocol, message) => process.receive(from, protocol, message),
      gossip: (topic, message) => process.gossip(topic, message),
      timer: name => process.timer(name),
      refused: peer => this.#refuse(process, peer)
    }
  }

  #refuse(observer: SwimProcess, peer: string): void {
    const observers = this.#refusals.get(peer) ?? new Set()
    this.#refusals.set(peer, observers.add(observer.id))
    observer.refused(peer)
  }

  #fault(): void {
    const { world } = this
    const { random } = world
    const id = this.#any()
    const other = this.#any()
    const roll = random()
    if (!world.ids().includes(id)) return
    if (!world.isUp(id)) {
      if (roll < 0.6) world.restart(id)
    } else if (roll < 0.15) {
      world.crash(id, random() < 0.4)
    } else if (roll < 0.22) {
      this.#leave(id)
    } else if (roll < 0.4) {
      world.pause(id, random() * 12_000)
    } else if (roll < 0.5) {
      world.partition(this.#ids.filter(() => random() < 0.5))
      world.after(random() * 15_000, () => world.heal())
    } else if (roll < 0.7) {
      world.cut(id, other)
      world.after(random() * 10_000, () => world.heal())
    } else if (roll < 0.75) {
      world.trace(other, `finds ${id} refused, which a firewall did`)
      if (other !== id && world.isUp(other) && !world.isPaused(other)) this.#refuse(this.#processes.get(other)!, id)
    } else if (roll < 0.87) {
      this.#processes.get(id)!.update({ slots: 1 + Math.floor(random() * 64) })
    } else {
      world.faults = { ...world.faults, loss: random() * 0.4, delay: [1, 5 + random() * random() * 400] }
    }
  }

  /** The faults end; those who are down stay down. */
  #end(): void {
    this.world.heal()
    this.world.faults = { loss: 0, gossipLoss: 0, delay: [1, 5] }
    this.world.trace('world', 'has no more faults')
  }

  #leave(id: string): void {
    this.world.trace(id, 'leaves')
    this.#processes.get(id)!.leave()
    this.#check()
    this.world.exit(id)
  }

  #any(): string {
    return this.#ids[Math.floor(this.world.random() * this.#ids.length)]!
  }

  #up(): SwimProcess[] {
    return this.#ids.filter(id => this.world.isUp(id)).map(id => this.#processes.get(id)!)
  }

  #check(): void {
    const changed = this.#up().filter(process => process.handled !== this.#checked.get(process))
    for (const process of changed) {
      this.#checked.set(process, process.handled)
      const { id, self } = process
      this.#reached.set(id, Math.max(this.#reached.get(id) ?? 0, self.incarnation))
    }
    for (const observer of changed) this.#checkView(observer)
  }

  #checkView(observer: SwimProcess): void {
    const seen = this.#seen.get(observer) ?? new Map<string, Member>()
    this.#seen.set(observer, seen)
    for (const member of observer.members()) {
      const before = seen.get(member.id)
      if (before === member) continue
      seen.set(member.id, member)
      const what = `${observer.id} sees ${member.id} ${member.state} @${member.incarnation}`
      if (member.incarnation > (this.#reached.get(member.id) ?? -1)) throw new Error(`${what}, which it never had`)
      this.#checkVerdict(observer, member, before)
      if (before === undefined) continue
      if (member.incarnation < before.incarnation) throw new Error(`${what}, after @${before.incarnation}`)
      if (member.incarnation > before.incarnation) continue
      if (before.state === 'left' && member.state !== 'left') throw new Error(`${what}, after it had left`)
      if (before.state === 'dead' && isLive(member)) throw new Error(`${what}, after it was dead: it has not refuted`)
    }
  }

  /** A verdict before the time to refute is over needs two who found the member refused, or one with no other witness. */
  #checkVerdict(observer: SwimProcess, member: Member, before: Member | undefined): void {
    if (member.state !== 'dead' || before?.state === 'dead') return
    const suspected = before?.state === 'suspect' ? member.since - before.since : 0
    // Less a ms for rounding.
    if (suspected > profiles.lan.suspicionMin - 1) return
    const refusedBy = this.#refusals.get(member.id) ?? new Set()
    if (refusedBy.size >= 2) return
    const witnesses = observer
      .live()
      .filter(({ id }) => id !== observer.id && !this.#refusals.get(id)?.has(observer.id))
    if (refusedBy.has(observer.id) && witnesses.length === 0) return
    throw new Error(`${observer.id} sees ${member.id} dead after ${suspected} ms on the word of ${[...refusedBy]}`)
  }

  #agree(): void {
    const up = this.#up()
    for (const observer of up) {
      for (const { id, self } of up) {
        const member = observer.get(id)
        const what = `${observer.id} sees ${id} ${member?.state} @${member?.incarnation}.${member?.revision}`
        if (member?.state !== 'alive' || member.incarnation !== self.incarnation || member.slots !== self.slots) {
          throw new Error(`no agreement: ${what}, but it is alive @${self.incarnation}.${self.revision}`)
        }
      }
      for (const member of observer.live()) {
        if (!this.world.isUp(member.id)) {
          throw new Error(`no agreement: ${observer.id} sees ${member.id} ${member.state}, but it is down`)
        }
      }
    }
  }
}
