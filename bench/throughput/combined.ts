/** Measures the benefit when workers combine partials, with a job that sums partials of 8 kB. */
import { readFile } from 'node:fs/promises'
import { add, draw } from './tasks/cells.ts'
import { resultOf, taskFile, withTrio } from './trio.ts'

/** The times of one job. */
export interface Folding {
  ms: number
  /** The processor time of the leader, in ms. */
  leaderMs: number
}

export interface Combined {
  plain: Folding
  combined: Folding
  right: boolean
}

/** The length of a kernel tick in ms (`getconf CLK_TCK` is 100 on any Linux that runs Node). */
const TICK_MS = 10

export async function combining(
  chunks: number,
  runs: number,
  tell: (run: number, found: Combined) => void
): Promise<Combined[]> {
  let expected = draw(0)
  for (let i = 1; i < chunks; i++) expected = add(expected, draw(i))
  return await withTrio(async (client, cluster) => {
    const pid = cluster.peers[0]!.child.pid!
    let right = true
    const run = async (task: string): Promise<Folding> => {
      const before = await processorMs(pid)
      const began = performance.now()
      const result = await resultOf<Float64Array>(client, taskFile(task), { n: chunks })
      const ms = performance.now() - began
      right &&= Buffer.from(result.buffer).equals(Buffer.from(expected.buffer))
      return { ms, leaderMs: (await processorMs(pid)) - before }
    }
    const found: Combined[] = []
    for (let i = 0; i <= runs; i++) {
      right = true
      const [plain, combined] = [await run('histogram'), await run('histogram-combined')]
      // The first run is the warm-up.
      if (i === 0) continue
      found.push({ plain, combined, right })
      tell(i, found.at(-1)!)
    }
    return found
  })
}

async function processorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
