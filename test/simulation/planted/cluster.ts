/** Bugs planted into whole peers. */

import { RetainedPartials } from '../../../src/jobs/leader/retained-partials.ts'
import { InFlightChunks } from '../../../src/jobs/worker/in-flight-chunks.ts'
import { ShardRoundChunks } from '../../../src/jobs/worker/shard-round-chunks.ts'
import { WorkerCore } from '../../../src/jobs/worker/worker-core.ts'
import { JournalReplica } from '../../../src/journal/core/replica.ts'
import { lockRules } from '../../../src/locks/core/rules.ts'
import { runClusterSeed } from '../cluster/worlds.ts'
import type { PlantedBug, PlantedBugs } from './planted-bug.ts'

/** Makes a bug that replaces one method in all peers. */
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
  'the leader ignores the offers of workers': replaced(
    RetainedPartials.prototype,
    'match',
    () => ({ chunks: [], refused: [] }),
    /though .* has computed it|runs twice/
  ),
  'peers do not show their replicas to the leader': replaced(JournalReplica.prototype, 'read', () => [], FORGOTTEN),
  'peers forget their replicas at once': replaced(JournalReplica.prototype, 'write', () => true, FORGOTTEN),
  'workers keep their requests when the leader is gone': replaced(
    ShardRoundChunks.prototype,
    'leaderGone',
    () => {},
    /has not ended/
  ),
  'the leader grants a lock to one more than its limit': replaced(
    lockRules,
    'hasRoom',
    (holders, limit) => holders <= limit,
    /hold the lock/
  ),
  'a leaving peer does not stop its chunks': replaced(WorkerCore.prototype, 'leave', async () => {}, /runs twice/)
}
