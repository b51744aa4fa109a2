/** One world of membership processes and faults, drawn from a seed, with the invariants that must hold in it. */

import { type SwimRules, swimRules } from '../../src/membership/core/rules.ts'
import { type Profile, profiles } from '../../src/membership/profile.ts'
import { type Bend, SwimProcess } from './membership.ts'
import { agreementBound, longestProbe } from './membership-bound.ts'
import { DutyCheck } from './membership-duties.ts'
import { type FaultKind, FaultPlan, LEAST_KINDS, WORST_DRIFT } from './membership-faults.ts'
import { SpeechCheck } from './membership-speech.ts'
import { Story } from './membership-story.ts'
import { Truth, Violation } from './membership-truth.ts'
import { ViewCheck } from './membership-views.ts'
import { type Process, World } from './world.ts'

/** Virtual ms during which faults happen. */
const FAULTY_MS = 60_000
/** Some hundred times as many events as a world has: more are timers that start each other without end. */
const MOST_STEPS = 1_000_000
/** How often it is looked whether all agree, and for how long they have to go on agreeing, in ms. */
const LOOK_MS = 250
const LASTING_MS = 3_000

/**
 * One world in so many is a large cluster, whose members probe and exchange tables with their neighbours only (neighbours.ts). No more:
 * it costs five times the time of another.
 */
const LARGE_EVERY = 10
const LARGE_FULL_MESH = 4

/** How a core is broken on purpose, to see that the invariants notice. */
export interface Bug {
  rules?: Partial<SwimRules>
  profile?: Partial<Profile>
  bend?: () => Bend
}

export interface Outcome {
  seed: number
  kinds: ReadonlySet<FaultKind>
  size: number
  /** How long it took all to agree once the faults had ended, and how long it may take, in ms. */
  agreedAfter: number
  bound: number
  /** Virtual ms, and events in them. */
  duration: number
  steps: number
  /** What broke, if something did. */
  failure: Error | undefined
  lines: readonly string[]
}

/** Runs the world of `seed`. */
export function runSeed(seed: number, bug: Bug = {}): Outcome {
  const scenario = new Scenario(seed, bug)
  let failure: Error | undefined
  try {
    scenario.run()
  } catch (error) {
    failure = error as Error
    scenario.world.trace('world', `ends here: ${failure.message}`)
  }
  const { size, bound, agreedAfter, plan, world } = scenario
  const { steps, lines } = world
  return { seed, kinds: plan.happened, size, agreedAfter, bound, duration: world.now(), steps, failure, lines }
}

/** The last part of what happened in a world that failed, which rule was broken, and how to see all of it. */
export function report({ seed, failure, lines }: Outcome, most = 60): string {
  const rule = failure instanceof Violation ? `${failure.invariant} But ` : ''
  return [
    `seed ${seed}: ${rule}${failure?.message ?? 'all went well'}`,
    `replay, with all of its trace: npm run simulate -- --from ${seed} --seeds 1 --trace`,
    ...(lines.length > most ? [`(the last ${most} lines of ${lines.length})`] : []),
    ...lines.slice(-most)
  ].join('\n')
}

class Scenario {
  readonly world: World
  readonly plan: FaultPlan
  readonly size: number
  agreedAfter = Number.NaN
  readonly #ids: string[]
  readonly #profile: Profile
  readonly #rules: SwimRules
  readonly #bug: Bug
  readonly #truth: Truth
  readonly #processes = new Map<string, SwimProcess>()

