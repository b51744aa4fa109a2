import { readFileSync } from 'node:fs'

const MAPPING = /^([\da-f]+)-([\da-f]+) rwxp \S+ \S+ 0\s*$/gm

let bytes: number | undefined

/**
 * The address space that V8 reserves for machine code, in bytes: some 512 MiB since Node 24, and the kernel counts them as data. The size is
 * the same in each process of this version of Node, so the function measures this process. Returns 0 if the system has no `/proc`.
 */
export function codeRangeBytes(): number {
  bytes ??= largest()
  return bytes
}

function largest(): number {
  let maps: string
  try {
    maps = readFileSync('/proc/self/maps', 'utf8')
  } catch {
    return 0
  }
  // A thread may have its own range, so this takes the largest range.
  const sizes = [...maps.matchAll(MAPPING)].map(
    ([, from = '', to = '']) => Number.parseInt(to, 16) - Number.parseInt(from, 16)
  )
  return Math.max(0, ...sizes)
}
