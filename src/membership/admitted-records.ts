import type { Admission } from '../network/guard/admission.ts'
import type { SwimMessage } from './core/messages.ts'
import { authorOf, type Signed } from './core/record.ts'

/** Removes the records of peers that may not join from a message. The sender of the message may have another allow list, or no allow list. */
export function admittedRecords(message: SwimMessage, admission: Admission): SwimMessage {
  if (!admission.isLimited) return message
  const isAdmitted = ({ record }: Signed): boolean => admission.may(authorOf(record), 'join')
  switch (message.type) {
    case 'ping':
      return { ...message, accusations: message.accusations.filter(isAdmitted) }
    case 'sync': {
      const entries = message.entries
        .filter(({ record }) => isAdmitted(record))
        .map(entry => ({ ...entry, accusations: entry.accusations.filter(isAdmitted) }))
      return { ...message, entries }
    }
    case 'records':
      return { ...message, records: message.records.filter(isAdmitted) }
    default:
      return message
  }
}
