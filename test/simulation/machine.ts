/** The machine of a simulated process: its clock, timers and event loop, each of which may be faulty. */
import type { Agenda } from './agenda.ts'
import type { Host, Process } from './world.ts'

/** The delay between timers and messages when a paused process wakes up, in ms. */
const AFTER_TIMERS_MS = 0.01

/** No timer is finer than this, in ms: what is left by rounding from one clock to another would else never be over. */
const FINEST_MS = 1e-6

interface Timer {
  id: number
  /** On this machine's clock. */
  due: number
}

/** The kinds of event of a process: due timers run before received messages. */
type Turn = 'timers' | 'messages'

export class Machine {
  readonly id: string
  /** Starts the process anew. */
  readonly make: (host: Host) => Process
  process: Process | undefined
  /** Grows with each crash, so that what an earlier life scheduled does nothing. */
  life = 0
  pausedUntil = 0
  overloadedUntil = 0
  pauses = { count: 0, ms: 0 }

  readonly #agenda: Agenda
  readonly #random: () => number
  readonly #timers = new Map<string, Timer>()
  #timerIds = 0
  #clock = { rate: 1, reading: 0, at: 0 }
  /** While overloaded, how many ms each event takes: the least and the most. */
  #cost: [number, number] = [0, 0]
  /** The event loop is in the middle of something, and will look into the backlog then. */
  #busy = false
  /** What waits for the event loop, and how many of the messages belong to its present turn. */
  readonly #backlog: { [turn in Turn]: Array<() => void> } = { timers: [], messages: [] }
  #messagesLeft = 0
  /** When the present turn of the event loop began, and the longest that a timer may have waited for one. */
  #turnBegan = 0
  #lateness = 0

  constructor(id: string, agenda: Agenda, random: () => number, make: (host: Host) => Process) {
    this.id = id
    this.make = make
    this.#agenda = agenda
    this.#random = random
  }

  /** The process's clock. It may run fast or slow, but never steps back. */
  now(): number {
    const { rate, reading, at } = this.#clock
    return reading + (this.#agenda.now - at) * rate
  }

  /** From now on its clock and its timers run at `rate`, where 1 is right. */
  drift(rate: number, reading = this.now()): void {
    this.#clock = { rate, reading, at: this.#agenda.now }
    for (const [name, { due }] of [...this.#timers]) this.timer(name, due - reading)
  }

  /** Starts or restarts a timer; undefined stops it. The delay is in ms of its own clock. */
  timer(name: string, delay: number | undefined): void {
    this.#timers.delete(name)
    if (delay === undefined) return
    const id = ++this.#timerIds
    const { life } = this
    this.#timers.set(name, { id, due: this.now() + delay })
    const fire = (): void => {
      if (this.life !== life || this.#timers.get(name)?.id !== id) return
      this.#timers.delete(name)
      this.process?.timer(name)
    }
    const least = delay > 0 ? FINEST_MS : 0
    this.#agenda.at(Math.max(least, delay / this.#clock.rate), () => this.deliver(fire, 'timers'))
  }

  /** By how much its event loop was late at most since this was asked last, in ms: as monitorEventLoopDelay of Node.js. */
  lateness(): number {
    const lateness = this.#lateness
    this.#lateness = 0
    return lateness
  }

  pause(ms: number): void {
    // A shorter pause within a longer one does not end that.
    this.pausedUntil = Math.max(this.pausedUntil, this.#agenda.now + ms)
    this.pauses = { count: this.pauses.count + 1, ms: this.pauses.ms + ms }
    this.#lateness = Math.max(this.#lateness, ms)
  }

  /** For `ms`, each event takes between the two of `cost`; what comes meanwhile waits. */
  overload(ms: number, cost: [number, number]): void {
    this.overloadedUntil = this.#agenda.now + ms
    this.#cost = cost
  }

  /** The process is gone, and with it all that waited for it. */
  end(): void {
    this.process = undefined
    this.life += 1
    this.pausedUntil = 0
    this.overloadedUntil = 0
    this.#timers.clear()
    this.#busy = false
    this.#backlog.timers = []
    this.#backlog.messages = []
    this.#messagesLeft = 0
    this.#lateness = 0
  }

  /** Runs something in its event loop: now, or once it wakes up and gets there. */
  deliver(run: () => void, turn: Turn): void {
    const asleep = this.pausedUntil - this.#agenda.now
    if (asleep > 0) {
      this.#agenda.at(asleep + (turn === 'timers' ? 0 : AFTER_TIMERS_MS), () => this.deliver(run, turn))
    } else if (this.#busy) {
      this.#backlog[turn].push(run)
    } else {
      this.#turnBegan = this.#agenda.now
      run()
      this.#spend()
    }
  }

  /** What just ran has its cost while this machine is overloaded. */
  #spend(): void {
    if (this.#agenda.now >= this.overloadedUntil) return
    const [least, most] = this.#cost
    this.#busy = true
    this.#nextAfter(least + this.#random() * (most - least))
  }

  #nextAfter(delay: number): void {
    const { life } = this
    this.#agenda.at(delay, () => {
      if (this.life === life) this.#next()
    })
  }

  #next(): void {
    const asleep = this.pausedUntil - this.#agenda.now
    if (asleep > 0) {
      this.#nextAfter(asleep)
      return
    }
    const { life } = this
    const run = this.#takeFromBacklog()
    this.#busy = false
    if (run === undefined) return
    run()
    this.#spend()
    if (this.#busy || this.life !== life) return
    // No longer overloaded: the rest follows at once, each as a step of its own.
    this.#busy = true
    this.#nextAfter(0)
  }

  /** As in Node.js: all due timers, then the messages that are there by then, and again. */
  #takeFromBacklog(): (() => void) | undefined {
    const { timers, messages } = this.#backlog
    if (this.#messagesLeft === 0) {
      this.#lateness = Math.max(this.#lateness, this.#agenda.now - this.#turnBegan)
      this.#turnBegan = this.#agenda.now
    }
    if (this.#messagesLeft === 0 && timers.length > 0) {
      const timer = timers.shift()
      if (timers.length === 0) this.#messagesLeft = messages.length
      return timer
    }
    this.#messagesLeft = Math.max(0, this.#messagesLeft - 1)
    return messages.shift() ?? timers.shift()
  }
}
