/** A simulated world of peers that fire schedules under faults, drawn from a seed. Leaders come and go, and clocks are set. */
import type {
  Missed,
  NewSchedule,
  Overlap,
  ScheduleDefinition,
  ScheduleMark
} from '../../src/journal/schedule-record.ts'
import { definitionKey, markKey } from '../../src/schedules/core/keys.ts'
import { type ScheduleRules, scheduleRules } from '../../src/schedules/core/rules.ts'
import type { Calendar, ScheduleAnswer } from '../../src/schedules/core/types.ts'
import { type Failure, failureOf } from './failure.ts'
import { type Disk, ScheduleProcess, type ScheduleRequest, type Token } from './schedule-process.ts'
import { NOISE_MS, ScheduleTruth, WORLD_GRACE_MS, WORLD_ON_TIME_MS } from './schedule-truth.ts'
import { World } from './world.ts'

const FAULTY_MS = 50_000
const CALM_MS = 30_000
/** 2026-11-28T00:00:00Z. */
const EPOCH = 1_795_824_000_000
/** The time in which each schedule must go on, in ms. The longest period and the longest job together take less. */
const STILL_MS = 18_000
const OBSERVE_MS = 100
const RETRY_MS = 1_000

export interface ScheduleWorldRules {
  schedules?: Partial<ScheduleRules>
  /** Whether jobs and marks count when enough peers store them. Default true. */
  waitsForJournal?: boolean
  /** Whether a job that a leader has found counts before enough peers store it again. Default false. */
  countsUnstored?: boolean
}

const worldRules: ScheduleRules = {
  ...scheduleRules,
  isOnTime: late => late <= WORLD_ON_TIME_MS,
  isRecent: late => late <= WORLD_GRACE_MS
}

/** Runs the world of `seed`. Returns its failure, or `undefined` if every invariant held. */
export function runScheduleSeed(seed: number, rules: ScheduleWorldRules = {}): Failure | undefined {
  return failureOf(seed, new Scenario(seed, rules))
}

interface Peer {
  process: ScheduleProcess | undefined
  disk: Disk
  /** How far its clock is ahead, in ms. */
  offset: number
}

type Step = { after: number; request: (token: Token) => ScheduleRequest }

/** Returns the due times of each `period` s, `phase` s later. */
function every(cron: string): Calendar {
  const [period = 1, phase = 0] = cron.split('+').map(Number)
  const [ms, shift] = [period * 1_000, phase * 1_000]
  return { next: after => Math.floor((after - shift) / ms + 1) * ms + shift }
}

class Scenario {
  readonly world: World
  readonly #rules: ScheduleWorldRules
  readonly #hasVoters: boolean
  readonly #ids: string[]
  readonly #syncMs: number
  readonly #peers = new Map<string, Peer>()
  readonly #truth: ScheduleTruth
  /** The peers that are cut off from the others. */
  #group = new Set<string>()
  #epoch = 0
  /** The newest leadership that was ready. */
  #newest = 0
  #steps = 0
  /** How far all clocks are ahead, in ms. */
  #shift = 0
  /** When the clock of a peer was last set. */
  #setAt = 0
  #busyUntil = 0
  #tokens = 0
  readonly #asked = new Map<Token, (answer: ScheduleAnswer) => void>()
  /** The time until which each side of a cut has no leader. */
  readonly #vacant = new Map<string, number>()

