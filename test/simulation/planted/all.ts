/** All planted bugs by core, and the known seed of each bug: a seed whose world shows it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusterBugs } from './cluster.ts'
import { durableBugs } from './durable.ts'
import { electionBugs, lowestBugs, ringBugs } from './election.ts'
import { jobsBugs } from './jobs.ts'
import { journalBugs } from './journal.ts'
import { locksBugs } from './locks.ts'
import { membershipBugs } from './membership.ts'
import { firstSeed, MOST_WORLDS, type PlantedBugs } from './planted-bug.ts'
import { quorumBugs } from './quorum.ts'
import { schedulesBugs } from './schedules.ts'
import { storeBugs } from './store.ts'
import { votersBugs } from './voters.ts'

export const PLANTED: { readonly [core: string]: PlantedBugs } = {
  membership: membershipBugs,
  election: electionBugs,
  lowest: lowestBugs,
  ring: ringBugs,
  quorum: quorumBugs,
  store: storeBugs,
  journal: journalBugs,
  durable: durableBugs,
  voters: votersBugs,
  locks: locksBugs,
  schedules: schedulesBugs,
  jobs: jobsBugs,
  cluster: clusterBugs
}

export interface KnownSeeds {
  [core: string]: { [bug: string]: number }
}

const FILE = join('test', 'simulation', 'planted', 'known-seeds.json')

/** Reads the known seeds. `root` is the root of the checkout. */
export function readKnownSeeds(root = '.'): KnownSeeds {
  return JSON.parse(readFileSync(join(root, FILE), 'utf8')) as KnownSeeds
}

/**
 * Implements `npm run simulate -- --planted`: finds and stores the first seed that shows each bug of a core, or of only the bug `name`.
 * Returns the number of bugs that no seed shows.
 */
export async function findKnownSeeds(core: string, name: string | undefined): Promise<number> {
  const known = readKnownSeeds()
  let missed = 0
  for (const [bug, planted] of Object.entries(PLANTED[core]!)) {
    if (name !== undefined && bug !== name) continue
    const first = await firstSeed(planted)
    if (first === undefined) missed++
    else known[core] = { ...known[core], [bug]: first.seed }
    const where = first === undefined ? `no seed below ${MOST_WORLDS} shows it` : `seed ${first.seed}: ${first.found}`
    console.log(`${core}, ${bug}: ${where.split('\n')[0]}`)
  }
  const kept = Object.entries(known).map(([core, seeds]) => [
    core,
    Object.fromEntries(Object.entries(seeds).filter(([bug]) => PLANTED[core]?.[bug] !== undefined))
  ])
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`)
  return missed
}
