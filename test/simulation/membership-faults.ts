/** The faults of a simulated world of members: which kinds of fault the seed draws, and how each kind happens. */
import type { SwimProcess } from './membership.ts'
import type { Truth } from './membership-truth.ts'
import { percent, randomFrom, type World } from './world.ts'

export const FAULT_KINDS = [
  'loss',
  'gossip loss',
  'delay',
  'reordering',
  'duplication',
  'clock drift',
  'crash',
  'machine crash',
  'leave',
  'pause',
  'overload',
  'partition',
  'cut',
  'one-way cut',
  'false refusal'
] as const

export type FaultKind = (typeof FAULT_KINDS)[number] | 'restart'

/** The fewest kinds of fault in a world. Few kinds keep frequent faults from hiding the effects of a rare one. */
export const LEAST_KINDS = 3

/** The largest error of a clock's rate, and the usual error. */
export const WORST_DRIFT = 0.1
const USUAL_DRIFT = 0.01
/** A one-way delay, in ms, with which answers still arrive in time. */
const HARMLESS_DELAY = 100

export interface Weather {
  loss: number
  gossipLoss: number
  delay: [number, number]
  straggling: number
  duplication: number
}

const FINE: Weather = { loss: 0, gossipLoss: 0, delay: [1, 5], straggling: 0, duplication: 0 }
/** The longest time that a message is held up, in ms. */
const LONGEST_HELD_UP = 12_000

export interface Population {
  ids: readonly string[]
  process(id: string): SwimProcess
  /** Tells `observer` that the port of `id` refuses connections, even if `id` still runs. */
  refuse(observer: string, id: string): void
}

export class FaultPlan {
  /** The kinds of fault that have happened so far. */
  readonly happened = new Set<FaultKind>()
  readonly #world: World
  readonly #truth: Truth
  readonly #population: Population
  /** The random source of the faults. It is separate, so that a core with a planted bug meets the same faults as the correct core. */
  readonly #random: () => number
  readonly #kinds: FaultKind[]
  #bag: FaultKind[] = []
  #weather = FINE
  /** The time by which every message that was sent under earlier network conditions has arrived. */
  #arrivedBy = 0
  #storm: { end(trailing?: number): void } | undefined
  #isOver = false

  constructor(world: World, truth: Truth, population: Population) {
    this.#world = world
    this.#truth = truth
    this.#population = population
    this.#random = randomFrom(world.seed ^ 0x5eed)
    const count = LEAST_KINDS + Math.floor(this.#random() * (FAULT_KINDS.length - LEAST_KINDS + 1))
    this.#kinds = this.#shuffled(FAULT_KINDS).slice(0, count)
  }

  /** Schedules faults between `begin` and `end`: at least one fault of each drawn kind, and some further faults. */
  schedule(begin: number, end: number): void {
    const count = this.#kinds.length + 6 + Math.floor(this.#random() * 10)
    const times = Array.from({ length: count }, () => begin + this.#random() * (end - begin))
    for (const at of times) this.#world.after(at, () => this.#next())
    if (this.#kinds.includes('clock drift')) this.#happens('clock drift')
  }

  /** Draws the clock of a machine at the start. */
  clock(): { rate: number; reading: number } {
    return {
      rate: this.#kinds.includes('clock drift') ? this.#rate() : 1,
      reading: 1 + this.#random() * 1_000_000
    }
  }

  /** Ends the faults of the network: cuts end, and messages arrive. Clocks stay wrong, and processes that are down stay down. */
  end(): void {
    this.#isOver = true
    this.#world.heal()
    this.#setWeather(FINE)
    this.#world.trace('world', 'has no more faults')
  }

  #next(): void {
    if (this.#isOver) return
    const { ids } = this.#population
    const down = ids.filter(id => this.#world.ids().includes(id) && !this.#world.isUp(id))
    if (down.length > 0 && this.#random() < 0.4) {
      this.#happens('restart')
      this.#world.restart(this.#any(down))
      return
    }
    if (this.#random() < 0.15) this.#update()
    if (this.#bag.length === 0) this.#bag = this.#shuffled(this.#kinds)
    const kind = this.#bag.find(kind => this.#inflict(kind))
    if (kind === undefined) return
    this.#happens(kind)
    this.#bag.splice(this.#bag.indexOf(kind), 1)
  }

  #happens(kind: FaultKind): void {
    this.happened.add(kind)
  }

  /** Causes a fault of this kind. Returns false if the world does not allow such a fault now. */
  #inflict(kind: FaultKind): boolean {
    switch (kind) {
      case 'loss':
        return this.#changeWeather({ loss: this.#some(0.4) })
      case 'gossip loss':
        return this.#changeWeather({ gossipLoss: this.#some(0.6) })
      case 'delay':
        return this.#changeWeather({ delay: this.#someDelay() })
      case 'reordering':
        return this.#changeWeather({ straggling: this.#some(0.3) })
      case 'duplication':
        return this.#changeWeather({ duplication: this.#some(0.5) })
      case 'clock drift':
        return this.#to(id => this.#world.drift(id, this.#rate()))
      case 'crash':
        return this.#toOneOfMany(id => this.#crash(id, false))
      case 'machine crash':
        return this.#toOneOfMany(id => this.#crash(id, true))
      case 'leave':
        return this.#toOneOfMany(id => this.#leave(id))
      case 'pause':
        return this.#to(id => this.#strain(id, this.#random() * 12_000, ms => this.#world.pause(id, ms)))
      case 'overload':
        return this.#to(id => this.#overload(id))
      case 'partition':
        return this.#partition()
      case 'cut':
        return this.#toTwo((id, other) => this.#cut([id, other], [other, id]))
      case 'one-way cut':
        return this.#toTwo((id, other) => this.#cut([id, other]))
      case 'false refusal':
        return this.#toTwo((id, other) => this.#refuse(id, other))
      case 'restart':
        return false
    }
  }

  #changeWeather(change: Partial<Weather>): boolean {
    this.#setWeather({ ...this.#weather, ...change })
    return true
  }

  #setWeather(weather: Weather): void {
    const { loss, gossipLoss, delay, straggling, duplication } = weather
    const now = this.#world.now()
    const longest = this.#weather.delay[1] + (this.#weather.straggling > 0 ? LONGEST_HELD_UP : 0)
    this.#arrivedBy = Math.max(this.#arrivedBy, now + longest)
    this.#weather = weather
    this.#world.faults = {
      loss,
      gossipLoss,
      delay,
      duplication,
      straggling: { chance: straggling, most: LONGEST_HELD_UP }
    }
    const is = [
      `loses ${percent(loss)} of the messages`,
      `${percent(gossipLoss)} of the gossip`,
      `takes ${delay.map(Math.round).join(' to ')} ms for them`,
      `holds ${percent(straggling)} up`,
      `doubles ${percent(duplication)}`
    ]
    this.#world.trace('world', is.join(', '))
    const isHarmless = loss === 0 && gossipLoss === 0 && straggling === 0 && delay[1] <= HARMLESS_DELAY
    if (!isHarmless) this.#storm ??= this.#truth.disturb()
    else {
      this.#storm?.end(this.#arrivedBy - now)
      this.#storm = undefined
    }
  }

  #crash(id: string, silently: boolean): void {
    this.#world.crash(id, silently)
  }

