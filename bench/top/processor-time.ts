/** Reads the processor time of processes from the kernel (Linux). */
import { readFileSync } from 'node:fs'

/** The kernel's unit of processor time, in ms (100 Hz on every Linux that runs Node). */
const TICK_MS = 10

/** Returns the processor time of a process and its threads since the start of the process, in ms. */
export function processorTime(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The process name in parentheses may contain any character, so parsing begins after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[11], fields[12]]
  return (Number(user) + Number(system)) * TICK_MS
}

/** Resolves to the share of one core that each of these processes uses during `wait`, in percent. */
export async function sharesOfCore(pids: readonly number[], wait: () => Promise<void>): Promise<number[]> {
  const began = performance.now()
  const before = pids.map(processorTime)
  await wait()
  const elapsed = performance.now() - began
  return pids.map((pid, index) => ((processorTime(pid) - before[index]!) * 100) / elapsed)
}
