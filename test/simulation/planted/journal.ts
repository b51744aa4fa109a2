/** Bugs planted into the journal: each breaks one rule, which the simulation must notice. */
import type { End, Head } from '../../../src/journal/core/entry.ts'
import { type JournalRules, journalRules } from '../../../src/journal/core/rules.ts'
import { runJournalSeed } from '../journal-scenario.ts'
import type { PlantedBugs } from './planted-bug.ts'

/** The rules of each broken core, by what the core does. */
const BUGS: { readonly [name: string]: Partial<JournalRules> } = {
  'acknowledges an entry before the standbys store it': { isReplicated: () => true },
  'does not count silent members among those that must store an entry': {
    replicasNeeded: (end, _required, standbys) => journalRules.replicasNeeded(end, standbys, standbys)
  },
  'is ready before it has read the other journals': { hasRead: () => true },
  'drops copies before the standbys store the newest version': { mayDropCopies: () => true },
  'continues a job that has ended elsewhere': { overrules: () => false },
  'prefers a cancelled job to a completed one': { newest: newestByOppositeEnds },
  'lets an older leader read and write': { mayRead: () => true, mayWrite: () => true }
}

/** Bugs of the holders that a store names. */
const RECORD_BUGS: typeof BUGS = {
  'is ready before it has read a holder that the store names': { hasReadHolder: () => true },
  'lets the store name itself alone': { mayName: () => true },
  'acknowledges an entry that a named holder does not store': { isNamed: () => true },
  'lets a named holder drop its copies': { mayDrop: () => true }
}

function planted(bugs: typeof BUGS, hasRecord: boolean): PlantedBugs {
  return Object.fromEntries(
    Object.entries(bugs).map(([name, bug]) => [
      name,
      { find: seed => runJournalSeed(seed, { ...journalRules, ...bug }, { hasRecord })?.error.message }
    ])
  )
}

export const journalBugs: PlantedBugs = { ...planted(BUGS, false), ...planted(RECORD_BUGS, true) }

function newestByOppositeEnds<H extends Head>(heads: readonly H[]): H | undefined {
  const opposite: Partial<{ [end in End]: End }> = { completed: 'cancelled', cancelled: 'completed' }
  const swapped = heads.map(head => ({ ...head, end: head.end && (opposite[head.end] ?? head.end) }))
  const newest = journalRules.newest(swapped)
  return newest && heads[swapped.indexOf(newest)]
}
