import { readFileSync } from 'node:fs'

const MAPPING = /^([\da-f]+)-([\da-f]+) rwxp \S+ \S+ 0\s*$/gm

let bytes: number | undefined

/**
 * What V8 sets aside for machine code, in bytes: since Node 24 some 512 MiB, of which it uses little, and which the kernel counts as data. Each
 * process of this Node has as much, so this one is looked at. 0 where the system does not tell.
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
  // A thread may have one of its own.
  const sizes = [...maps.matchAll(MAPPING)].map(
    ([, from = '', to = '']) => Number.parseInt(to, 16) - Number.parseInt(from, 16)
  )
  return Math.max(0, ...sizes)
}
