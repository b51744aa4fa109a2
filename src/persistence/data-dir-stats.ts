import { statfs } from 'node:fs/promises'
import type { Histogram } from '../lib/histogram.ts'

/** The part of a disk that is for the jobs under way, and the most bytes of it. */
const RESERVE = { part: 0.05, most: 64 * 2 ** 20 }

/** The space of a disk, in bytes. */
export interface DiskSpace {
  free: number
  /** What new jobs must leave free. */
  reserve: number
}

/** The data folder of a peer: its size, and how its disk behaves. */
export interface DataDirStats {
  /** The size of the log in the folder, in bytes. */
  bytes: number
  /** The bytes of the log that are not deleted or replaced. The log is compacted when they are less than half of it. */
  liveBytes: number
  /** How large these may grow until a leader refuses new jobs, in bytes (`journalMb`). */
  journalBytes: number
  /** The free bytes of the disk; undefined if the system does not tell. */
  freeBytes: number | undefined
  /** Whether the disk takes writes. While it does not, the peer goes on in memory, and tries again. */
  isWritable: boolean
  /** How often the disk has stopped taking writes. */
  failures: number
  /** How long each sync of the disk took, in ms. */
  syncs: Histogram
}

/** Reads the space of the disk of a folder. Undefined if the system does not tell. */
export async function spaceAt(folder: string): Promise<DiskSpace | undefined> {
  const space = await statfs(folder).catch(() => undefined)
  return (
    space && {
      free: space.bavail * space.bsize,
      reserve: Math.min(RESERVE.most, RESERVE.part * space.blocks * space.bsize)
    }
  )
}
