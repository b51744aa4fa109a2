/** What a job of many chunks takes of the leader's memory: all its threads, and what is outside of their heaps, too. */
import { readFile, writeFile } from 'node:fs/promises'
import { sumBelow } from './rate.ts'
import { resultOf, taskFile, withTrio } from './trio.ts'

/** How often the memory is looked at, in ms. */
const EVERY_MS = 20

export interface Memory {
  /** Resident, in MB: before the first job. */
  idle: number
  /** The most while the job ran. */
  peak: number
  /** Soon after it. */
  after: number
  took: number
  right: boolean
}

/** Each run has a cluster of its own, whose leader has done nothing yet. */
export async function leaderMemory(
  chunks: number,
  runs: number,
  tell: (run: number, found: Memory) => void
): Promise<Memory[]> {
  const found: Memory[] = []
  for (let run = 1; run <= runs; run++) {
    found.push(await memoryOf(chunks))
    tell(run, found.at(-1)!)
  }
  return found
}

async function memoryOf(chunks: number): Promise<Memory> {
  return await withTrio(async (client, cluster) => {
    const pid = cluster.peers[0]!.child.pid!
    const { resident: idle } = await memory(pid)
    // From here on the kernel counts anew what was most.
    await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {})
    let peak = idle
    const look = async (): Promise<void> => {
      peak = Math.max(peak, (await memory(pid)).resident)
    }
    const timer = setInterval(() => look().catch(() => {}), EVERY_MS)
    try {
      const began = performance.now()
      const sum = await resultOf<number>(client, taskFile('no-op'), { n: chunks })
      const took = performance.now() - began
      const { resident: after, most } = await memory(pid)
      return { idle, peak: Math.max(peak, most), after, took, right: sum === sumBelow(chunks) }
    } finally {
      clearInterval(timer)
    }
  })
}

/** In MB: now, and at most so far. */
async function memory(pid: number): Promise<{ resident: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const mb = (field: string): number =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)![1]) * 1_024) / 1e6
  return { resident: mb('VmRSS'), most: mb('VmHWM') }
}