  constructor(seed: number, bug: Bug) {
    const world = new World(seed)
    this.world = world
    this.#bug = bug
    const isLarge = seed % LARGE_EVERY === 0
    this.#profile = { ...profiles.lan, ...(isLarge && { fullMesh: LARGE_FULL_MESH }), ...bug.profile }
    this.#rules = { ...swimRules, ...bug.rules }
    this.#truth = new Truth(() => world.now())
    this.size = isLarge ? 12 + Math.floor(world.random() * 5) : 5 + Math.floor(world.random() * 4)
    this.#ids = Array.from({ length: this.size }, (_, i) => `p${i}`)
    this.plan = new FaultPlan(world, this.#truth, {
      ids: this.#ids,
      process: id => this.#processes.get(id)!,
      refuse: (observer, id) => this.#processes.get(observer)!.refused(id)
    })
    world.invariant = () => {
      if (world.steps > MOST_STEPS) throw new Violation('Time goes on.', `there are more than ${MOST_STEPS} events`)
    }
    for (const id of this.#ids) {
      const clock = this.plan.clock()
      world.after(world.random() * 3_000, () => world.add(id, host => this.#start(host), clock))
    }
  }

  get bound(): number {
    return agreementBound(profiles.lan, this.size, WORST_DRIFT)
  }

  run(): void {
    const { world, plan } = this
    plan.schedule(2_000, FAULTY_MS)
    world.run(FAULTY_MS)
    plan.end()
    if (plan.happened.size < LEAST_KINDS)
      throw new Violation(`At least ${LEAST_KINDS} kinds of fault happen.`, `only ${[...plan.happened]} happened`)
    world.run(world.settledAt() - world.now())
    this.#awaitAgreement()
    world.run(LASTING_MS)
    const difference = this.#differenceOnLive()
    if (difference !== undefined) throw new Violation('Agreement lasts while nothing goes wrong.', difference)
  }

  #start(host: Parameters<Parameters<World['add']>[1]>[0]): Process {
    this.#truth.begins(host.id)
    const process = new SwimProcess(host, {
      seeds: this.#ids,
      meetsStrangers: true,
      profile: this.#profile,
      rules: this.#rules,
      bend: this.#bug.bend?.() ?? {},
      // What the invariants allow does not change with what a bug does to the profile.
      observers: process => [
        new Story(host.id, host.trace, host.now),
        new DutyCheck(process, profiles.lan),
        new SpeechCheck(this.#truth, process, profiles.lan),
        new ViewCheck(this.world, this.#truth, process, profiles.lan)
      ]
    })
    this.#processes.set(host.id, process)
    return process
  }

  /** Runs on until all agree, and at least until the probes that began among faults are over: they may still accuse somebody. */
  #awaitAgreement(): void {
    const { world, bound } = this
    const begin = world.now()
    const probesEnd = begin + longestProbe(profiles.lan, WORST_DRIFT)
    let agreedAt: number | undefined
    while (agreedAt === undefined || world.now() < probesEnd) {
      const difference = this.#difference()
      if (difference === undefined) agreedAt ??= world.now()
      else if (world.now() - begin > bound)
        throw new Violation(
          'Once nothing goes wrong any more, all live members agree within the bound.',
          `${Math.round(world.now() - begin)} ms after it ended (the bound is ${Math.round(bound)} ms) ${difference}`
        )
      else agreedAt = undefined
      world.run(LOOK_MS)
    }
    this.agreedAfter = agreedAt - begin
    world.trace('world', `has been of one mind since ${Math.round(this.agreedAfter)} ms after the faults`)
  }

  /** Where two do not agree on who is there. */
  #difference(): string | undefined {
    return this.#differenceOnLive() ?? this.#differenceOnDown()
  }

  #differenceOnLive(): string | undefined {
    const up = this.#up()
    for (const observer of up) {
      if (!observer.isReady) return `${observer.id} is not ready`
      for (const { id, self } of up) {
        const member = observer.get(id)
        const isRight =
          member?.state === 'alive' && member.incarnation === self.incarnation && member.revision === self.revision
        if (isRight) continue
        const sees = `${observer.id} sees ${id} ${member?.state} @${member?.incarnation}.${member?.revision}`
        return `${sees}, but it is alive @${self.incarnation}.${self.revision}`
      }
    }
    return undefined
  }

  /** News of a later incarnation of somebody who is down make it a suspect once more, for a while. */
  #differenceOnDown(): string | undefined {
    for (const observer of this.#up()) {
      for (const { id, state } of observer.live()) {
        if (!this.world.isUp(id)) return `${observer.id} sees ${id} ${state}, but it is down`
      }
    }
    return undefined
  }

  #up(): SwimProcess[] {
    return this.#ids.filter(id => this.world.isUp(id)).map(id => this.#processes.get(id)!)
  }
}
