import type { Logger } from '../common/logger.ts'
import type { JobsInit } from '../jobs/jobs.ts'
import { PartialsDisk } from '../jobs/worker/partials-disk.ts'
import { JournalRoom } from '../journal/journal-room.ts'
import { ReplicaDisk } from '../journal/replica-disk.ts'
import type { DataDir } from '../persistence/data-dir.ts'

/** Reads what the jobs of an earlier process have left in a data folder. */
export async function openDisk(
  dataDir: DataDir,
  logger: Logger
): Promise<Pick<JobsInit, 'replica' | 'whenSynced' | 'room' | 'partials' | 'returning'>> {
  const { log, state } = dataDir
  const partials = new PartialsDisk(log)
  const { replica, whenSynced } = await ReplicaDisk.open(log, logger, (key, stored) => partials.read(key, stored))
  return { replica, whenSynced, room: new JournalRoom(dataDir), partials, returning: state.remembered.members }
}