  /** Lets a process leave. The process exits at once, or stays silent for a while and exits then. */
  #leave(id: string): void {
    this.#world.trace(id, 'leaves')
    this.#population.process(id).leave()
    const life = this.#population.process(id)
    const disturbance = this.#truth.disturb(id)
    this.#world.after(this.#random() < 0.5 ? 0 : this.#random() * 2_000, () => {
      disturbance.end()
      if (this.#world.isUp(id) && this.#population.process(id) === life) this.#world.exit(id)
    })
  }

  #strain(id: string, ms: number, strain: (ms: number) => void): void {
    const disturbance = this.#truth.disturb(id)
    strain(ms)
    this.#world.after(ms, () => disturbance.end())
  }

  #overload(id: string): void {
    const most = 20 + this.#random() * 380
    const least = 20 + this.#random() * (most - 20)
    this.#strain(id, 1_000 + this.#random() * 9_000, ms => this.#world.overload(id, ms, [least, most]))
  }

  #partition(): boolean {
    const ids = this.#world.ids()
    const group = ids.filter(() => this.#random() < 0.5)
    const ends = ids.map(id => this.#truth.disturb(id))
    this.#world.partition(group)
    this.#world.after(this.#random() * 20_000, () => {
      for (const disturbance of ends) disturbance.end()
      if (!this.#isOver) this.#world.unite(group)
    })
    return true
  }

  /** Cuts one or both directions of a link. Each cut ends by itself. */
  #cut(...links: Array<[string, string]>): void {
    const ends = new Set(links.flat())
    const disturbances = [...ends].map(id => this.#truth.disturb(id))
    for (const [from, to] of links) {
      this.#world.cut(from, to)
      this.#world.trace('world', `drops what goes from ${from} to ${to}`)
    }
    this.#world.after(this.#random() * 15_000, () => {
      for (const disturbance of disturbances) disturbance.end()
      if (this.#isOver) return
      for (const [from, to] of links) {
        this.#world.mend(from, to)
        this.#world.trace('world', `lets pass again what goes from ${from} to ${to}`)
      }
    })
  }

  /** Simulates a firewall that refuses connections in place of a live peer. */
  #refuse(id: string, observer: string): void {
    this.#world.trace(observer, `finds ${id} refused, which a firewall did`)
    this.#truth.disturb(id).end()
    this.#population.refuse(observer, id)
  }

  #update(): void {
    this.#to(id => this.#population.process(id).update({ slots: 1 + Math.floor(this.#random() * 64) }))
  }

  /** Returns the processes that are able to act. */
  #active(): string[] {
    return this.#population.ids.filter(
      id =>
        this.#world.isUp(id) &&
        this.#world.strainedUntil(id) <= this.#world.now() &&
        this.#population.process(id).self.state === 'alive'
    )
  }

  #to(befall: (id: string) => void): boolean {
    const active = this.#active()
    if (active.length === 0) return false
    befall(this.#any(active))
    return true
  }

  #toOneOfMany(befall: (id: string) => void): boolean {
    return this.#active().length > 1 && this.#to(befall)
  }

  #toTwo(befall: (id: string, other: string) => void): boolean {
    const [id, other] = this.#shuffled(this.#active())
    if (id === undefined || other === undefined) return false
    befall(id, other)
    return true
  }

  #rate(): number {
    const worst = this.#random() < 0.2 ? WORST_DRIFT : USUAL_DRIFT
    return 1 + worst * (2 * this.#random() - 1)
  }

  #some(most: number): number {
    return this.#random() < 0.3 ? 0 : this.#random() * most
  }

  #someDelay(): [number, number] {
    const least = 1 + this.#random() * this.#random() * 100
    return [least, least + 4 + this.#random() * this.#random() * 400]
  }

  #any(ids: readonly string[]): string {
    return ids[Math.floor(this.#random() * ids.length)]!
  }

  #shuffled<T>(items: readonly T[]): T[] {
    const copy = [...items]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1))
      const held = copy[i]!
      copy[i] = copy[j]!
      copy[j] = held
    }
    return copy
  }
}
