/** Bugs planted into whole peers. */

import { OfferBook } from '../../../src/jobs/leader/offer-book.ts'
import { ReferencedChunks } from '../../../src/jobs/worker/referenced-chunks.ts'
import { WorkOnHand } from '../../../src/jobs/worker/work-on-hand.ts'
import { Workbench } from '../../../src/jobs/worker/workbench.ts'
import { JournalKeeper } from '../../../src/journal/core/keeper.ts'
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
    WorkOnHand.prototype,
    'offers',
    () => [],
    /though .* has computed it|runs twice/
  ),
  'what workers offer counts for nothing': replaced(
    OfferBook.prototype,
    'match',
    () => ({ chunks: [], refused: [] }),
    /though .* has computed it|runs twice/
  ),
  'peers show nothing of what they keep for others': replaced(JournalKeeper.prototype, 'read', () => [], FORGOTTEN),
  'peers forget at once what they keep for others': replaced(JournalKeeper.prototype, 'write', () => true, FORGOTTEN),
  'workers take what they asked the last leader for as asked of the next one': replaced(
    ReferencedChunks.prototype,
    'leaderGone',
    () => {},
    /has not ended/
  ),
  'a peer that leaves ends nothing that it runs': replaced(Workbench.prototype, 'leave', async () => {}, /runs twice/)
}
