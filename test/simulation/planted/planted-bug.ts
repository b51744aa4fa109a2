/** A core with one rule broken on purpose: that its simulation notices shows that the net has no hole there. */
export interface PlantedBug {
  /** What goes wrong in the world of this seed; undefined: nothing. */
  find(seed: number): string | undefined | Promise<string | undefined>
  /** What has to be found, where not anything will do. */
  notice?: RegExp
}

/** By what the broken core does, or which rule it breaks. */
export interface PlantedBugs {
  readonly [name: string]: PlantedBug
}

/** Within so many worlds a bug has to show. */
export const MOST_WORLDS = 1_000

/** The first of {@link MOST_WORLDS} worlds that shows the bug. */
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

/** The message of the error that it throws. */
export function thrownBy(run: () => void): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
