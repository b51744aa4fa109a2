import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pulse } from './pulse.ts'

describe('a schedule under three voters', () => {
  let pulse: Pulse

  beforeAll(async () => {
    pulse = await Pulse.start()
  })

  afterAll(() => pulse.stop())

  it('a schedule of every second runs each due time exactly once, although two leaders are killed', async () => {
    await pulse.add('kills')
    for (let kills = 0; kills < 2; kills++) {
      await pulse.runs(2)
      await pulse.killLeader()
    }
    await pulse.runs(2)
    const { due, ...wrong } = await pulse.count()
    expect(wrong).toEqual({ missing: [], twice: [], skipped: 0 })
    expect(await pulse.result(due[0]!)).toEqual([due[0]])
    expect(pulse.epochs.length).toBeGreaterThan(2)
  })

  it('a schedule is there after all voters were killed, and runs each due time exactly once, also those that passed meanwhile', async () => {
    await pulse.add('stop')
    await pulse.runs(2)
    await Promise.all(pulse.voters.map(voter => voter.end('SIGKILL')))
    const stopped = new Date().toISOString()
    const before = await pulse.ran()
    for (const n of [2, 0, 1]) await pulse.startVoter(n)
    const started = new Date().toISOString()
    await pulse.runs(5)
    const { due, ...wrong } = await pulse.count()
    expect(wrong).toEqual({ missing: [], twice: [], skipped: 0 })
    expect(due.filter(time => time > stopped && time < started)).not.toEqual([])
    for (const time of [before[0]!, due.at(-1)!]) expect(await pulse.result(time)).toEqual([time])
  })
})
