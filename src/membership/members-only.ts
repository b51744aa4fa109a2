import type { Admission } from '../network/guard/admission.ts'
import type { PeerIdString } from '../network/types.ts'
import type { SwimMessage } from './core/messages.ts'
import type { MemberRecord, Signed } from './core/record.ts'

/** Who wrote a record. */
export function authorOf(record: MemberRecord): PeerIdString {
  return record.type === 'self' ? record.member : record.accuser
}

/**
 * Leaves out of a message the records that somebody wrote who may not join: whoever brings them may, and keep no allow list, or
 * another one.
 */
export function membersOnly(message: SwimMessage, admission: Admission): SwimMessage {
  if (!admission.isLimited) return message
  const isMembers = ({ record }: Signed): boolean => admission.may(authorOf(record), 'join')
  switch (message.type) {
    case 'ping':
      return { ...message, accusations: message.accusations.filter(isMembers) }
    case 'sync': {
      const entries = message.entries
        .filter(({ record }) => isMembers(record))
        .map(entry => ({ ...entry, accusations: entry.accusations.filter(isMembers) }))
      return { ...message, entries }
    }
    case 'records':
      return { ...message, records: message.records.filter(isMembers) }
    default:
      return message
  }
}
