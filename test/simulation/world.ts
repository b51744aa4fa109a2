/**
 * A simulated network and a virtual clock: the world in which the pure cores are tested. Every event of the world
 * is drawn from one seed, so a failing seed replays exactly.
 */

import { Agenda } from './agenda.ts'
import { Machine } from './machine.ts'

/** mulberry32: small, fast, and good enough to draw faults. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** The interface of the world for a simulated process. After a crash of the process, calls have no effect. */
export interface Host {
  readonly id: string
  now(): number
  random(): number
  /** Sends a message over the direct stream to one process. Faults may lose, delay or reorder the message. */
  send(to: string, protocol: string, message: unknown): void
  /** Gossips a message to all other processes. Faults affect each copy independently. */
  gossip(topic: string, message: unknown): void
  /** Starts or restarts the timer `name`. An `undefined` delay stops the timer. */
  timer(name: string, delay: number | undefined): void
  /** Returns the longest delay of the event loop since the last call, in ms. */
  lateness(): number
  /** Adds a line to the world's trace. */
  trace(text: string): void
}

/** A process in the world. It connects the world to the cores that the process runs. */
export interface Process {
  start(): void
  receive(from: string, protocol: string, message: unknown): void
  gossip(topic: string, message: unknown): void
  timer(name: string): void
  /** Called when the kernel of `peer` refuses connections: the process of `peer` has crashed, but its machine still runs. */
  refused?(peer: string): void
}

export interface Faults {
  /** Probability that a direct message is lost. (Real streams lose no messages; a lost message stands for a broken stream.) */
  loss: number
  /** Probability that a gossip message does not reach one receiver. */
  gossipLoss: number
  /** The shortest and the longest one-way delay, in ms. With a wide range, messages overtake each other. */
  delay: [number, number]
  /** Probability that a message arrives twice. Default 0. */
  duplication?: number
  /** The probability that a message is held up, and the longest time for which it is held up, in ms. By default no message is held up. */
  straggling?: { chance: number; most: number }
}

export interface Clock {
  /** The rate of the clock and its timers, where 1 is right. */
  rate: number
  /** The time that the clock shows at the start. */
  reading: number
}

export class World {
  readonly random: () => number
  readonly seed: number
  readonly lines: string[] = []
  faults: Faults = { loss: 0, gossipLoss: 0, delay: [1, 5] }
  /** Called after every step. If this function throws an error, the run fails. */
  invariant: () => void = () => {}
  steps = 0
  messages = 0
  /** The number of messages that each kind of fault has affected. */
  readonly befell = { lost: 0, duplicated: 0, 'held up': 0, 'cut off': 0 }

  readonly #agenda = new Agenda()
  readonly #machines = new Map<string, Machine>()
  readonly #ids: string[] = []
  readonly #cuts = new Set<string>()
  /** The extra delay of messages to a process, in ms. */
  readonly #detours = new Map<string, number>()
  /** The time when the last message in transit arrives. */
  #arrived = 0

  constructor(seed: number) {
    this.seed = seed
    this.random = randomFrom(seed)
  }

  now(): number {
    return this.#agenda.now
  }

