/** Bugs planted into whole peers. */

import { RetainedPartials } from '../../../src/jobs/leader/retained-partials.ts'
import { InFlightChunks } from '../../../src/jobs/worker/in-flight-chunks.ts'
import { ShardRoundChunks } from '../../../src/jobs/worker/shard-round-chunks.ts'
import { WorkerCore } from '../../../src/jobs/worker/worker-core.ts'
import { JournalReplica } from '../../../src/journal/core/replica.ts'
import { runClusterSeed } from '../cluster/worlds.ts'
import type { PlantedBug, PlantedBugs } from './planted-bug.ts'

/** A method of all peers does something else. */
function replaced<T, K extends keyof T>(prototype: T, method: K, by: T[K], notice: RegExp): PlantedBug {
  return {
    find: async seed => {
      const original = prototype[method]
      prototype[method] = by
      try {
        return (await runClusterSeed(seed))?.error.message
      } finally {
        prototype[method] = original
      }
    },
    notice
  }
}

const FORGOTTEN = /has not ended|only .* has|though .* has computed it|runs twice/

export const clusterBugs: PlantedBugs = {
  'workers offer nothing to the next leader': replaced(
    InFlightChunks.prototype,
    'batches',
    () => [],
    /though .* has computed it|runs twice/
  ),
  'what workers offer counts for nothing': replaced(
    RetainedPartials.prototype,
    'match',
    () => ({ chunks: [], refused: [] }),
    /though .* has computed it|runs twice/
  ),
  'peers show nothing of what they keep for others': replaced(JournalReplica.prototype, 'read', () => [], FORGOTTEN),
  'peers forget at once what they keep for others': replaced(JournalReplica.prototype, 'write', () => true, FORGOTTEN),
  'workers take what they asked the last leader for as asked of the next one': replaced(
    ShardRoundChunks.prototype,
    'leaderGone',
    () => {},
    /has not ended/
  ),
  'a peer that leaves ends nothing that it runs': replaced(WorkerCore.prototype, 'leave', async () => {}, /runs twice/)
}
