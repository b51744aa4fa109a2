/** A loop that submits more jobs than a leader takes at a time: how long until each has its result. */
import type { Job } from '../../src/jobs/types.ts'
import { within } from '../recovery/clusters.ts'
import { taskFile, withTrio } from './trio.ts'

/** Longer than that, in ms, they never end. */
const LIMIT = 900_000

export interface ManyJobs {
  count: number
  took: number
  /** How often a submission had to wait. */
  waited: number
  right: boolean
}

/** The client is this process, and its outcomes are kept as by default. */
export async function manyJobs(count: number): Promise<ManyJobs> {
  return await withTrio(async client => {
    let waited = 0
    client.addEventListener('waiting', () => waited++)
    const resultOf = async (job: Job<number>): Promise<number> => {
      try {
        return await job.result()
      } finally {
        await job[Symbol.asyncDispose]()
      }
    }
    const began = performance.now()
    const submitAll = async (): Promise<number[]> => {
      const results: Promise<number>[] = []
      for (let i = 0; i < count; i++) results.push(resultOf(await client.submit(taskFile('ten'), { n: 1 + (i % 4) })))
      return await Promise.all(results)
    }
    const sums = await within(LIMIT, 'all results', submitAll())
    const took = performance.now() - began
    return { count, took, waited, right: sums.every((sum, i) => sum === [0, 1, 5, 14][i % 4]) }
  })
}
