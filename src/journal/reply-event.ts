import type { PeerIdString } from '../network/types.ts'
import type { JournalEvent } from './core/events.ts'
import type { JournalReply } from './messages.ts'
import type { JournalRecord } from './record.ts'

/** Returns the event that a reply of a follower is for the core. */
export function eventOf(
  from: PeerIdString,
  message: Exclude<JournalReply, { type: 'held' }>
): JournalEvent<JournalRecord> {
  switch (message.type) {
    case 'heads':
      return {
        type: 'heads',
        from,
        heads: message.heads,
        isOnDisk: message.isOnDisk,
        list: message.list,
        isIncomplete: message.isIncomplete
      }
    case 'noted':
      return { type: 'noted', from, version: message.version }
    case 'fetched':
      return { type: 'entry', from, job: message.job, entry: message.entry }
    case 'refused':
      return { type: 'refused', from }
  }
}
