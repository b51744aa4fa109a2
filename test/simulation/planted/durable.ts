/** Bugs planted into peers that keep their journals on disk. */
import { JournalReplica } from '../../../src/journal/core/replica.ts'
import { type JournalRules, journalRules } from '../../../src/journal/core/rules.ts'
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

/** Makes a bug that replaces rules of the journal. */
function ruled(rules: Partial<JournalRules>, notice: RegExp): PlantedBug {
  return { find: seed => runDurableSeed(seed, { ...journalRules, ...rules })?.error.message, notice }
}

export const durableBugs: PlantedBugs = {
  'acknowledges a job that is not on the disk of the leader': ruled({ countsItself: () => true }, /not on its disk/),
  'lets the copy with the newest stamp win, even if its checkpoint is older': ruled(
    { newest: heads => journalRules.newest(heads.map(head => ({ ...head, next: 0, head })))?.head },
    /were acknowledged/
  ),
  'keeps its own copy when a later checkpoint turns up': ruled(
    { overrules: copy => copy.end !== undefined },
    /were acknowledged/
  ),
  'goes on after a full stop without another holder of the journal': ruled(
    { hasFoundHolder: () => true },
    /again before it has seen/
  ),
  'forgets in a restart who held the journal': replaced('note', () => {}),
  'forgets the end of a job while a peer may come back with an old entry': ruled(
    { mayForget: () => true },
    /is forgotten/
  ),
  'goes on with a job although its end may be forgotten': ruled(
    { mayHaveEnded: () => false },
    /its end may be forgotten/
  ),
  'counts memory as disk': ruled({ countsAsDisk: () => true }, /of \d disks/),
  'reports the outcome of a job with too few disks': ruled(
    { disksNeeded: (end, durable) => (end === undefined ? durable : 0) },
    /says that .* of \d disks/
  ),
  'forgets on how many disks a job must be when another peer leads': {
    find: seed => {
      const { write } = JournalReplica.prototype
      JournalReplica.prototype.write = function (entry) {
        return write.call(this, { ...entry, durable: 0 })
      }
      try {
        return runDurableSeed(seed)?.error.message
      } finally {
        JournalReplica.prototype.write = write
      }
    },
    notice: /of \d disks/
  },
  'says that it holds an entry before it is on disk': replaced('whenSynced', done => done(true)),
  'forgets in a restart which leader it has accepted': replaced('keepAccepted', (_, done) => done())
}
