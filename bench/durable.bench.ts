/**
 * Measures what the journal on disk costs: small jobs, no-op chunks and detached submissions, with and without data folders, the restart of a peer, and schedules and
 * jobs while peers are killed.
 *
 *     npm run bench -- durable [ROW]… [--quick]
 *
 * ROW is one of job, no-op, submit, restart, schedule and kills; the default is all rows. With `--quick` the runs are fewer and smaller, and their figures must not be quoted.
 *
 * Both clusters of a row stand at the same time, and are measured by turns: a leader that only leads and two workers of one slot each, on loopback.
 * Submissions stand beside BullMQ (`npm install --no-save bullmq ioredis`; Debian: redis-server) if it is installed.
 *
 * The folders are in the folder for temporary files, and should be on a disk: in memory a sync costs nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../src/api/types.ts'
import type { Job } from '../src/jobs/shared/types.ts'
import { KillRounds } from '../test/cluster/kill-rounds.ts'
import { Pulse } from '../test/cluster/pulse.ts'
import { withBullmqAdds } from './durable/bullmq-adds.ts'
import { WAYS, type Way, withPair } from './durable/pair.ts'
import { MOST_JOBS, restarts } from './durable/restart.ts'
import { endOnSignals, using } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'
import { bullmqVersion } from './throughput/bullmq.ts'
import { redisVersion } from './throughput/redis.ts'
import { resultOf, taskFile } from './throughput/trio.ts'

const ROWS = ['job', 'no-op', 'submit', 'restart', 'schedule', 'kills']
const CLIENTS = 8
/** The number of jobs that each client submits in one round. All of them are fewer than a leader takes by default. */
const JOBS_EACH = 25
const wanted = new WantedRows(ROWS)
const { quick } = wanted
const rows = new MeasuredRows(wanted)

