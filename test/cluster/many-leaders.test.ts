import { expect, it } from 'vitest'
import { Pulse } from './pulse.ts'

it('a schedule of every second runs each due time exactly once while the leader is killed every 5 s for a minute', async () => {
  const pulse = await Pulse.start()
  try {
    await pulse.add('pulse')
    expect(await pulse.killLeaders(60_000, 5_000)).toBeGreaterThan(0)
    await pulse.runs(60 - (await pulse.ran()).length)
    const { due, ...wrong } = await pulse.count()
    expect(wrong).toEqual({ missing: [], twice: [], skipped: 0 })
    expect(due.length).toBeGreaterThanOrEqual(60)
  } finally {
    await pulse.stop()
  }
}, 300_000)
