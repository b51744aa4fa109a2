/**
 * A simulated network and a virtual clock: the world in which the pure cores are tested. Everything that happens comes
 * from one seed, so a failing seed replays to the letter.
 */

/** mulberry32: small, fast, good enough to draw faults from. */
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

/** What a simulated process may do. All of it is dead after a crash. */
export interface Host {
  readonly id: string
  now(): number
  random(): number
  /** Sends over the direct stream to one process; lost, delayed or reordered as the faults say. */
  send(to: string, protocol: string, message: unknown): void
  /** Gossips to all other processes, each with its own luck. */
  gossip(topic: string, message: unknown): void
  /** Starts or restarts the timer `name`; undefined stops it. */
  timer(name: string, delay: number | undefined): void
  /** Adds a line to the world's trace. */
  trace(text: string): void
}

/** A process in the world: glue between the world and the cores that it runs. */
export interface Process {
  start(): void
  receive(from: string, protocol: string, message: unknown): void
  gossip(topic: string, message: unknown): void
  timer(name: string): void
  /** The kernel at `peer` refuses connections: its process crashed, its machine lives. */
  refused?(peer: string): void
}

export interface Faults {
  /** Probability that a direct message is lost. (Real streams are reliable; a lost message stands for a broken stream.) */
  loss: number
  /** Probability that a gossip message does not reach one receiver. */
  gossipLoss: number
  /** One-way delay in ms, uniform between the two: with a wide range, messages overtake each other. */
  delay: [number, number]
}

interface Entry {
  id: string
  make: (host: Host) => Process
  process: Process | undefined
  /** Grows with each crash, so that what an earlier life scheduled does nothing. */
  life: number
  pausedUntil: number
  timers: Map<string, number>
}

interface Scheduled {
  at: number
  order: number
  run: () => void
}

/** How much later than its timers a process that wakes up handles its messages. */
const AFTER_TIMERS_MS = 0.01

export class World {
  readonly random: () => number
  readonly seed: number
  readonly lines: string[] = []
  faults: Faults = { loss: 0, gossipLoss: 0, delay: [1, 5] }
  /** Called after every step. Throw to fail the run. */
  invariant: () => void = () => {}
  steps = 0
  messages = 0

  #now = 0
  #order = 0
  #timerIds = 0
  readonly #queue: Scheduled[] = []
  readonly #entries = new Map<string, Entry>()
  readonly #cuts = new Set<string>()

  constructor(seed: number) {
    this.seed = seed
    this.random = randomFrom(seed)
  }

  now(): number {
    return this.#now
  }

  /** Adds a process and starts it at once. */
  add(id: string, make: (host: Host) => Process): void {
    const entry: Entry = { id, make, process: undefined, life: 0, pausedUntil: 0, timers: new Map() }
    this.#entries.set(id, entry)
    this.#start(entry)
  }

  ids(): string[] {
    return [...this.#entries.keys()]
  }

  isUp(id: string): boolean {
    return this.#entries.get(id)?.process !== undefined
  }

  isPaused(id: string): boolean {
    return (this.#entries.get(id)?.pausedUntil ?? 0) > this.#now
  }

  /** The process ends. Unless `silently` (its machine went with it), the others find its port refused within ms. */
  crash(id: string, silently = false): void {
    const entry = this.#entry(id)
    if (entry.process === undefined) return
    this.trace(id, silently ? 'crashes with its machine' : 'crashes')
    this.#end(entry)
    if (silently) return
    for (const other of this.#entries.values()) {
      if (other.id === id || other.process === undefined) continue
      const life = other.life
      this.#at(6 + this.random() * 8, () => {
        if (
          other.life !== life ||
          entry.process !== undefined ||
          this.#isCut(other.id, id) ||
          this.#isCut(id, other.id)
        )
          return
        this.#deliver(other, () => other.process?.refused?.(id))
      })
    }
  }

  /** The process ends by itself, having said good-bye: what it sent is under way. */
  exit(id: string): void {
    this.trace(id, 'exits')
    this.#end(this.#entry(id))
  }

  /** Starts a crashed process anew: it has forgotten everything. */
  restart(id: string): void {
    const entry = this.#entry(id)
    if (entry.process !== undefined) return
    this.trace(id, 'restarts')
    this.#start(entry)
  }

  /** SIGSTOP for `ms`: what arrives meanwhile is handled afterwards, and timers fire late. */
  pause(id: string, ms: number): void {
    this.trace(id, `is paused for ${Math.round(ms)} ms`)
    this.#entry(id).pausedUntil = this.#now + ms
  }

