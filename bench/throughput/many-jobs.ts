/** Measures a loop that submits jobs without waiting, far more than a leader accepts at the same time: the time until all results have arrived. */
import type { Job } from '../../src/jobs/shared/types.ts'
import { within } from '../recovery/clusters.ts'
import { taskFile, withTrio } from './trio.ts'

/** The time limit of all jobs, in ms. */
const LIMIT = 900_000

export interface ManyJobs {
  count: number
  took: number
  right: boolean
}

/** Submits the jobs from a client in this process. */
export async function manyJobs(count: number): Promise<ManyJobs> {
  return await withTrio(async client => {
    const resultOf = async (submitted: Promise<Job<number>>): Promise<number> => {
      await using job = await submitted
      return await job.result()
    }
    const began = performance.now()
    const results: Promise<number>[] = []
    for (let i = 0; i < count; i++) results.push(resultOf(client.submit(taskFile('ten'), { n: 1 + (i % 4) })))
    const sums = await within(LIMIT, 'all results', Promise.all(results))
    const took = performance.now() - began
    return { count, took, right: sums.every((sum, i) => sum === [0, 1, 5, 14][i % 4]) }
  })
}
