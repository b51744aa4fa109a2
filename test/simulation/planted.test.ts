/**
 * The simulation finds each planted bug. `npm test` runs only the known seed of each bug. `npm run test:full` searches up to 1,000 worlds from
 * seed 0. After a change of the worlds, another seed may show the bug.
 */
import { describe, expect, it } from 'vitest'
import { IS_FULL } from '../tier.ts'
import { PLANTED, readKnownSeeds } from './planted/all.ts'
import { firstSeed } from './planted/planted-bug.ts'

const known = readKnownSeeds(new URL('../..', import.meta.url).pathname)

describe.each(Object.entries(PLANTED))('the simulation of the %s core', (core, bugs) => {
  it.each(Object.entries(bugs))('the simulation notices the planted bug: %s', async (name, bug) => {
    const seed = known[core]?.[name]
    const search = `npm run simulate -- --core ${core} --planted '${name}'`
    const found = IS_FULL ? (await firstSeed(bug))?.found : seed === undefined ? undefined : await bug.find(seed)
    expect(found, `seed ${seed} does not show it; this looks for another seed, and keeps it: ${search}`).toBeDefined()
    expect(found).toMatch(bug.notice ?? /./)
  })
})
