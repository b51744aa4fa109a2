import { readFileSync } from 'node:fs'

/** Whether a process runs. A zombie (state Z) does not run: the process has ended, and its parent has not collected the exit status. */
export function isAlive(pid: number | string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z'
  } catch {
    return false
  }
}