  constructor(seed: number, rules: ScheduleWorldRules) {
    this.world = new World(seed)
    this.#rules = rules
    const { random } = this.world
    this.#hasVoters = random() < 0.8
    this.#syncMs = random() < 0.5 ? 20 : 400
    this.#ids = Array.from({ length: random() < 0.7 ? 3 : 5 }, (_, i) => `p${i}`)
    this.#truth = new ScheduleTruth({
      hasVoters: this.#hasVoters,
      calendar: every,
      ahead: id => this.#ahead(id),
      wall: id => this.#wall(id),
      steps: () => this.#steps,
      newestEpoch: () => this.#newest
    })
  }

  run(): void {
    const { world } = this
    const { random } = world
    world.faults = { loss: random() ** 2 * 0.5, gossipLoss: 0, delay: [0.5, 5 + random() * random() * 400] }
    for (const id of this.#ids) this.#add(id)
    this.#observe()
    const count = 1 + Math.floor(random() * 3)
    for (let i = 0; i < count; i++) this.#drawSchedule(`s${i}`)
    if (random() < 0.5) this.#drawOnce('later')
    for (let at = 3_000; at < FAULTY_MS; at += 300 + random() * 5_000) world.after(at, () => this.#fault())
    world.run(FAULTY_MS)
    this.#calm()
    world.run(CALM_MS - STILL_MS)
    const states = this.#leader()?.table?.states() ?? []
    const before = new Map(states.map(({ name, next }) => [name, next]))
    world.run(STILL_MS)
    this.#settle(before)
  }

  #calm(): void {
    const { world } = this
    this.#heal()
    world.faults = { loss: 0, gossipLoss: 0, delay: [1, 10] }
    this.#busyUntil = 0
    for (const id of this.#ids) {
      if (!world.isUp(id)) world.restart(id)
      this.#peers.get(id)!.offset = 0
    }
  }

  /** The leader with the newest epoch. */
  #leader(): ScheduleProcess | undefined {
    return this.#ids
      .map(id => this.#peers.get(id)!.process!)
      .filter(({ isReady }) => isReady)
      .sort((a, b) => b.epoch! - a.epoch!)[0]
  }

  /** `before`: the next due time of each schedule {@link STILL_MS} ago. */
  #settle(before: ReadonlyMap<string, number | undefined>): void {
    const leader = this.#leader()
    if (leader === undefined) throw new Error('there is no leader in the end')
    const states = new Map(leader.table!.states().map(state => [state.name, state]))
    for (const [name, known] of this.#truth.schedules) {
      const state = states.get(name)
      if (known.isRemoved) {
        if (this.#hasVoters && state !== undefined) throw new Error(`${name} is back after its removal`)
        continue
      }
      if (name === 'later') {
        if (this.#wall(leader.init.host.id) < known.at + 10_000) continue
        if (state !== undefined) throw new Error(`${name} still waits`)
        if (!known.isRefused && !this.#truth.has(name)) throw new Error(`${name} has never run`)
        continue
      }
      if (state === undefined && !this.#hasVoters) continue
      if (state === undefined) throw new Error(`${name} is lost`)
      const mark = leader.stored(markKey(name)) as ScheduleMark | undefined
      const definition = leader.stored(definitionKey(name)) as ScheduleDefinition
      if (mark === undefined) throw new Error(`${name} has no mark`)
      if (!state.isPaused && state.next === before.get(name)) throw new Error(`${name} stands still`)
      if (known.isCounted && this.#hasVoters) this.#truth.checkCounts(name, definition, mark)
    }
  }

  // --- Peers

  #add(id: string): void {
    const { world } = this
    const { waitsForJournal = true, countsUnstored = false, schedules } = this.#rules
    const peer: Peer = {
      process: undefined,
      disk: { replica: new Map(), promised: 0 },
      offset: (world.random() * 2 - 1) * 1_000
    }
    this.#peers.set(id, peer)
    world.add(id, host => {
      peer.process = new ScheduleProcess({
        host,
        peers: this.#ids,
        disk: peer.disk,
        hasVoters: this.#hasVoters,
        connected: () => this.#connected(id),
        clock: () => {
          const ahead = this.#ahead(id)
          const noise = (world.random() * 2 - 1) * NOISE_MS
          return { now: this.#wall(id), ahead: ahead === undefined ? undefined : ahead + noise }
        },
        calendar: every,
        refusal: () => {
          if (world.now() > this.#busyUntil) return undefined
          return { isFinal: world.random() < 0.1 }
        },
        rules: { ...worldRules, ...schedules },
        syncMs: this.#syncMs,
        waitsForJournal,
        countsUnstored,
        witness: {
          onReady: process => {
            this.#newest = Math.max(this.#newest, process.epoch!)
            this.#truth.onReady(process)
          },
          onFire: (process, fire) => {
            this.#truth.onFire(process, fire)
            this.#onFire(id)
          },
          onAccepted: (process, job, start) => this.#truth.onAccepted(process, job, start),
          onRefused: (process, fire, isFinal) => this.#truth.onRefused(process, fire, isFinal),
          onReport: (process, report) => this.#truth.onReport(process, report),
          onAnswer: (process, token, answer) => {
            // A leader that is cut off does not know what the present leader has done.
            if (answer.type === 'done' || answer.type === 'run' || process.epoch === this.#newest)
              this.#asked.get(token)?.(answer)
          }
        }
      })
      return peer.process
    })
  }

  #wall(id: string): number {
    return Math.floor(EPOCH + this.world.now() + this.#shift + this.#peers.get(id)!.offset)
  }

  #isAlive(id: string): boolean {
    return this.world.isUp(id) && !this.world.isPaused(id)
  }

  #connected(id: string): string[] {
    return this.#ids.filter(
      other => other !== id && this.#isAlive(other) && this.#group.has(other) === this.#group.has(id)
    )
  }

  #ahead(id: string): number | undefined {
    const others = this.#connected(id)
    if (others.length === 0) return undefined
    const walls = [id, ...others].map(other => this.#wall(other)).sort((a, b) => a - b)
    const middle = walls.length / 2
    const median = (walls[Math.ceil(middle) - 1]! + walls[Math.floor(middle)]!) / 2
    return this.#wall(id) - median
  }

  /** Gives each side of a cut a leader, with voters only the side of the majority. */
  #observe(): void {
    const { world } = this
    world.after(OBSERVE_MS, () => this.#observe())
    for (const side of [true, false]) {
      const alive = this.#ids.filter(id => this.#group.has(id) === side && this.#isAlive(id))
      const key = String(side)
      const leading = alive
        .map(id => this.#peers.get(id)!.process!)
        .filter(({ epoch }) => epoch !== undefined)
        .sort((a, b) => b.epoch! - a.epoch!)
      for (const old of leading.slice(1)) if (world.random() < 0.1) old.stop()
      const isEnough = this.#hasVoters ? alive.length > this.#ids.length / 2 : alive.length > 0
      const promised = Math.max(...alive.map(id => this.#peers.get(id)!.disk.promised))
      const newest = this.#hasVoters ? this.#epoch : promised
      const isLed = leading[0]?.epoch !== undefined && leading[0].epoch >= newest
      if (!isEnough || isLed) {
        this.#vacant.delete(key)
        if (!isEnough && world.random() < 0.05) leading[0]?.stop()
        continue
      }
      const until = this.#vacant.get(key) ?? world.now() + 200 + world.random() ** 2 * 4_000
      this.#vacant.set(key, until)
      if (world.now() < until) continue
      this.#vacant.delete(key)
      this.#epoch += 1
      this.#peers.get(alive[Math.floor(world.random() * alive.length)]!)!.process!.lead(this.#epoch)
    }
  }

  // --- Clients

  #drawSchedule(name: string): void {
    const { random } = this.world
    const any = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
    const draw = (id: string): NewSchedule => {
      const period = any([1, 1, 2, 3, 10])
      return {
        id,
        times: { type: 'cron', cron: `${period}+${Math.floor(random() * period)}`, timeZone: 'UTC' },
        missed: any<Missed>(['skip', 'one', 'all', 'all']),
        overlap: any<Overlap>(['skip', 'queue', 'allow', 'allow']),
        catchUp: any([1, 3, 100, 100]),
        jitter: random() < 0.3 ? random() * 3_000 : 0,
        submission: { task: 'task' } as NewSchedule['submission']
      }
    }
    const known = this.#know(name, `${name}-1`)
    const steps: Step[] = [this.#put(random() * 10_000, name, draw(`${name}-1`))]
    if (random() < 0.4) {
      steps.push({ after: 5_000 + random() * 10_000, request: token => ({ type: 'pause', name, token }) })
      steps.push({ after: random() * 10_000, request: token => ({ type: 'resume', name, token }) })
      known.isCounted = false
    }
    if (random() < 0.4) {
      const time = EPOCH + Math.floor(random() * 50) * 1_000 + 1
      steps.push({ after: random() * 10_000, request: token => ({ type: 'run', name, time, token }) })
    }
    if (random() < 0.3) {
      known.isCounted = false
      if (random() < 0.5) steps.push({ after: random() * 5_000, request: token => ({ type: 'pause', name, token }) })
      steps.push({ after: 3_000 + random() * 10_000, request: token => ({ type: 'remove', name, token }) })
      if (random() < 0.7) steps.push(this.#put(random() * 3_000, name, draw(`${name}-2`)))
    }
    this.#follow(name, steps)
  }

  #drawOnce(name: string): void {
    const { random } = this.world
    const times = { type: 'once', at: Math.floor(EPOCH + 5_000 + random() * 60_000) } as const
    this.#know(name, name, times.at)
    const terms = { missed: 'one', overlap: 'allow', catchUp: 1, jitter: 0 } as const
    const submission = { task: 'task' } as NewSchedule['submission']
    const steps = [this.#put(random() * 10_000, name, { id: name, times, ...terms, submission })]
    if (random() < 0.2)
      steps.push({ after: random() * 10_000, request: token => ({ type: 'run', name, time: 0, token }) })
    this.#follow(name, steps)
  }

  #know(name: string, id: string, at = 0) {
    const known = { id, at, isRemoved: true, pausedAt: undefined, resuming: undefined, pause: undefined }
    const schedule = { ...known, isAsked: false, isCounted: true, isRefused: false }
    this.#truth.schedules.set(name, schedule)
    return schedule
  }

  #put(after: number, name: string, schedule: NewSchedule): Step {
    return { after, request: token => ({ type: 'put', name, schedule, token }) }
  }

  #follow(name: string, [step, ...steps]: Step[]): void {
    if (step === undefined) return
    this.world.after(step.after, () => {
      const token = ++this.#tokens
      this.#asked.set(token, answer => {
        if (!this.#asked.delete(token)) return
        this.world.trace('client', `${name}: ${JSON.stringify(answer)}`)
        this.#learn(name, request, answer)
        this.#follow(name, steps)
      })
      const request = step.request(token)
      this.world.trace('client', `${request.type} ${name}`)
      this.#expect(name, request)
      this.#ask(token, request)
    })
  }

  #ask(token: Token, request: ScheduleRequest): void {
    if (!this.#asked.has(token)) return
    const leaders = this.#ids.filter(id => this.#isAlive(id) && this.#peers.get(id)!.process!.epoch !== undefined)
    const leader = leaders[Math.floor(this.world.random() * leaders.length)]
    if (leader !== undefined) this.#peers.get(leader)!.process!.request(request)
    this.world.after(RETRY_MS, () => this.#ask(token, request))
  }

  #medianOfAll(): number {
    return EPOCH + this.world.now() + this.#shift
  }

  #expect(name: string, request: ScheduleRequest): void {
    const known = this.#truth.schedules.get(name)!
    if (request.type === 'put') known.isRemoved = false
    if (request.type === 'run') known.isAsked = true
    if (request.type === 'resume') {
      // The members' clocks differ by at most a second from the world's, so this much may be wrong.
      const until = this.#medianOfAll() - 2_000
      known.resuming = { from: known.pausedAt! + 2_000, until, steps: this.#steps, at: this.world.now() }
      known.pausedAt = undefined
    }
    if (request.type === 'remove' || request.type === 'put') {
      known.pausedAt = undefined
      known.pause = undefined
    }
  }

  #learn(name: string, request: ScheduleRequest, answer: ScheduleAnswer): void {
    const known = this.#truth.schedules.get(name)!
    if (request.type === 'pause' && answer.type === 'done') known.pausedAt = this.#medianOfAll()
    if (request.type === 'remove') known.isRemoved = true
    const areRight = [...this.#peers.values()].every(({ offset }) => Math.abs(offset) < 1_500)
    if (request.type === 'resume' && areRight && this.#setAt < known.resuming!.at) known.pause = known.resuming
  }

  // --- Faults

  #fault(): void {
    const { world } = this
    const { random } = world
    const any = (): string => this.#ids[Math.floor(random() * this.#ids.length)]!
    const leader = this.#ids.find(id => world.isUp(id) && this.#peers.get(id)!.process!.epoch === this.#epoch)
    const target = random() < 0.6 ? (leader ?? any()) : any()
    const roll = random()
    if (!world.isUp(target)) world.restart(target)
    else if (roll < 0.25) this.#crash(target, random() * random() * 8_000)
    else if (roll < 0.33) for (const id of this.#ids) this.#crash(id, random() * 6_000)
    else if (roll < 0.45) world.pause(target, 200 + random() * 6_000)
    else if (roll < 0.6) this.#cut(random() < 0.5 ? [target] : this.#ids.filter(() => random() < 0.5))
    else if (roll < 0.75) this.#setClock(target, (random() * 2 - 1) * (random() < 0.5 ? 4_000 : 30_000))
    else if (roll < 0.83) this.#setAllClocks((random() * 2 - 1) * 150_000)
    else if (roll < 0.92) this.#busyUntil = world.now() + random() * 4_000
    else this.#peers.get(target)!.process!.stop()
  }

  #crash(id: string, ms: number): void {
    const { world } = this
    if (!world.isUp(id)) return
    world.crash(id)
    world.after(50 + ms, () => world.restart(id))
  }

  #cut(group: string[]): void {
    this.#heal()
    this.#group = new Set(group)
    this.world.partition(group)
    this.world.after(500 + this.world.random() * 8_000, () => this.#heal())
  }

  #heal(): void {
    this.#group = new Set()
    this.world.heal()
  }

  #setClock(id: string, ms: number): void {
    this.world.trace(id, `has its clock set by ${ms.toFixed(0)} ms`)
    this.#peers.get(id)!.offset += ms
    this.#setAt = this.world.now()
    this.world.after(this.world.random() * 10_000, () => {
      this.world.trace(id, 'has its clock set right')
      this.#peers.get(id)!.offset = 0
      this.#setAt = this.world.now()
    })
  }

  #setAllClocks(ms: number): void {
    this.world.trace('world', `sets all clocks by ${ms.toFixed(0)} ms`)
    this.#shift += ms
    this.#steps += 1
  }

  /** Cuts a leader off or ends it just when it submits a job, or soon after that. */
  #onFire(id: string): void {
    const { world } = this
    if (world.now() > FAULTY_MS || world.random() > 0.02) return
    world.after(world.random() * 150, () => {
      if (world.random() < 0.7) this.#crash(id, world.random() * 3_000)
      else this.#cut([id])
    })
  }
}
