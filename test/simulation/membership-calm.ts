/** Worlds with only one kind of fault. In these worlds the membership must keep stronger promises. */

import type { SwimRules } from '../../src/membership/core/rules.ts'
import type { Profile } from '../../src/membership/profile.ts'
import { SwimProcess } from './membership.ts'
import { World } from './world.ts'

interface Calm {
  world: World
  ids: string[]
  processes: Map<string, SwimProcess>
}

interface CalmOptions {
  rules?: SwimRules
  profile?: Profile
}

/** Five to eight peers that have met, in a world without loss. */
function calm(seed: number, { rules, profile }: CalmOptions): Calm {
  const world = new World(seed)
  const processes = new Map<string, SwimProcess>()
  const ids = Array.from({ length: 5 + Math.floor(world.random() * 4) }, (_, i) => `p${i}`)
  for (const id of ids) {
    world.add(id, host => {
      const process = new SwimProcess(host, { seeds: ids, rules, profile })
      processes.set(id, process)
      return process
    })
  }
  world.run(5_000)
  return { world, ids, processes }
}

/** The longest time from a crash to the verdict, in ms: the first refusals of the kernel (6 to 14 ms), gossip (up to 5 ms), and a margin. */
const VERDICT_MS = 50

/** Crashes several processes at once, but leaves at least one. The remaining processes must declare the crashed processes dead within VERDICT_MS. */
export function crashSeveral(seed: number, options: CalmOptions = {}): void {
  const { world, ids, processes } = calm(seed, options)
  const survivors = 1 + Math.floor(world.random() * (ids.length - 1))
  for (const id of ids.slice(survivors)) world.crash(id)
  world.run(VERDICT_MS)
  for (const observer of ids.slice(0, survivors)) {
    for (const id of ids) {
      const expected = world.isUp(id) ? 'alive' : 'dead'
      const state = processes.get(observer)!.get(id)?.state
      if (state !== expected) throw new Error(`seed ${seed}: ${observer} sees ${id} ${state}, not ${expected}`)
    }
  }
}

/** Pauses some processes again and again. No paused process may ever suspect a process that was never paused. */
export function pauseSome(seed: number, options: CalmOptions = {}): void {
  const { world, ids, processes } = calm(seed, options)
  // Answers come in time, but take long enough that many pauses fall between ping and answer.
  world.faults.delay = [20, 80]
  const paused = ids.slice(0, 1 + Math.floor(world.random() * 2))
  const steady = ids.slice(paused.length)
  for (let i = 0; i < 20; i++) {
    const id = paused[Math.floor(world.random() * paused.length)]!
    world.after(i * 3_000 + world.random() * 3_000, () => world.pause(id, world.random() * 8_000))
  }
  world.invariant = () => {
    for (const observer of ids) {
      for (const id of steady) {
        const state = processes.get(observer)!.get(id)?.state
        if (state !== 'alive') throw new Error(`seed ${seed}: ${observer} sees ${id} ${state}, which was never away`)
      }
    }
  }
  world.run(60_000)
}
