import { describe, expect, it } from 'vitest'
import { IndexMap } from '../../src/lib/index-map.ts'
import fc from '../properties.ts'

const index = fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }))
const steps = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('set' as const), index, value: fc.integer() }),
    fc.record({ type: fc.constant('delete' as const), index, value: fc.constant(0) })
  ),
  { maxLength: 200 }
)

describe('a map from indices', () => {
  it('an IndexMap has the same entries as a Map after the same random operations', () => {
    fc.assert(
      fc.property(steps, all => {
        const map = new IndexMap<number>()
        const model = new Map<number, number>()
        for (const { type, index, value } of all) {
          if (type === 'delete') expect(map.delete(index)).toBe(model.delete(index))
          else {
            map.set(index, value)
            model.set(index, value)
          }
          expect([map.size, map.has(index), map.get(index)]).toEqual([model.size, model.has(index), model.get(index)])
        }
        expect(new Map(map)).toEqual(model)
        expect(new Set(map.keys())).toEqual(new Set(model.keys()))
        map.clear()
        expect([map.size, ...map]).toEqual([0])
      })
    )
  })

  it('an IndexMap allows deletion during iteration', () => {
    const map = new IndexMap<string>()
    for (let i = 0; i < 2_000; i++) map.set(i, 'here')
    let seen = 0
    for (const [i] of map) {
      seen += 1
      map.delete(i)
    }
    expect([seen, map.size]).toEqual([2_000, 0])
  })
})
