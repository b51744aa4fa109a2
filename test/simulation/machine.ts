/** The machine of a simulated process: its clock, timers and event loop. Each of these parts may be faulty. */
import type { Agenda } from './agenda.ts'
import type { Host, Process } from './world.ts'

/** The delay between timers and messages when a paused process wakes up, in ms. */
const AFTER_TIMERS_MS = 0.01

/** The least delay of a timer, in ms. Without this limit, rounding errors between two clocks could start timers of almost 0 ms for ever. */
const FINEST_MS = 1e-6

interface Timer {
  id: number
  /** The time at which the timer fires, by the clock of this machine. */
  due: number
}

/** The kinds of event that a process handles. Due timers run before received messages. */
type Turn = 'timers' | 'messages'

export class Machine {
  readonly id: string
  /** Makes a new process for this machine. */
  readonly make: (host: Host) => Process
  process: Process | undefined
  /** The number of the process's present life. It grows with each crash, so that events of an earlier life have no effect. */
  life = 0
  pausedUntil = 0
  overloadedUntil = 0
  pauses = { count: 0, ms: 0 }

  readonly #agenda: Agenda
  readonly #random: () => number
  readonly #timers = new Map<string, Timer>()
  #timerIds = 0
  #clock = { rate: 1, reading: 0, at: 0 }
  /** The least and the most ms that each event takes while the machine is overloaded. */
  #cost: [number, number] = [0, 0]
  /** Whether the event loop is running an event. Afterwards the event loop takes the next event from the backlog. */
  #busy = false
  /** The events that wait for the event loop. */
  readonly #backlog: { [turn in Turn]: Array<() => void> } = { timers: [], messages: [] }
  #messagesLeft = 0
  /** The time when the current turn of the event loop began, and the longest time that a timer may have waited. */
  #turnBegan = 0
  #lateness = 0

  constructor(id: string, agenda: Agenda, random: () => number, make: (host: Host) => Process) {
    this.id = id
    this.make = make
    this.#agenda = agenda
    this.#random = random
  }

  /** Reads the clock of the process. The clock may run fast or slow, but it never steps back. */
  now(): number {
    const { rate, reading, at } = this.#clock
    return reading + (this.#agenda.now - at) * rate
  }

  /** Sets the rate of the clock and its timers, where 1 is right. */
  drift(rate: number, reading = this.now()): void {
    this.#clock = { rate, reading, at: this.#agenda.now }
    for (const [name, { due }] of [...this.#timers]) this.timer(name, due - reading)
  }

  /** Starts or restarts a timer, with a delay in ms by the machine's own clock. An `undefined` delay stops the timer. */
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

  /** Returns the longest delay of the event loop since the last call, in ms, like monitorEventLoopDelay of Node.js. */
  lateness(): number {
    const lateness = this.#lateness
    this.#lateness = 0
    return lateness
  }

  pause(ms: number): void {
    // A shorter pause does not end a longer one.
    this.pausedUntil = Math.max(this.pausedUntil, this.#agenda.now + ms)
    this.pauses = { count: this.pauses.count + 1, ms: this.pauses.ms + ms }
    this.#lateness = Math.max(this.#lateness, ms)
  }

  /** Overloads the machine for `ms`: each event takes a time between the two values of `cost`, and later events wait. */
  overload(ms: number, cost: [number, number]): void {
    this.overloadedUntil = this.#agenda.now + ms
    this.#cost = cost
  }

  /** Ends the process and discards all events that wait for it. */
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

  /** Calls `run` in the event loop: now, or as soon as the machine is awake and the event loop is free. */
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

  /** Occupies the event loop for the cost of an event, while this machine is overloaded. */
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
    // The overload has ended, so the remaining events run at once, each as a separate step.
    this.#busy = true
    this.#nextAfter(0)
  }

  /** Takes the next event in the order of Node.js, which alternates: first all due timers, then all messages that have arrived by then. */
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
