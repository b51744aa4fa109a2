import { join } from 'node:path'
import { InvalidOptionError } from '../common/errors.ts'
import { IDENTITY, inFolder, LOG } from './data-dir.ts'
import { lockFolder } from './folder-lock.ts'
import { isThere } from './is-there.ts'
import { keyOfLoss, LOSSES, type Loss, URGENT } from './log/damage-note.ts'
import { FolderDisk } from './log/disk.ts'
import { KeyValueLog } from './log/key-value-log.ts'

/**
 * Lets a voter count with what its data folder has, though it has lost something. Returns what it has lost.
 *
 * @throws InvalidOptionError if the folder is no peer's, a process uses it, or a newer version wrote it
 */
export async function acceptLoss(folder: string): Promise<Loss[]> {
  return inFolder(folder, async path => {
    if (!(await isThere(join(path, IDENTITY))) || !(await isThere(join(path, LOG))))
      throw new InvalidOptionError(
        `${path} is no folder that a peer has used: name the folder that was given to \`join --data-dir\``
      )
    const lock = await lockFolder(path)
    try {
      const log = KeyValueLog.open(new FolderDisk(join(path, LOG)))
      try {
        const keys = LOSSES.map(loss => URGENT + keyOfLoss(loss))
        const lost = LOSSES.filter((_, i) => log.hasNewDamage || log.has(keys[i]!))
        if (lost.length > 0) log.commit(keys.map(key => ({ key, value: undefined })))
        return lost
      } finally {
        log.close()
      }
    } finally {
      await lock.release()
    }
  })
}
