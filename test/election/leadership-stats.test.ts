import { expect, test } from 'vitest'
import { LeadershipMeter } from '../../src/election/leadership-stats.ts'
import type { Leadership } from '../../src/election/types.ts'

const leadership = (epoch: number): Leadership => ({ id: 'a', epoch, rank: { id: 'a', priority: 0 } })

test('a peer that is ready counts leaderships and the time without a leader', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 1_000)
  expect(meter.stats(1_100)).toEqual({ changes: 0, leaderless: 100 })
  meter.changed(leadership(1), 1_200)
  meter.changed(undefined, 5_000)
  meter.changed(undefined, 5_010)
  expect(meter.stats(5_050)).toEqual({ changes: 1, leaderless: 250 })
  meter.changed(leadership(2), 5_100)
  meter.changed(leadership(3), 6_000)
  expect(meter.stats(9_000)).toEqual({ changes: 3, leaderless: 300 })
})

test('a peer counts no time without a leader before it was ready', () => {
  const meter = new LeadershipMeter()
  expect(meter.stats(900)).toEqual({ changes: 0, leaderless: 0 })
  meter.changed(leadership(4), 950)
  meter.ready(true, 1_000)
  expect(meter.stats(2_000)).toEqual({ changes: 1, leaderless: 0 })
})

test('a peer counts the time without a leader from the end of the lease, even when its machine was suspended at that moment', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 0)
  meter.changed(leadership(5), 0)
  meter.changed(undefined, 10_000, { lostAgo: 8_000 })
  meter.changed(leadership(6), 10_500)
  expect(meter.stats(20_000)).toEqual({ changes: 1 + 1, leaderless: 8_500 })
})

test('a peer counts a leadership only once, even when the peer wrongly held the leader dead for a while', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 0)
  meter.changed(leadership(1), 100)
  meter.changed(undefined, 1_000)
  meter.changed(leadership(1), 1_500)
  expect(meter.stats(2_000)).toEqual({ changes: 1, leaderless: 600 })
})

test('a peer that has left counts no more time without a leader', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 0)
  meter.changed(leadership(1), 100)
  meter.changed(undefined, 1_000)
  meter.stopped(1_020)
  expect(meter.stats(60_000)).toEqual({ changes: 1, leaderless: 120 })
})

/** Returns the upper bound of the histogram bucket of each election. */
function elections(meter: LeadershipMeter): number[] {
  const { bounds, counts } = meter.durations()
  return counts.flatMap((count, bucket) => new Array<number>(count).fill(bounds[bucket] ?? Number.POSITIVE_INFINITY))
}

test('a peer records an election for each new leadership, with the time for which the peer took part in the election', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 1_000)
  meter.changed(leadership(1), 1_040, { took: 40 })
  meter.changed(undefined, 5_000)
  meter.changed(leadership(2), 65_000, { took: 60_000 })
  expect(elections(meter)).toEqual([50, Number.POSITIVE_INFINITY])
  expect(meter.durations().sum).toBe(40 + 60_000)
})

test('a peer records an election of 0 ms when one leadership directly follows another', () => {
  const meter = new LeadershipMeter()
  meter.changed(leadership(1), 950)
  meter.ready(true, 1_000)
  meter.changed(leadership(2), 5_000)
  expect(elections(meter)).toEqual([10])
  expect(meter.durations().sum).toBe(0)
})

test('a peer records no election for a leader that the peer found at its start or wrongly held dead', () => {
  const meter = new LeadershipMeter()
  meter.changed(leadership(1), 950)
  meter.ready(true, 1_000)
  meter.changed(undefined, 2_000)
  meter.changed(leadership(1), 2_500, { took: 500 })
  expect(elections(meter)).toEqual([])
  meter.changed(undefined, 3_000)
  meter.changed(leadership(2), 3_015, { took: 15 })
  expect(elections(meter)).toEqual([20])
})
