/** Worlds of whole peers, drawn from seeds. */
import type { Role } from '../../../src/membership/core/member.ts'
import type { Failure } from '../failure.ts'
import type { World } from '../world.ts'
import { randomFrom } from '../world.ts'
import type { SimulatedJob } from './runner.ts'
import { Cluster, type Faults } from './scenario.ts'
import { withVirtualTime } from './virtual-time.ts'

const STREAMS = ['ordered', 'unordered', undefined] as const
/** The virtual ms during which faults happen, and the virtual ms after the faults within which all peers must agree and all jobs must end. */
const FAULTY_MS = 30_000
const CALM_MS = 60_000

/** Runs the world of `seed`. Resolves with its failure, or with `undefined` if every invariant held. */
export async function runClusterSeed(seed: number): Promise<Failure | undefined> {
  const story = new Story(seed)
  try {
    await withVirtualTime(() => story.run())
    return undefined
  } catch (error) {
    return { seed, error: error as Error, lines: story.world.lines }
  }
}

class Story {
  readonly cluster: Cluster
  readonly #seed: number
  readonly #faults: Faults
  readonly #random: () => number

  constructor(seed: number) {
    this.#seed = seed
    this.#random = randomFrom(seed ^ 0x5eed)
    const random = this.#random
    this.#faults = (['hand-offs', 'deaths', 'deaths', 'apart'] as const)[seed % 4]!
    const size = 5 + Math.floor(random() * 3)
    const voters = random() < 0.4 ? 3 : 0
    const role = (i: number): Role =>
      i < voters ? 'auto' : random() < 0.2 ? 'worker' : random() < 0.1 ? 'leader' : 'auto'
    const peers = Array.from({ length: size }, (_, i) => role(i))
    const below = seed % 8 < 2 ? 'swim' : 'ideal'
    const slowest = 5 + random() * random() * 60
    this.cluster = new Cluster({ seed, faults: this.#faults, below, peers, voters, slowest })
  }

  get world(): World {
    return this.cluster.world
  }

  async run(): Promise<void> {
    const { cluster } = this
    const { world } = cluster
    const random = this.#random
    if (this.#faults === 'apart') world.faults = { ...world.faults, loss: random() * 0.05, gossipLoss: random() * 0.3 }
    const jobs = 2 + Math.floor(random() * 4)
    for (let i = 0; i < jobs; i++)
      world.after(3_000 + random() * (FAULTY_MS - 8_000), () => cluster.submit(this.#job(i)))
    this.#lock()
    for (let at = 4_000; at < FAULTY_MS; at += 500 + random() * 5_000) world.after(at, () => this.#fault())
    for (let at = 4_000; at < FAULTY_MS; at += 1_000) world.after(at, () => this.#look())
    await cluster.run(FAULTY_MS)
    cluster.heal()
    world.faults = { ...world.faults, loss: 0, gossipLoss: 0 }
    for (const id of world.ids()) cluster.restart(id)
    for (let spent = 0; spent < CALM_MS; spent += 5_000) await cluster.run(5_000)
    cluster.checkEnd()
  }

  /** Has clients hold locks in some of the worlds. In the others, every draw is as it was before there were locks. */
  #lock(): void {
    if (![2, 6].includes(this.#seed % 7)) return
    const random = randomFrom(this.#seed ^ 0x10c)
    for (let i = 0; i < 12; i++) {
      const [ttl, holds] = [1_000 + random() * 3_000, random() * 3_000]
      const name = i % 3 === 0 ? 'night' : 'day'
      this.world.after(2_000 + random() * FAULTY_MS, () => this.cluster.hold(name, `client ${i}`, ttl, holds))
    }
  }

  #job(i: number): SimulatedJob {
    const random = this.#random
    const least = 5 + random() ** 2 * 400
    const chunks = 5 + Math.floor(random() * 60)
    const takes = [least, least * (1 + random())] as const
    // The option depends on the seed itself. A random draw would change every later draw, and so the worlds that earlier runs examined.
    const reads = this.#seed % 7 === 3 ? [Number.POSITIVE_INFINITY, 5, undefined][i % 3] : undefined
    const stream = this.#seed % 7 === 5 ? STREAMS[i % 3] : undefined
    const isIteration = this.#seed % 5 === 2 && stream === undefined
    const shards = isIteration ? 1 + ((7 * this.#seed + 13 * i) % 12) : undefined
    if (this.#seed % 5 !== 3 || i % 2 > 0 || stream !== undefined)
      return { name: `job${i}`, chunks, takes, reads, stream, shards }
    // Short chunks, so that workers get whole groups.
    const short = [1 + least / 50, 1 + least / 25] as const
    return { name: `job${i}`, chunks: 8 * chunks, takes: short, reads, combines: true }
  }

  #fault(): void {
    const { cluster } = this
    const random = this.#random
    const { up, leader } = cluster
    const target = leader !== undefined && random() < 0.5 ? leader : cluster.any(up)
    if (target === undefined) return
    const roll = random()
    if (up.length < 5 || roll < 0.25) this.#comes()
    else if (roll < 0.45) this.#leaves(target)
    else if (this.#faults === 'hand-offs') return
    else if (roll < 0.75) this.#crash([target])
    else if (roll < 0.85)
      this.#crash(
        [
          target,
          ...up
            .filter(id => id !== target)
            .sort()
            .reverse()
        ].slice(0, 2)
      )
    else if (this.#faults === 'deaths') return
    else if (roll < 0.92) cluster.pause(target, 200 + random() ** 2 * 10_000)
    else if (!cluster.isCut) cluster.partition(up.filter(() => random() < 0.5))
    else cluster.heal()
  }

  /** Starts a new peer, or restarts a peer that died. */
  #comes(): void {
    const { cluster } = this
    const gone = cluster.any(this.world.ids().filter(id => !this.world.isUp(id)))
    if (gone !== undefined && this.#random() < 0.7) cluster.restart(gone)
    else cluster.join('auto')
  }

  #leaves(id: string): void {
    const { cluster } = this
    // If no other peer can lead, a leader that leaves has the same effect as a leader that dies.
    const heirs = cluster.up.filter(other => other !== id && cluster.mayLead(other))
    if (cluster.up.length > 4 && heirs.length >= cluster.fewestLeaders && cluster.wouldSurvive([id])) cluster.leave(id)
  }

  #crash(ids: string[]): void {
    const { cluster } = this
    if (cluster.up.length > ids.length + 2 && cluster.wouldSurvive(ids)) cluster.crash(ids)
  }

  #look(): void {
    if (this.#faults !== 'apart' && this.cluster.isQuiet()) this.cluster.checkHeld()
  }
}
