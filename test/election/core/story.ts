/** Writes an election as a dialogue: which peer sends which message to which peer, and which leader each peer follows. */

import { expect } from 'vitest'
import type { ElectionMessage } from '../../../src/election/core/messages.ts'
import type { StrategyName } from '../../../src/election/core/strategies/names.ts'
import { ElectionProcess, type ElectionProcessOptions } from '../../simulation/election.ts'
import { IdealMembership, type IdealTimes } from '../../simulation/election-ideal.ts'
import { World } from '../../simulation/world.ts'

/** A silent peer is dead after 2 s. Each message takes 1 ms, so that no story depends on chance. */
const TIMES: IdealTimes = { poll: 100, silence: [2_000, 2_000], pushPull: 5_000 }

export class Story {
  readonly world = new World(1)
  readonly #strategy: StrategyName | undefined
  readonly #peers = new Map<string, ElectionProcess>()
  readonly #workers = new Set<string>()
  readonly #cuts = new Set<string>()
  /** Returns whether the network loses a message. */
  loses: (from: string, to: string, message: ElectionMessage) => boolean = () => false
  handOff: NonNullable<ElectionProcessOptions['handOff']> = () => ({ delay: 20, ok: true })

  /** Default: Bully. */
  constructor(strategy?: StrategyName) {
    this.#strategy = strategy
    this.world.faults = { loss: 0, gossipLoss: 0, delay: [1, 1] }
  }

  peer(id: string): ElectionProcess {
    return this.#peers.get(id)!
  }

  /** Returns the leadership that each running peer follows. */
  leaders(): Record<string, string> {
    const up = [...this.#peers].filter(([id]) => this.world.isUp(id))
    return Object.fromEntries(up.map(([id, { leader }]) => [id, leader ? `${leader.id} @${leader.epoch}` : 'nobody']))
  }

  tell(text: string): void {
    this.world.lines.push('', `# ${text}`)
  }

  start(...ids: string[]): void {
    for (const id of ids) {
      this.world.add(id, host => {
        const truth = {
          ids: () => this.world.ids(),
          areConnected: (a: string, b: string) => this.#areConnected(a, b),
          roleOf: (id: string) => (this.#workers.has(id) ? ('worker' as const) : ('auto' as const)),
          priorityOf: () => 0,
          hasLeft: (id: string) => this.#peers.get(id)?.hasLeft === true
        }
        const process = new ElectionProcess(host, {
          membership: (host, hooks) => new IdealMembership(host, hooks, truth, TIMES),
          strategy: this.#strategy,
          handOff: to => this.handOff(to),
          loses: (to, message) => this.loses(id, to, message),
          traceRepetitions: false
        })
        this.#peers.set(id, process)
        return process
      })
    }
  }

  startWorker(id: string): void {
    this.#workers.add(id)
    this.start(id)
  }

  cut(group: string[]): void {
    this.world.partition(group)
    for (const a of this.world.ids())
      for (const b of this.world.ids()) if (group.includes(a) !== group.includes(b)) this.#cuts.add(`${a} ${b}`)
  }

  heal(): void {
    this.world.heal()
    this.#cuts.clear()
  }

  run(ms: number): void {
    this.world.run(ms)
  }

  text(): string {
    return `${this.world.lines.join('\n').trim()}\n`
  }

  #areConnected(a: string, b: string): boolean {
    const { world } = this
    if (!world.isUp(a) || !world.isUp(b) || world.isPaused(a) || world.isPaused(b)) return false
    return !this.#cuts.has(`${a} ${b}`)
  }
}

/** Returns peers a, b, c and `others` after their first election. The trace leaves the first election out. */
export function settled(others: readonly string[] = [], strategy?: StrategyName): Story {
  const story = new Story(strategy)
  story.start('a', 'b', 'c', ...others)
  story.run(3_000)
  story.world.lines.length = 0
  return story
}

/** Compares the trace with the story file, so that a change of behaviour appears as a diff of the story file. */
export async function expectStory(name: string, story: Story): Promise<void> {
  await expect(story.text()).toMatchFileSnapshot(`./stories/${name}.txt`)
}
