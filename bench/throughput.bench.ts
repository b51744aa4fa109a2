/**
 * Measures the overhead of the system in time and memory, with no-op chunks, small jobs, computing chunks, sleeping chunks and many chunks.
 *
 *     npm run bench -- throughput [ROW]… [--quick]
 *
 * ROW is one of no-op, small, many, cpu, sleep, million, combine, bulk, lines and exec; the default is all rows. With `--quick` the runs are fewer and
 * smaller, and their figures must not be quoted. The benchmark runs only on Linux, because memory figures come from /proc.
 *
 * The submitter measures the times: this process, which is the client, or a script of the compared system. Before each measurement a tenth of the
 * tasks runs as a warm-up. Compared systems run alternately in the same benchmark, if they are installed: piscina and BullMQ
 * (`npm install --no-save bullmq ioredis`), Redis, Celery and Dask.distributed (Debian: redis-server, celery, python3-redis, python3-distributed).
 *
 * A second cluster shows how the time of a small job divides into parts. Its peers load a module before p2p-worker (throughput/marks.mjs) that records
 * when a job passes certain places in the code. The task records when its functions are called. All processes share one clock. The recording itself
 * takes a little time, so the table gives the total time of both clusters.
 */
import { endOnSignals } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median, table } from './statistics.ts'
import { bulk } from './throughput/bulk.ts'
import { combining } from './throughput/combined.ts'
import { cpuBound } from './throughput/cpu-bound.ts'
import { exec } from './throughput/exec.ts'
import { lines } from './throughput/lines.ts'
import { manyJobs } from './throughput/many-jobs.ts'
import { leaderMemory } from './throughput/memory.ts'
import { noOps } from './throughput/no-op.ts'
import {
  partsOfSmallJobs,
  showBulk,
  showCombined,
  showCpuBound,
  showExec,
  showLines,
  showManyJobs,
  showMemory,
  showNoOps,
  showSleepers,
  showSmallJobs
} from './throughput/report.ts'
import { sleepers } from './throughput/sleepers.ts'
import { smallJobs } from './throughput/small-jobs.ts'

const ROWS = ['no-op', 'small', 'many', 'cpu', 'sleep', 'million', 'combine', 'bulk', 'lines', 'exec']
const wanted = new WantedRows(ROWS)
const { quick } = wanted
const rows = new MeasuredRows(wanted)
const runs = quick ? 1 : 3
let parts: string[][] = []

endOnSignals()
await rows.measure('no-op', async () => {
  const all = await noOps(runs, quick, (run, { system, perSecond, problem }) =>
    tell(`no-op, ${system}, run ${run}: ${problem ?? `${median(perSecond.slice(-1)).toFixed(0)} a second`}`)
  )
  for (const found of all) {
    rows.add(`no-op: ${found.system}`, '', showNoOps(found, all), found.perSecond.length)
    if (found.problem?.startsWith('**')) process.exitCode = 1
  }
})
await rows.measure('small', async () => {
  const count = quick ? 50 : 200
  const found = await smallJobs(count)
  rows.add('a job of 10 chunks, warm, until its result', 'at most 4 ms', showSmallJobs(found), count)
  parts = partsOfSmallJobs(found)
})
await rows.measure('many', async () => {
  const count = quick ? 2_000 : 20_000
  const what = `${count.toLocaleString('en')} jobs of one to four chunks, submitted in a loop, until all results`
  rows.add(what, 'every result', showManyJobs(await manyJobs(count)), 1)
})
await rows.measure('cpu', async () => {
  const chunks = quick ? 200 : 400
  const found = await cpuBound(chunks, runs, (run, so) => tell(`cpu, run ${run}: ${showCpuBound(so)}`))
  const what = `${chunks} chunks that compute for 10 ms, two peers of one slot beside one loop`
  rows.add(what, 'at least 1.9 times as fast', showCpuBound(found), runs)
})
await rows.measure('sleep', async () => {
  const [peers, each] = quick ? [16, 20] : [64, 50]
  const found = await sleepers(peers, each, runs, (run, so) => tell(`sleep, run ${run}: ${showSleepers(so)}`))
  const what = `${each} chunks that sleep for 100 ms for each of ${peers} peers of one slot`
  rows.add(what, 'at least 90% of ideal', showSleepers(found), runs)
})
await rows.measure('million', async () => {
  const chunks = quick ? 200_000 : 1_000_000
  const found = await leaderMemory(chunks, runs, (run, so) => tell(`million, run ${run}: ${showMemory([so])}`))
  const what = `a job of ${chunks.toLocaleString('en')} chunks: the leader's memory`
  rows.add(what, 'at most 250 MB above idle', showMemory(found), runs)
})
await rows.measure('combine', async () => {
  const chunks = quick ? 5_000 : 30_000
  const found = await combining(chunks, runs, (run, so) => tell(`combine, run ${run}: ${showCombined([so])}`))
  const what = `${chunks.toLocaleString('en')} partials of 8 kB, folded one by one and combined by the workers`
  rows.add(what, '', showCombined(found), runs)
})
await rows.measure('bulk', async () => {
  const found = await bulk(quick ? 64 : 256, runs, (run, so) => tell(`bulk, run ${run}: ${showBulk(so)}`))
  const what = `${found.mebibytes} MiB through \`map\` in items of 4 MiB, echoed`
  rows.add(what, 'at least 70% of a bare relay, no peer above 300 MB', showBulk(found), runs)
})
await rows.measure('lines', async () => {
  const count = quick ? 500_000 : 10_000_000
  const what = `${count.toLocaleString('en')} lines through \`map\`, in order, leader killed three times`
  rows.add(what, "output equal to sed's, memory flat", showLines(await lines(count)), 1)
})
await rows.measure('exec', async () => {
  const count = quick ? 1_000 : 10_000
  const found = await exec(count, runs, (run, so) => tell(`exec, run ${run}: ${showExec(so)}`))
  const what = `\`map --exec true\` for ${count.toLocaleString('en')} lines, two at a time`
  rows.add(what, 'not slower than GNU parallel', showExec(found), runs)
})
rows.print()
if (parts.length > 0) {
  console.log('\nParts of the time of a small job, in ms:\n')
  console.log(table(['part', 'median', 'p99'], parts))
}
