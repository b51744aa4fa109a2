import type { Logger } from '../common/logger.ts'
import type { JobsInit } from '../jobs/jobs.ts'
import { PartialsDisk } from '../jobs/worker/partials-disk.ts'
import { JournalRoom } from '../journal/journal-room.ts'
import { ReplicaDisk } from '../journal/replica-disk.ts'
import { DataDir, type DataDirOptions, inFolder } from '../persistence/data-dir.ts'
import { beginAfter } from './remember.ts'

/** A data folder that is being read. */
export interface FolderInReading {
  privateKey: DataDir['privateKey']
  /** The addresses of the members that an earlier process knew. They are read first. */
  addresses: Promise<readonly string[]>
  opened: Promise<OpenFolder>
  /** Closes the folder, after it has been read. */
  close(): Promise<void>
}

export interface OpenFolder {
  dataDir: DataDir
  disk: Pick<JobsInit, 'replica' | 'whenSynced' | 'room' | 'partials' | 'returning'>
  begin: ReturnType<typeof beginAfter>
}

/**
 * Opens a data folder, and begins to read what an earlier process has left in it.
 *
 * @throws InvalidOptionError when the folder cannot be used. What shows only when it is read rejects `opened`.
 */
export async function openFolder(options: DataDirOptions & { logger: Logger }): Promise<FolderInReading> {
  const locked = await DataDir.lock(options.folder)
  const reading = DataDir.read(locked, options)
  const opened = reading.then(dataDir => inFolder(options.folder, () => openDisk(dataDir, options.logger)))
  // The peer waits for this after it has started the network, which may fail first.
  opened.catch(() => {})
  return {
    privateKey: locked.privateKey,
    addresses: reading.then(
      ({ state }) => state.remembered.addresses,
      () => []
    ),
    opened,
    close: async () => {
      // A log that is closed while the journal is read would look damaged.
      await Promise.allSettled([opened])
      const dataDir = await reading.catch(() => undefined)
      await dataDir?.close()
    }
  }
}

async function openDisk(dataDir: DataDir, logger: Logger): Promise<OpenFolder> {
  const { log, state } = dataDir
  const partials = new PartialsDisk(log)
  const { replica, whenSynced } = await ReplicaDisk.open(log, logger, (key, stored) => partials.read(key, stored))
  const { remembered } = state
  const begin = beginAfter(remembered)
  // Others know no incarnation of this peer that its folder does not know.
  await state.raise(begin)
  const disk = { replica, whenSynced, room: new JournalRoom(dataDir), partials, returning: remembered.members }
  return { dataDir, disk, begin }
}
