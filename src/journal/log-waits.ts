import type { Logger } from '../common/logger.ts'
import type { PeerIdString } from '../network/types.ts'
import type { JournalEffect } from './core/events.ts'
import type { JournalRecord } from './record.ts'

interface Leading {
  epoch: number
  voters: readonly PeerIdString[] | undefined
  logger: Logger
}

/** Logs for whom jobs wait. */
export function logWaits(
  effect: Extract<JournalEffect<JournalRecord>, { type: 'under-replicated' | 'unread' | 'incomplete' }>,
  { epoch, voters, logger }: Leading
): void {
  if (effect.type === 'under-replicated') {
    const silent = effect.missing
    const until = voters === undefined ? 'these answer, or are gone' : 'more of these voters answer'
    if (silent.length === 0) logger.info({ epoch }, 'enough members keep the jobs again')
    else logger.warn({ epoch, silent }, `too few members keep the jobs: new ones wait until ${until}`)
    return
  }
  if (effect.type === 'incomplete') {
    if (effect.voters.length > 0)
      logger.error(
        { epoch, incomplete: effect.voters },
        'jobs wait: the data folders of these voters have lost entries, so a majority of the other voters must answer. Start those. docs/operations.md says what to do if they are lost'
      )
    return
  }
  const { holders } = effect
  if (holders.length > 0)
    logger.warn({ epoch, holders }, 'jobs wait for one of the members that hold the jobs of earlier leaders')
}
