import { describe, expect, it } from 'vitest'
import { worlds } from '../tier.ts'
import { Cluster } from './cluster/scenario.ts'
import { withVirtualTime } from './cluster/virtual-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('a job of chunks that take an hour, whose dedicated leaders are killed every five minutes', () => {
  it.each([1, 2, 3])('the job ends, and no chunk is computed twice or quarantined as poison (seed %i)', seed =>
    withVirtualTime(async () => {
      const cluster = new Cluster({
        seed,
        faults: 'deaths',
        peers: ['leader', 'leader', 'leader', 'worker', 'worker', 'worker'],
        voters: 0,
        below: 'ideal',
        slowest: 20,
        // Long intervals keep the number of events small in a world of many hours.
        times: { poll: 2_000, pushPull: MINUTE, silence: [2_000, 6_000] }
      })
      await cluster.run(MINUTE)
      cluster.submit({ name: 'job', chunks: 12, takes: [HOUR, HOUR] })
      let killed = 0
      for (let time = 0; time < 8 * HOUR && !cluster.hasEnded('job'); time += 5 * MINUTE) {
        await cluster.run(5 * MINUTE - 30_000)
        const { leader } = cluster
        if (leader === undefined || cluster.hasEnded('job')) continue
        cluster.crash([leader])
        killed += 1
        await cluster.run(30_000)
        cluster.restart(leader)
      }
      await cluster.run(MINUTE)
      cluster.checkEnd()
      expect(killed).toBeGreaterThan(11)
      expect(cluster.book).toMatchObject({ again: 0, alone: 0 })
    })
  )
})

describe('a partition of five peers into two and three for a minute', () => {
  it.each([
    ['without a quorum', 0],
    ['with a quorum of three voters', 3],
    ['with a quorum of five voters', 5]
  ])('%s: each job ends on at least one side, and after the partition one leader remains', async (_, voters) => {
    for (const seed of worlds(40)) {
      const below = seed % 2 === 0 ? 'swim' : 'ideal'
      await withVirtualTime(async () => {
        const cluster = new Cluster({
          seed,
          faults: 'none',
          below,
          peers: Array(5).fill('auto'),
          voters,
          slowest: 20
        })
        const { random } = cluster.world
        await cluster.run(5_000)
        const submit = (name: string): void => {
          const least = 20 + random() * 200
          cluster.submit({ name, chunks: 10 + Math.floor(random() * 80), takes: [least, 2 * least] })
        }
        submit('before')
        await cluster.run(random() * 3_000)
        submit('just-before')
        await cluster.run(random() * 100)
        cluster.partition(cluster.up.sort(() => random() - 0.5).slice(0, 2))
        for (let i = 0; i < 4; i++) cluster.world.after(random() * 20_000, () => submit(`meanwhile-${i}`))
        await cluster.run(MINUTE / 2)
        const owed = cluster.book.owed()
        await cluster.run(MINUTE / 2)
        for (const { job } of owed) expect(cluster.hasEnded(job.name), `${job.name} of seed ${seed}`).toBe(true)
        cluster.heal()
        await cluster.run(30_000)
        cluster.checkEnd()
      })
    }
  })
})
