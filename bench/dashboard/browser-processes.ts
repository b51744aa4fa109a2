/** Measures the processor time of a browser, which consists of several short-lived processes (Linux). */
import { readdirSync, readFileSync } from 'node:fs'
import { processorTime } from '../top/processor-time.ts'

/** All processes with this home folder in their environment, and their descendants. */
function processesOf(home: string): number[] {
  const running = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const parents = new Map(running.map(pid => [pid, parentOf(pid)]))
  const found = new Set(running.filter(pid => isAt(pid, home)))
  // A child process that renamed itself has overwritten its environment, so the search finds this process through its parent.
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

function isAt(pid: number, home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${home}\0`)
  } catch {
    return false
  }
}

function parentOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

function times(home: string): Map<number, number> {
  const known = new Map<number, number>()
  for (const pid of processesOf(home)) {
    try {
      known.set(pid, processorTime(pid))
    } catch {
      // The process has ended since the list was read.
    }
  }
  return known
}

/** Returns the share of one core that a browser uses during `wait`, in percent. Only processes that still run at the end count. */
export async function shareOfBrowser(home: string, wait: () => Promise<void>): Promise<number> {
  const began = performance.now()
  const before = times(home)
  await wait()
  let used = 0
  for (const [pid, time] of times(home)) used += time - (before.get(pid) ?? 0)
  return (used * 100) / (performance.now() - began)
}
