import { readFileSync } from 'node:fs'

/** A process that has ended, and whose parent has not asked how, is none any more. */
export function isAlive(pid: number | string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z'
  } catch {
    return false
  }
}
