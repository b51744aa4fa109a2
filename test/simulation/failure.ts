import { IS_REPLAY, replayCommand } from '../tier.ts'
import type { World } from './world.ts'

/** A world in which an invariant failed, with the trace of the world until the failure. */
export interface Failure {
  seed: number
  error: Error
  lines: readonly string[]
}

/** Runs the world of `seed`. Returns the failure, or `undefined` if every invariant held. */
export function failureOf(seed: number, scenario: { readonly world: World; run(): void }): Failure | undefined {
  try {
    scenario.run()
    return undefined
  } catch (error) {
    return { seed, error: error as Error, lines: scenario.world.lines }
  }
}

/** Makes a function that runs the world of a seed and returns its failure, like {@link failureOf}, but without a trace. */
export function failureIn(run: (seed: number) => void): (seed: number) => Failure | undefined {
  return seed => {
    try {
      run(seed)
      return undefined
    } catch (error) {
      return { seed, error: error as Error, lines: [] }
    }
  }
}

/** Formats the failure, the command that replays the failure, and the end of the trace. During a replay the result contains the whole trace. */
export function told({ seed, error, lines }: Failure, core: string, most = IS_REPLAY ? lines.length : 60): string {
  return [
    `seed ${seed}: ${error.message}`,
    `replay, with the whole trace: ${replayCommand(`test/simulation/${core}.test.ts`, seed)}`,
    ...lines.slice(-most)
  ].join('\n')
}

/** Runs the worlds of these seeds. Throws an error that describes the first failure. */
export async function expectNoFailure(
  core: string,
  seeds: readonly number[],
  run: (seed: number) => Failure | undefined | Promise<Failure | undefined>
): Promise<void> {
  for (const seed of seeds) {
    const failure = await run(seed)
    if (failure !== undefined) throw new Error(told(failure, core), { cause: failure.error })
  }
}