  /** Adds a process on a separate machine, and starts the process at once. The default clock is the clock of the world. */
  add(id: string, make: (host: Host) => Process, clock?: Clock): void {
    const machine = new Machine(id, this.#agenda, this.random, make)
    if (clock !== undefined) machine.drift(clock.rate, clock.reading)
    this.#machines.set(id, machine)
    this.#ids.push(id)
    this.#start(machine)
  }

  ids(): readonly string[] {
    return this.#ids
  }

  isUp(id: string): boolean {
    return this.#machines.get(id)?.process !== undefined
  }

  isPaused(id: string): boolean {
    return (this.#machines.get(id)?.pausedUntil ?? 0) > this.now()
  }

  /** Returns the time at which the last pause or overload of a machine ends or ended. */
  strainedUntil(id: string): number {
    const { pausedUntil, overloadedUntil } = this.#machine(id)
    return Math.max(pausedUntil, overloadedUntil)
  }

  /** Returns the number of pauses of a machine so far, and their total time in ms. */
  pausesOf(id: string): { count: number; ms: number } {
    return this.#machine(id).pauses
  }

  /** Returns the time at which all pauses and overloads have ended and all messages that are now in transit have arrived. */
  settledAt(): number {
    return Math.max(this.now(), this.#arrived, ...this.ids().map(id => this.strainedUntil(id)))
  }

  /**
   * Crashes a process. Soon afterwards the other processes find its port refused. With `silently` the machine crashes as well, so its kernel refuses
   * no connection.
   */
  crash(id: string, silently = false): void {
    const machine = this.#machine(id)
    if (machine.process === undefined) return
    this.trace(id, silently ? 'crashes with its machine' : 'crashes')
    machine.end()
    if (silently) return
    for (const other of this.#machines.values()) {
      if (other.id === id || other.process === undefined) continue
      const life = other.life
      this.after(6 + this.random() * 8, () => {
        if (
          other.life !== life ||
          machine.process !== undefined ||
          this.#isCut(other.id, id) ||
          this.#isCut(id, other.id)
        )
          return
        other.deliver(() => {
          if (other.life === life) other.process?.refused?.(id)
        }, 'messages')
      })
    }
  }

  /** Ends a process that has announced its leave. Its messages in transit still arrive. */
  exit(id: string): void {
    this.trace(id, 'exits')
    this.#machine(id).end()
  }

  /** Restarts a crashed process, without its memory. */
  restart(id: string): void {
    const machine = this.#machine(id)
    if (machine.process !== undefined) return
    this.trace(id, 'restarts')
    this.#start(machine)
  }

  /** Pauses a process for `ms`, like SIGSTOP. The process handles its messages afterwards, and its timers fire late. */
  pause(id: string, ms: number): void {
    this.trace(id, `is paused for ${Math.round(ms)} ms`)
    this.#machine(id).pause(ms)
  }

  /** Overloads a process for `ms`: each event takes a time between the two values of `cost`, in ms, and later events wait. */
  overload(id: string, ms: number, cost: [number, number]): void {
    this.trace(
      id,
      `is overloaded for ${Math.round(ms)} ms: each event takes it ${cost.map(Math.round).join(' to ')} ms`
    )
    this.#machine(id).overload(ms, cost)
  }

  /** Sets the rate of the clock and the timers of a machine, where 1 is right. */
  drift(id: string, rate: number): void {
    this.trace(id, `has a clock that runs ${percent(Math.abs(rate - 1))} ${rate < 1 ? 'slow' : 'fast'}`)
    this.#machine(id).drift(rate)
  }

  /** Drops all messages from `from` to `to` (one way). */
  cut(from: string, to: string): void {
    this.#cuts.add(`${from} ${to}`)
  }

  /** Ends a {@link cut}. */
  mend(from: string, to: string): void {
    this.#cuts.delete(`${from} ${to}`)
  }

  /** Cuts all links between the processes of `group` and the remaining processes, in both directions. */
  partition(group: string[]): void {
    for (const [a, b] of this.#across(group)) this.cut(a, b)
    this.trace('world', `is cut: ${group.join(' ')} | the rest`)
  }

  /** Ends a {@link partition}. */
  unite(group: string[]): void {
    for (const [a, b] of this.#across(group)) this.mend(a, b)
    this.trace('world', `is one again: ${group.join(' ')} | the rest`)
  }

  /** Ends all cuts. */
  heal(): void {
    if (this.#cuts.size > 0) this.trace('world', 'heals')
    this.#cuts.clear()
  }

  /** Adds a delay of `ms` to all messages to `id`, but not to messages from `id`. */
  detour(id: string, ms: number): void {
    this.trace('world', `takes ${ms.toFixed(0)} ms longer to ${id}`)
    this.#detours.set(id, ms)
  }

  /** Schedules an event, such as a fault, to happen after `ms` milliseconds. */
  after(ms: number, run: () => void): void {
    this.#agenda.at(ms, run)
  }

  /** Lets `ms` of virtual time pass. */
  run(ms: number): void {
    const end = this.now() + ms
    for (;;) {
      const step = this.#agenda.next(end)
      if (step === undefined) break
      step()
      this.steps += 1
      this.invariant()
    }
    this.#agenda.now = end
  }

  /** Lets `ms` of virtual time pass, for steps that continue in promises. `settled` resolves when everything that a step caused has run. */
  async runSettled(ms: number, settled: () => Promise<void>): Promise<void> {
    const end = this.now() + ms
    for (let step = this.#agenda.next(end); step !== undefined; step = this.#agenda.next(end)) {
      step()
      await settled()
      this.steps += 1
      this.invariant()
    }
    this.#agenda.now = end
  }

  trace(id: string, text: string): void {
    this.lines.push(`${this.now().toFixed(1).padStart(9)}  ${id}  ${text}`)
    if (this.lines.length > 4_000) this.lines.splice(0, 1_000)
  }

  #start(machine: Machine): void {
    const { id, life } = machine
    const alive = (): boolean => machine.life === life
    const host: Host = {
      id,
      now: () => machine.now(),
      random: this.random,
      send: (to, protocol, message) => {
        if (alive()) this.#transmit(id, to, this.faults.loss, process => process.receive(id, protocol, message))
      },
      gossip: (topic, message) => {
        if (!alive()) return
        for (const to of this.#machines.keys()) {
          if (to !== id) this.#transmit(id, to, this.faults.gossipLoss, process => process.gossip(topic, message), true)
        }
      },
      timer: (name, delay) => {
        if (alive()) machine.timer(name, delay)
      },
      lateness: () => machine.lateness(),
      trace: text => this.trace(id, text)
    }
    machine.process = machine.make(host)
    machine.process.start()
  }

  #transmit(from: string, to: string, loss: number, handle: (process: Process) => void, gossip = false): void {
    const machine = this.#machines.get(to)
    if (machine === undefined) return
    this.messages += 1
    if (this.#isCut(from, to)) {
      this.befell['cut off'] += 1
      return
    }
    if (this.random() < loss) {
      this.befell.lost += 1
      return
    }
    this.#carry(from, machine, handle, gossip)
    if (this.#happens(this.faults.duplication)) {
      this.befell.duplicated += 1
      this.#carry(from, machine, handle, gossip)
    }
  }

  /** Sends one copy of a message. */
  #carry(from: string, machine: Machine, handle: (process: Process) => void, gossip: boolean): void {
    const { life } = machine
    const [least, most] = this.faults.delay
    let delay = least + this.random() * (most - least) + (this.#detours.get(machine.id) ?? 0)
    const { straggling } = this.faults
    const heldUp = this.#happens(straggling?.chance)
    if (heldUp) {
      this.befell['held up'] += 1
      delay += this.random() * straggling!.most
    }
    this.#arrived = Math.max(this.#arrived, this.now() + delay)
    this.after(delay, () => {
      if (this.#isCut(from, machine.id)) {
        this.befell['cut off'] += 1
        return
      }
      machine.deliver(() => {
        // A stream ends with its process, but relayed gossip may still reach the next life of the process.
        if ((machine.life === life || (gossip && heldUp)) && machine.process !== undefined) handle(machine.process)
      }, 'messages')
    })
  }

  /** Returns whether a fault happens. If the chance is 0, no random number is drawn, so that a world without this fault stays the same. */
  #happens(chance: number | undefined): boolean {
    return chance !== undefined && chance > 0 && this.random() < chance
  }

  #isCut(from: string, to: string): boolean {
    return this.#cuts.size > 0 && this.#cuts.has(`${from} ${to}`)
  }

  #across(group: string[]): Array<[string, string]> {
    const ids = this.ids()
    return ids.flatMap(a =>
      ids.flatMap(b => (group.includes(a) !== group.includes(b) ? [[a, b] as [string, string]] : []))
    )
  }

  #machine(id: string): Machine {
    const machine = this.#machines.get(id)
    if (machine === undefined) throw new Error(`no process ${id} in this world`)
    return machine
  }
}

export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))}%`
}
