import { checkSum, type Rate } from './rate.ts'
import { resultOf, taskFile, withTrio } from './trio.ts'

/** Measures p2p-worker. This process is the client, and the leader folds the partials. */
export async function ourRate(chunks: number, task: 'no-op' | 'no-op-objects'): Promise<Rate> {
  return await withTrio(async client => {
    const run = (n: number): Promise<number> => resultOf<number>(client, taskFile(task), { n })
    await run(Math.ceil(chunks / 10))
    const began = performance.now()
    const sum = await run(chunks)
    const ms = performance.now() - began
    checkSum('p2p-worker', chunks, sum)
    return { tasks: chunks, ms }
  })
}
