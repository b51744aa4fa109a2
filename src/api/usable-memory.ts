import { totalmem } from 'node:os'

/** Returns the memory that this process may use, in bytes: that of the machine, or less in a container. */
export function usableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
