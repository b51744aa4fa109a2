/** Measures the speedup that two peers give a job whose chunks only compute. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { alike, clientOf, withCluster } from '../recovery/clusters.ts'
import { quantile } from '../statistics.ts'
import type { ComputeInput } from './tasks/compute.ts'
import { work } from './tasks/work.ts'
import { resultOf, taskFile } from './trio.ts'

/** The time of one chunk, in ms. */
const CHUNK_MS = 10
const THREADS = 2

/** The times in ms, one for each run. */
export interface CpuBound {
  chunks: number
  /** The times of one loop in this process. */
  loop: number[]
  /** The times of two bare threads that each compute half of the chunks. No faster result is possible on this machine. */
  threads: number[]
  /** The times of a job on two peers of one slot. */
  job: number[]
  /** Whether all results equal the result of the loop to the bit. */
  right: boolean
}

/**
 * Measures the loop, the threads and the job alternately. The cluster always runs, but it is idle and has no client while the loop and the threads
 * run.
 */
export async function cpuBound(
  chunks: number,
  runs: number,
  tell: (run: number, found: CpuBound) => void
): Promise<CpuBound> {
  const input = { n: chunks, rounds: roundsFor(CHUNK_MS) }
  const found: CpuBound = { chunks, loop: [], threads: [], job: [], right: true }
  await withCluster(alike(2), async cluster => {
    const job = async (of: ComputeInput): Promise<[ms: number, sum: number]> => {
      await using client = await clientOf(cluster)
      return await timed(() => resultOf<number>(client, taskFile('compute'), of))
    }
    await job({ ...input, n: 20 })
    for (let run = 1; run <= runs; run++) {
      const [loopMs, sum] = await timed(() => loop(input))
      found.loop.push(loopMs)
      found.threads.push(await inThreads(input))
      const [ms, result] = await job(input)
      found.job.push(ms)
      found.right = found.right && Object.is(result, sum)
      tell(run, found)
    }
  })
  return found
}

async function timed<T>(what: () => Promise<T> | T): Promise<[ms: number, value: T]> {
  const began = performance.now()
  const value = await what()
  return [performance.now() - began, value]
}

function loop({ n, rounds }: ComputeInput): number {
  let sum = 0
  for (let index = 0; index < n; index++) sum += work(index, rounds)
  return sum
}

/** Returns the number of rounds that take `ms` milliseconds on this machine. */
function roundsFor(ms: number): number {
  const rounds = 1_000_000
  // The task begins with the same warm-up.
  for (let index = 0; index < 3; index++) work(index, 10)
  const times = Array.from({ length: 50 }, (_, index) => {
    const began = performance.now()
    work(index, rounds)
    return performance.now() - began
  })
  // A low quantile ignores the calls that were slow, because the code was not compiled yet or because other processes interrupted them.
  return Math.round((ms / quantile(times, 0.25)) * rounds)
}

/** Resolves to the time, in ms, from the start of both threads until both threads have computed their half. */
async function inThreads({ n, rounds }: ComputeInput): Promise<number> {
  const code = `const { parentPort } = require('node:worker_threads')
    ${work}
    parentPort.on('message', ({ from, to, rounds }) => {
      let sum = 0
      for (let index = from; index < to; index++) sum += work(index, rounds)
      parentPort.postMessage(sum)
    })`
  const threads = Array.from({ length: THREADS }, () => new Worker(code, { eval: true }))
  try {
    await Promise.all(threads.map(thread => once(thread, 'online')))
    const half = (which: number): number => Math.round((n * which) / THREADS)
    const [ms] = await timed(() =>
      Promise.all(
        threads.map((thread, which) => {
          thread.postMessage({ from: half(which), to: half(which + 1), rounds })
          return once(thread, 'message')
        })
      )
    )
    return ms
  } finally {
    await Promise.all(threads.map(thread => thread.terminate()))
  }
}
