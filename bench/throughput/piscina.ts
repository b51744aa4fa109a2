import { Piscina } from 'piscina'
import { root } from '../../test/cluster/processes.ts'
import { checkSum, type Rate } from './rate.ts'

/** The number of concurrent tasks: enough to keep the threads busy, but few enough to use little memory. */
const AT_ONCE = 4_096

/** Measures piscina with two threads in this process, without a network. */
export async function piscinaRate(tasks: number, concurrentTasksPerWorker: number): Promise<Rate> {
  const pool = new Piscina({
    filename: `${root}/bench/throughput/piscina-thread.mjs`,
    minThreads: 2,
    maxThreads: 2,
    concurrentTasksPerWorker
  })
  try {
    const run = async (n: number): Promise<number> => {
      let [next, sum] = [0, 0]
      const turn = async (): Promise<void> => {
        while (next < n) {
          const result: number = await pool.run(next++)
          sum += result
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, turn))
      return sum
    }
    await run(Math.ceil(tasks / 10))
    const began = performance.now()
    const sum = await run(tasks)
    const ms = performance.now() - began
    checkSum('piscina', tasks, sum)
    return { tasks, ms }
  } finally {
    await pool.destroy()
  }
}
