/**
 * Measures what the journal on disk costs: small jobs, no-op chunks and detached submissions, with and without data folders.
 *
 *     npm run bench -- durable [ROW]… [--quick]
 *
 * ROW is one of job, no-op and submit; the default is all rows. With `--quick` the runs are fewer and smaller, and their figures must not be quoted.
 *
 * Both clusters of a row stand at the same time, and are measured by turns: a leader that only leads and two workers of one slot each, on loopback.
 * The folders are in the folder for temporary files, and should be on a disk: in memory a sync costs nothing.
 */
import type { Client } from '../src/api/types.ts'
import { WAYS, type Way, withPair } from './durable/pair.ts'
import { endOnSignals } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'
import { resultOf, taskFile } from './throughput/trio.ts'

const ROWS = ['job', 'no-op', 'submit']
const CLIENTS = 8
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
  const rounds = quick ? 1 : 5
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
  const rounds = quick ? 1 : 5
  const jobs = quick ? 20 : 100
  const found = await withPair(CLIENTS, clients =>
    byTurns(rounds, clients, async all => {
      const began = performance.now()
      await Promise.all(
        all.map(async client => {
          for (let i = 0; i < jobs; i++) await client.submit(taskFile('ten'), { n: 1 }, { detach: true, keep: 0 })
        })
      )
      return ((CLIENTS * jobs) / (performance.now() - began)) * 1_000
    })
  )
  for (const [way, values] of found)
    rows.add(`detached submissions a second, ${CLIENTS} clients, ${way}`, '', median(values).toFixed(0), rounds)
})
rows.print()
