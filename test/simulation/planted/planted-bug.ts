/** A core with one rule broken on purpose. If the simulation does not notice this bug, the checks of the simulation have a gap. */
export interface PlantedBug {
  /** Runs the world of this seed. Returns the message of the violation, or `undefined` if the world shows no violation. */
  find(seed: number): string | undefined | Promise<string | undefined>
  /** The expected message of the violation. Default: any message. */
  notice?: RegExp
}

/** Each key says what the broken core does. */
export interface PlantedBugs {
  readonly [name: string]: PlantedBug
}

/** The number of worlds in which the search for a bug looks. */
export const MOST_WORLDS = 1_000

/** Searches {@link MOST_WORLDS} worlds from seed `from` on, and returns the first seed that shows the bug. */
export async function firstSeed(bug: PlantedBug, from = 0): Promise<{ seed: number; found: string } | undefined> {
  for (let seed = from; seed < from + MOST_WORLDS; seed++) {
    const found = await bug.find(seed)
    if (found !== undefined && (bug.notice ?? /./).test(found)) return { seed, found }
  }
  return undefined
}

/** Makes one planted bug from each entry of `broken`. */
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
