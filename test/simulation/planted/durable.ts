/** Bugs planted into peers that keep their journals on disk. */
import { journalRules } from '../../../src/journal/core/rules.ts'
import { SimulatedDisk } from '../disk.ts'
import { runDurableSeed } from '../durable-scenario.ts'
import type { PlantedBug, PlantedBugs } from './planted-bug.ts'

/** Makes a bug that replaces one method of all disks. */
function replaced<K extends keyof SimulatedDisk<never>>(method: K, by: SimulatedDisk<never>[K]): PlantedBug {
  return {
    find: seed => {
      const original = SimulatedDisk.prototype[method]
      SimulatedDisk.prototype[method] = by as unknown as typeof original
      try {
        return runDurableSeed(seed)?.error.message
      } finally {
        SimulatedDisk.prototype[method] = original
      }
    }
  }
}

export const durableBugs: PlantedBugs = {
  'acknowledges a job that is not on the disk of the leader': {
    find: seed => runDurableSeed(seed, { ...journalRules, countsItself: () => true })?.error.message
  },
  'says that it holds an entry before it is on disk': replaced('whenSynced', done => done()),
  'forgets in a restart which leader it has accepted': replaced('keepAccepted', (_, done) => done())
}
