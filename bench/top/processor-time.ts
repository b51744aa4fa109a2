/** What a process uses of a processor, as the kernel counts it (Linux). */
import { readFileSync } from 'node:fs'

/** The kernel's unit of it, in ms: it is 100 Hz everywhere that Node runs. */
const TICK_MS = 10

/** Processor time of a process and all its threads, in ms since it started. */
export function processorTime(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[11], fields[12]]
  return (Number(user) + Number(system)) * TICK_MS
}

/** Which share of one core each of these processes uses while `wait` runs, in percent. */
export async function sharesOfCore(pids: readonly number[], wait: () => Promise<void>): Promise<number[]> {
  const began = performance.now()
  const before = pids.map(processorTime)
  await wait()
  const elapsed = performance.now() - began
  return pids.map((pid, index) => ((processorTime(pid) - before[index]!) * 100) / elapsed)
}
