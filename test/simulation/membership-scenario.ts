/** One world of membership processes and faults, drawn from a seed, with the invariants that must hold in this world. */

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
/** The most events of a world: about a hundred times the usual number. A world exceeds this limit only if timers start each other without end. */
const MOST_STEPS = 1_000_000
/** The interval between two checks for agreement, and the time for which the agreement must last, in ms. */
const LOOK_MS = 250
const LASTING_MS = 3_000

/**
 * One world in ten is a large cluster, whose members probe and exchange tables only with their neighbours (neighbours.ts). A large
 * world takes five times as long as a small world.
 */
const LARGE_EVERY = 10
const LARGE_FULL_MESH = 4

/** A bug that is planted into the core, to show that the invariants notice the bug. */
export interface Bug {
  rules?: Partial<SwimRules>
  profile?: Partial<Profile>
  bend?: () => Bend
}

export interface Outcome {
  seed: number
  kinds: ReadonlySet<FaultKind>
  size: number
  /** The time from the end of the faults until all members agreed, and the bound of this time, in ms. */
  agreedAfter: number
  bound: number
  /** The virtual ms of the world, and the number of its events. */
  duration: number
  steps: number
  /** The broken invariant, if any. */
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

/** Formats the end of a failed world's trace, with the broken invariant and the command that prints the whole trace. */
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
      if (world.steps > MOST_STEPS) throw new Violation('Time advances.', `there are more than ${MOST_STEPS} events`)
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
    if (difference !== undefined) throw new Violation('Agreement lasts while no fault happens.', difference)
  }

  #start(host: Parameters<Parameters<World['add']>[1]>[0]): Process {
    this.#truth.begins(host.id)
    const process = new SwimProcess(host, {
      seeds: this.#ids,
      meetsStrangers: true,
      profile: this.#profile,
      rules: this.#rules,
      bend: this.#bug.bend?.() ?? {},
      // The invariants use the normal profile, even if a bug changes the profile of the core.
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

  /** Runs until all members agree, and at least until all probes that began during the faults have ended: these probes may still accuse a member. */
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
          'After the faults end, all live members agree within the bound.',
          `${Math.round(world.now() - begin)} ms after it ended (the bound is ${Math.round(bound)} ms) ${difference}`
        )
      else agreedAt = undefined
      world.run(LOOK_MS)
    }
    this.agreedAfter = agreedAt - begin
    world.trace('world', `has been of one mind since ${Math.round(this.agreedAfter)} ms after the faults`)
  }

  /** Describes a difference between the views of two members. Returns undefined if all views agree. */
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

  /** Describes a difference about a member that is down. A record of a later incarnation makes such a member a suspect again for a while. */
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
