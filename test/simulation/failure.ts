import type { World } from './world.ts'

/** A world in which something did not hold, with what happened in it so far. */
export interface Failure {
  seed: number
  error: Error
  lines: string[]
}

/** Runs the world of `seed`; undefined when all went well. */
export function failureOf(seed: number, scenario: { readonly world: World; run(): void }): Failure | undefined {
  try {
    scenario.run()
    return undefined
  } catch (error) {
    return { seed, error: error as Error, lines: scenario.world.lines }
  }
}
