/** Bugs planted into voters whose folders are damaged, or put back from an earlier time. */
import type { VoterRules } from '../../../src/election/quorum/voter.ts'
import type { JournalRules } from '../../../src/journal/core/rules.ts'
import { SimulatedDisk } from '../disk.ts'
import { runVotersSeed, type VotersRules } from '../voters-scenario.ts'
import type { PlantedBug, PlantedBugs } from './planted-bug.ts'

/** An acknowledged job is gone, or is older than it was. */
const LOST = /which was accepted|were acknowledged|which is completed|and is lost|was completed and is/
const EPOCH_TWICE = /leads with epoch/

function found(rules: VotersRules, notice: RegExp): PlantedBug {
  return { find: seed => runVotersSeed(seed, rules)?.error.message, notice }
}

function journal(rules: Partial<JournalRules>): PlantedBug {
  return found({ journal: rules }, LOST)
}

function voter(rules: Partial<VoterRules>): PlantedBug {
  return found({ voter: rules }, EPOCH_TWICE)
}

/** Makes a bug that replaces one method of all disks. */
function replaced<K extends keyof SimulatedDisk<never>>(
  method: K,
  by: SimulatedDisk<never>[K],
  notice: RegExp
): PlantedBug {
  return {
    notice,
    find: seed => {
      const original = SimulatedDisk.prototype[method]
      SimulatedDisk.prototype[method] = by as unknown as typeof original
      try {
        return runVotersSeed(seed)?.error.message
      } finally {
        SimulatedDisk.prototype[method] = original
      }
    }
  }
}

export const votersBugs: PlantedBugs = {
  'counts voters that have lost entries': journal({ countsAsRead: () => true }),
  'counts a voter as whole before it stores all entries': journal({ isCaughtUp: () => true }),
  'forgets in a second restart that entries are lost': replaced(
    'markDamage',
    lasting => {
      lasting.isDamaged = false
      lasting.lost.add('promises')
    },
    LOST
  ),
  'never counts a voter again that has lost entries': found(
    { journal: { isCaughtUp: () => false } },
    /does not lead|not caught up/
  ),
  'votes before others have told what it promised': voter({ mayPromise: () => true }),
  'forgets in a second restart that promises are lost': replaced(
    'markDamage',
    lasting => {
      lasting.isDamaged = false
      lasting.lost.add('entries')
    },
    EPOCH_TWICE
  )
}
