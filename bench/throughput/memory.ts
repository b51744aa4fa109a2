/** Measures the leader's memory during a job of many chunks, including all threads of the process and the memory outside of their heaps. */
import { readFile, writeFile } from 'node:fs/promises'
import { sumBelow } from './rate.ts'
import { resultOf, taskFile, withTrio } from './trio.ts'

/** The interval between two measurements, in ms. */
const EVERY_MS = 20

export interface Memory {
  /** The resident memory before the first job, in MB. */
  idle: number
  /** The peak during the job, in MB. */
  peak: number
  /** The resident memory soon after the job, in MB. */
  after: number
  took: number
  right: boolean
}

/** Measures the memory of the leader. Each run uses a new cluster, so that the leader has run no other job before. */
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
    // Writing 5 to clear_refs resets the kernel's record of the peak memory.
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

/** Resolves to the current and the peak resident memory of a process, in MB. */
async function memory(pid: number): Promise<{ resident: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const mb = (field: string): number =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)![1]) * 1_024) / 1e6
  return { resident: mb('VmRSS'), most: mb('VmHWM') }
}
