import type { Logger } from '../common/logger.ts'
import type { PeerIdString } from '../network/types.ts'
import type { JournalEffect } from './core/events.ts'
import type { JournalRecord } from './record.ts'

interface Leading {
  epoch: number
  voters: readonly PeerIdString[] | undefined
  logger: Logger
}

/** Logs for whom or what jobs wait, or that there are enough members or disks again. */
export function logWaits(
  effect: Extract<
    JournalEffect<JournalRecord>,
    { type: 'under-replicated' | 'too-few-disks' | 'unread' | 'incomplete' }
  >,
  { epoch, voters, logger }: Leading
): void {
  if (effect.type === 'under-replicated') {
    const silent = effect.missing
    const until = voters === undefined ? 'these answer, or are gone' : 'more of these voters answer'
    if (silent.length === 0) logger.info({ epoch }, 'enough members keep the jobs again')
    else logger.warn({ epoch, silent }, `too few members keep the jobs: new ones wait until ${until}`)
    return
  }
  if (effect.type === 'too-few-disks') {
    const { disks, needed, missing } = effect
    if (needed === 0) logger.info({ epoch, disks }, 'enough disks keep the jobs again')
    else
      logger.warn(
        { epoch, disks, needed, missing },
        'too few disks keep some jobs, which go on: their outcomes wait until members with data folders are back, or their disks take writes'
      )
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
