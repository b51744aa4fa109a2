import { expect, test } from 'vitest'
import { compareRanks } from '../../src/election/core/rank.ts'
import { type Follower, Followers } from '../../src/journal/core/followers.ts'
import { Standbys } from '../../src/journal/core/standbys.ts'
import fc from '../properties.ts'

const drawn = fc.record({
  priority: fc.nat(2),
  electable: fc.boolean(),
  hasDisk: fc.boolean(),
  diskFails: fc.boolean(),
  reachable: fc.boolean()
})

test('the standbys are the first two of all reachable peers in order, and the next ones with a disk that takes entries', () => {
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 12 }), fc.nat(6), (all, disks) => {
      const followers = new Followers({
        setTimer: () => {},
        read: () => {},
        distrust: () => {},
        isUnconfirmedBy: () => false,
        mayCount: () => true
      })
      for (const [i, { priority, diskFails, reachable, ...member }] of all.entries()) {
        const id = `peer${String(i).padStart(2, '0')}`
        followers.update({ ...member, rank: { priority, id } })
        Object.assign(followers.get(id)!, { diskFails, reachable })
      }
      const policy = new Standbys({
        self: 'leader',
        followers,
        voters: undefined,
        isWhole: () => true,
        order: undefined
      })

      const sorted = [...followers.values()]
        .filter(({ reachable }) => reachable)
        .sort(
          (a, b) =>
            Number(b.hasDisk) - Number(a.hasDisk) ||
            Number(b.electable) - Number(a.electable) ||
            compareRanks(b.rank, a.rank)
        )
      const works = ({ hasDisk, diskFails }: Follower): boolean => hasDisk && !diskFails
      const first = sorted.slice(0, 2)
      const more = sorted.slice(2).filter(works)
      const left = Math.max(0, disks - first.filter(works).length)
      expect(policy.choose(disks)).toEqual([...first, ...more.slice(0, left)].map(({ rank }) => rank.id))
    }),
    { numRuns: 1_000 }
  )
})