  /** Drops all messages from `from` to `to` (one way). */
  cut(from: string, to: string): void {
    this.#cuts.add(`${from} ${to}`)
  }

  /** Cuts the world in two, both ways. */
  partition(group: string[]): void {
    for (const a of this.ids()) {
      for (const b of this.ids()) {
        if (group.includes(a) !== group.includes(b)) this.cut(a, b)
      }
    }
    this.trace('world', `is cut: ${group.join(' ')} | the rest`)
  }

  heal(): void {
    if (this.#cuts.size > 0) this.trace('world', 'heals')
    this.#cuts.clear()
  }

  /** Runs something in the world at a time from now, e.g. a fault. */
  after(ms: number, run: () => void): void {
    this.#at(ms, run)
  }

  /** Lets `ms` of virtual time pass. */
  run(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = this.#queue[0]
      if (next === undefined || next.at > end) break
      this.#pop()
      this.#now = Math.max(this.#now, next.at)
      next.run()
      this.steps += 1
      this.invariant()
    }
    this.#now = end
  }

  trace(id: string, text: string): void {
    this.lines.push(`${this.#now.toFixed(1).padStart(9)}  ${id}  ${text}`)
    if (this.lines.length > 4_000) this.lines.splice(0, 1_000)
  }

  #end(entry: Entry): void {
    entry.process = undefined
    entry.life += 1
    entry.timers.clear()
    entry.pausedUntil = 0
  }

  #start(entry: Entry): void {
    const life = entry.life
    const alive = (): boolean => entry.life === life
    const host: Host = {
      id: entry.id,
      now: () => this.#now,
      random: this.random,
      send: (to, protocol, message) => {
        if (alive())
          this.#transmit(entry.id, to, this.faults.loss, process => process.receive(entry.id, protocol, message))
      },
      gossip: (topic, message) => {
        if (!alive()) return
        for (const id of this.#entries.keys()) {
          if (id !== entry.id)
            this.#transmit(entry.id, id, this.faults.gossipLoss, process => process.gossip(topic, message))
        }
      },
      timer: (name, delay) => {
        if (!alive()) return
        entry.timers.delete(name)
        if (delay === undefined) return
        const id = ++this.#timerIds
        entry.timers.set(name, id)
        const fire = (): void => {
          if (!alive() || entry.timers.get(name) !== id) return
          entry.timers.delete(name)
          entry.process?.timer(name)
        }
        this.#at(delay, () => this.#deliver(entry, fire, 0))
      },
      trace: text => this.trace(entry.id, text)
    }
    entry.process = entry.make(host)
    entry.process.start()
  }

  #transmit(from: string, to: string, loss: number, handle: (process: Process) => void): void {
    const entry = this.#entries.get(to)
    if (entry === undefined) return
    this.messages += 1
    if (this.#isCut(from, to) || this.random() < loss) return
    const life = entry.life
    const [least, most] = this.faults.delay
    this.#at(least + this.random() * (most - least), () => {
      if (this.#isCut(from, to)) return
      this.#deliver(entry, () => {
        if (entry.life === life && entry.process !== undefined) handle(entry.process)
      })
    })
  }

  /** Runs now, or once the process wakes up: as in Node.js, due timers then come before what waits in the sockets. */
  #deliver(entry: Entry, run: () => void, after = AFTER_TIMERS_MS): void {
    const asleep = entry.pausedUntil - this.#now
    if (asleep > 0) this.#at(asleep + after, () => this.#deliver(entry, run, after))
    else run()
  }

  #isCut(from: string, to: string): boolean {
    return this.#cuts.has(`${from} ${to}`)
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id)
    if (entry === undefined) throw new Error(`no process ${id} in this world`)
    return entry
  }

  // A binary heap by (time, order of scheduling): equal times keep their order, so a seed always replays.
  #at(delay: number, run: () => void): void {
    const item = { at: this.#now + Math.max(0, delay), order: this.#order++, run }
    const queue = this.#queue
    let i = queue.push(item) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!before(item, queue[parent]!)) break
      queue[i] = queue[parent]!
      i = parent
    }
    queue[i] = item
  }

  #pop(): void {
    const queue = this.#queue
    const last = queue.pop()
    if (last === undefined || queue.length === 0) return
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= queue.length) break
      if (child + 1 < queue.length && before(queue[child + 1]!, queue[child]!)) child += 1
      if (!before(queue[child]!, last)) break
      queue[i] = queue[child]!
      i = child
    }
    queue[i] = last
  }
}

function before(a: Scheduled, b: Scheduled): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
