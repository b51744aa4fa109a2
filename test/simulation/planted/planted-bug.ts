/** A core with one rule broken on purpose. The simulation must notice each such bug, which shows that its checks have no gap there. */
export interface PlantedBug {
  /** Runs the world of this seed; the message of the fault, or undefined if none shows. */
  find(seed: number): string | undefined | Promise<string | undefined>
  /** The message that must be found, if any message is not enough. */
  notice?: RegExp
}

/** Bugs by what the broken core does, or by the rule that it breaks. */
export interface PlantedBugs {
  readonly [name: string]: PlantedBug
}

/** The number of worlds within which a bug must show. */
export const MOST_WORLDS = 1_000

/** Finds the first of {@link MOST_WORLDS} worlds that shows the bug. */
export async function firstSeed(bug: PlantedBug, from = 0): Promise<{ seed: number; found: string } | undefined> {
  for (let seed = from; seed < from + MOST_WORLDS; seed++) {
    const found = await bug.find(seed)
    if (found !== undefined) return { seed, found }
  }
  return undefined
}

/** One bug for each broken rule. */
export function bugsOfRules<Rules>(
  broken: { readonly [bug: string]: Partial<Rules> },
  find: (broken: Partial<Rules>, seed: number) => string | undefined
): PlantedBugs {
  return Object.fromEntries(
    Object.entries(broken).map(([bug, rules]) => [bug, { find: (seed: number) => find(rules, seed) }])
  )
}

/** Returns the message of the error that `run` throws. */
export function thrownBy(run: () => void): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
