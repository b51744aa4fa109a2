import { ContentLog } from './log/content-log.ts'
import { keyOfLoss, LOSSES, type Loss, URGENT } from './log/damage-note.ts'
import type { LogDisk } from './log/disk.ts'
import { KeyValueLog, type LogDamage } from './log/key-value-log.ts'
import { clusterIn, type FolderCluster, STATE_KEY } from './peer-state.ts'

/** What is in the log of a data folder. */
export interface LogReport {
  /** The cluster of the folder; undefined if the log has no state. */
  cluster: FolderCluster | undefined
  /** The number of values besides the state. */
  entries: number
  /** The values that cannot be read. */
  lost: number
  damage: LogDamage
  /** The number of damaged places and values. 0 if all of them were noted before, and what was lost was found again. */
  damaged: number
  /** What was lost at any time, and was not found again since. */
  losses: Loss[]
  /** The size of all files, what of it is not deleted or replaced, and what is behind the last commit, in bytes. */
  bytes: number
  liveBytes: number
  tornBytes: number
}

/**
 * Reads every value of a log, to find those that are damaged.
 *
 * @throws LogVersionError if a newer version wrote the log; the error of the disk
 */
export function inspectLog(disk: LogDisk): LogReport {
  const log = KeyValueLog.open(disk)
  const state = log.get(`u/${STATE_KEY}`)
  const contents = new ContentLog(log)
  let [entries, lost] = [0, 0]
  for (const key of [...contents.keys()]) {
    if (contents.get(key) === undefined) lost += 1
    else entries += 1
  }
  const { bytes, liveBytes, damage } = log
  const tornBytes = disk.list().reduce((sum, name) => sum + (name.endsWith('.log') ? disk.size(name) : 0), -bytes)
  const cluster = state === undefined ? undefined : clusterIn(new TextDecoder().decode(state))
  const losses = LOSSES.filter(loss => log.hasNewDamage || log.has(URGENT + keyOfLoss(loss)))
  const damaged = losses.length > 0 ? Math.max(damage.damaged, lost) : 0
  return { cluster, entries, lost, damage, damaged, losses, bytes, liveBytes, tornBytes }
}