/** Measures both ways by turns. Returns the values of each. */
async function byTurns(
  rounds: number,
  clients: Record<Way, Client[]>,
  measure: (clients: Client[], round: number) => Promise<number>
): Promise<Map<Way, number[]>> {
  const values = new Map<Way, number[]>(WAYS.map(way => [way, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const way of WAYS) {
      const value = await measure(clients[way], round)
      // The first round is a warm-up.
      if (round > 0) values.get(way)!.push(value)
      tell(`round ${round}, ${way}: ${value.toFixed(2)}`)
    }
  }
  return values
}

endOnSignals()
await rows.measure('job', async () => {
  const rounds = quick ? 3 : 10
  const jobs = quick ? 20 : 100
  const found = await withPair(1, clients =>
    byTurns(rounds, clients, async ([client]) => {
      const times: number[] = []
      for (let i = 0; i < jobs; i++) {
        const began = performance.now()
        await resultOf<number>(client!, taskFile('ten'), { n: 1 })
        times.push(performance.now() - began)
      }
      return median(times)
    })
  )
  for (const [way, values] of found)
    rows.add(`a job of one chunk, warm, ${way}`, '', `${median(values).toFixed(2)} ms`, rounds)
})
await rows.measure('no-op', async () => {
  // One round differs from the next by 8%.
  const rounds = quick ? 1 : 15
  const tasks = quick ? 200_000 : 2_000_000
  const found = await withPair(1, clients =>
    byTurns(rounds, clients, async ([client], round) => {
      const n = round === 0 ? tasks / 10 : tasks
      const began = performance.now()
      await resultOf<number>(client!, taskFile('no-op'), { n })
      return (n / (performance.now() - began)) * 1_000
    })
  )
  const without = median(found.get('without data folders')!)
  for (const [way, values] of found) {
    const share = way === 'with data folders' ? `: ${((100 * median(values)) / without).toFixed(1)}%` : ''
    const must = way === 'with data folders' ? '97%' : ''
    rows.add(`no-op chunks a second, ${way}`, must, `${median(values).toFixed(0)}${share}`, rounds)
  }
})
await rows.measure('submit', async () => {
  const rounds = quick ? 2 : 20
  const rateOf = async (submit: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await submit()
    return ((CLIENTS * JOBS_EACH) / (performance.now() - began)) * 1_000
  }
  const bullmq = bullmqVersion()
  const redis = redisVersion()
  const isBeside = bullmq !== undefined && redis !== undefined
  const adds: number[] = []
  /** @param requires - tags that no peer has, so that the jobs are only added; or none, so that they also run */
  const measure = (
    requires: Record<string, string>,
    add?: (jobsEach: number) => Promise<unknown>
  ): Promise<Map<Way, number[]>> =>
    withPair(CLIENTS, clients =>
      byTurns(rounds, clients, async (all, round) => {
        // BullMQ has its turn before the one with data folders.
        if (add !== undefined && all === clients['with data folders']) {
          const rate = await rateOf(() => add(JOBS_EACH))
          if (round > 0) adds.push(rate)
        }
        const jobs: Job<unknown>[] = []
        const rate = await rateOf(() =>
          Promise.all(
            all.map(async client => {
              for (let i = 0; i < JOBS_EACH; i++)
                jobs.push(await client.submit(taskFile('ten'), { n: 1 }, { detach: true, keep: 0, requires }))
            })
          )
        )
        // What is left to do must not slow down the next turn.
        const isAdded = Object.keys(requires).length > 0
        await Promise.all(jobs.map(job => (isAdded ? job.cancel() : job.result())))
        return rate
      })
    )
  const home = await mkdtemp(join(tmpdir(), 'p2p-worker-bench-'))
  const nowhere = { at: 'no peer' }
  const added = await (isBeside
    ? withBullmqAdds(home, CLIENTS, add => measure(nowhere, add))
    : measure(nowhere)
  ).finally(() => rm(home, { recursive: true }))
  const others = `BullMQ ${bullmq}, Redis ${redis}, appendfsync always, ${CLIENTS} clients`
  if (isBeside) rows.add(`jobs added a second: ${others}`, '', median(adds).toFixed(0), rounds)
  else rows.add('jobs added a second: BullMQ', '', 'not run: it needs redis-server, bullmq and ioredis', 0)
  for (const [way, values] of added) {
    const isDurable = way === 'with data folders'
    const share = isDurable && isBeside ? `: ${(median(values) / median(adds)).toFixed(2)} of it` : ''
    const what = `detached submissions a second, ${CLIENTS} clients, ${way}`
    rows.add(what, isDurable ? '0.5 of BullMQ' : '', `${median(values).toFixed(0)}${share}`, rounds)
  }
  for (const [way, values] of await measure({})) {
    const what = `the same, while two workers run the jobs, ${way}`
    rows.add(what, '', median(values).toFixed(0), rounds)
  }
})
await rows.measure('restart', async () => {
  const rounds = quick ? 1 : 5
  const jobs = quick ? 16 : MOST_JOBS
  const { bytes, times, reads } = await restarts(jobs, quick ? 2 ** 26 : 2 ** 30, rounds)
  const size = `${(bytes / 2 ** 20).toFixed(0)} MiB`
  rows.add(`a plain read of a journal of ${size}`, '', `${(median(reads) / 1_000).toFixed(2)} s`, rounds)
  const what = `restart with ${jobs} unfinished jobs in ${size}, until the first of them runs`
  rows.add(what, '3 s', `${(median(times) / 1_000).toFixed(2)} s`, rounds)
})
await rows.measure('schedule', async () => {
  const seconds = quick ? 60 : 600
  const { due, missing, twice, skipped, kills, epochs } = await using(Pulse.start(), async pulse => {
    await pulse.add('pulse')
    const killed = await pulse.killLeaders(seconds * 1_000, 5_000)
    await pulse.runs(seconds - (await pulse.ran()).length)
    return { ...(await pulse.count()), kills: killed, epochs: pulse.epochs.length }
  })
  for (const time of missing) tell(`missing: ${time}`)
  for (const time of twice) tell(`twice: ${time}`)
  const what = `a schedule of every second for ${seconds} s, 3 voters with data folders, the leader killed every 5 s`
  const wrong = `${missing.length} missing, ${twice.length} twice, ${skipped} skipped`
  rows.add(what, '0 missing, 0 twice', `${due.length} due times: ${wrong}; ${kills} kills, ${epochs} epochs`, 1)
})
await rows.measure('kills', async () => {
  const count = quick ? 10 : 200
  const { acknowledged, refused, cut, wrong } = await using(KillRounds.start(1), rounds => rounds.run(count, tell))
  for (const what of wrong) tell(what)
  const what = `${count} rounds of kills, a power cut every fifth, 3 peers with data folders, a job on 2 disks in each`
  rows.add(
    what,
    '0 wrong',
    `${wrong.length} wrong of ${acknowledged} acknowledged jobs; ${refused} not acknowledged, ${cut} bytes cut off`,
    1
  )
})
rows.print()
