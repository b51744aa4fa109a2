import { describe, expect, test } from 'vitest'
import { Neighbours } from '../../src/membership/core/neighbours.ts'
import fc from '../properties.ts'

const LIMIT = 8

/** Returns the neighbours of each member in a cluster where all members know each other. */
function views(ids: string[], limit = LIMIT): Map<string, Neighbours> {
  return new Map(
    ids.map(self => {
      const neighbours = new Neighbours(self, limit)
      for (const id of ids) neighbours.update(id, true)
      return [self, neighbours]
    })
  )
}

const named = (size: number): string[] => Array.from({ length: size }, (_, i) => `peer-${i}`)
const clusters = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: LIMIT + 1, maxLength: 60 })

test('up to the full-mesh limit, all other members are neighbours of a member', () => {
  for (const [self, neighbours] of views(named(LIMIT))) {
    expect(neighbours.isBounded).toBe(false)
    expect(neighbours.ids().toSorted()).toEqual(named(LIMIT).filter(id => id !== self))
  }
})

describe('above the full-mesh limit', () => {
  test('above the full-mesh limit two members agree on whether they are neighbours', () => {
    fc.assert(
      fc.property(clusters, ids => {
        const all = views(ids)
        for (const [self, neighbours] of all) {
          for (const other of neighbours.ids()) expect(all.get(other)!.has(self)).toBe(true)
        }
      }),
      { numRuns: 50 }
    )
  })

  test('above the full-mesh limit a member has at least two and at most 16 neighbours, however large the cluster is', () => {
    for (const neighbours of views(named(1_000), 64).values()) {
      expect(neighbours.ids().length).toBeLessThanOrEqual(16)
      expect(neighbours.ids().length).toBeGreaterThanOrEqual(2)
    }
  })

  test('above the full-mesh limit every member reaches every other member over neighbours in few hops', () => {
    const all = views(named(1_000), 64)
    const reached = new Set(['peer-0'])
    let hops = 0
    for (; reached.size < all.size && hops < 10; hops++) {
      for (const id of [...reached]) for (const next of all.get(id)!.ids()) reached.add(next)
    }
    expect(reached.size).toBe(1_000)
    expect(hops).toBeLessThanOrEqual(5)
  })

  test('above the full-mesh limit the neighbours do not depend on the order in which members joined and left', () => {
    fc.assert(
      fc.property(clusters, fc.array(fc.nat({ max: 59 })), (ids, gone) => {
        const [self, ...others] = ids as [string, ...string[]]
        const leaving = new Set(gone.map(i => others[i % others.length]!))
        const one = new Neighbours(self, LIMIT)
        for (const id of others) one.update(id, true)
        for (const id of leaving) one.update(id, false)
        const two = new Neighbours(self, LIMIT)
        for (const id of others.toReversed()) if (!leaving.has(id)) two.update(id, true)
        expect(one.ids().toSorted()).toEqual(two.ids().toSorted())
        expect(one.isBounded).toBe(two.isBounded)
      }),
      { numRuns: 100 }
    )
  })

  test('above the full-mesh limit a member computes the neighbours of another member as that other member computes them', () => {
    const ids = named(40)
    const all = views(ids)
    for (const other of ids.slice(1)) {
      const expected = all
        .get(other)!
        .ids()
        .filter(id => id !== 'peer-0')
      expect(all.get('peer-0')!.of(other).toSorted()).toEqual(expected.toSorted())
    }
  })

  test('above the full-mesh limit `Neighbours` reports a change exactly when the set of neighbours changes', () => {
    const neighbours = new Neighbours('peer-0', LIMIT)
    const changes: boolean[] = []
    const steps: Array<[string, boolean]> = [
      ...named(60).map((id): [string, boolean] => [id, true]),
      ...named(60).map((id): [string, boolean] => [id, false])
    ]
    for (const [id, live] of steps) {
      const before = { bounded: neighbours.isBounded, ids: neighbours.ids().toSorted() }
      neighbours.update(id, live)
      const after = { bounded: neighbours.isBounded, ids: neighbours.ids().toSorted() }
      const changed = before.bounded !== after.bounded || (after.bounded && before.ids.join() !== after.ids.join())
      expect(neighbours.takeChange()).toBe(changed)
      changes.push(changed)
    }
    expect(changes).toContain(true)
    expect(changes).toContain(false)
  })
})
