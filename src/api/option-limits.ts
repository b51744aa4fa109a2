/**
 * The limits of options. They have a module of their own because the command line's help loads the limits without the
 * checks of options.
 */
import { MOST_PAYLOAD_MB } from '../jobs/protocol/payload-limit.ts'
import { RECORD_LIMITS } from '../membership/record-limits.ts'

/** The limits of a member's record. Each receiver of a record checks these limits again. */
export const limits = {
  slots: RECORD_LIMITS.slots,
  tags: RECORD_LIMITS.tags,
  tagKey: RECORD_LIMITS.tagKeyLength,
  tagValue: RECORD_LIMITS.tagValueLength,
  maxPayloadMb: MOST_PAYLOAD_MB,
  /** The smallest heap (MiB) with which a thread starts. */
  leastHeapMb: 16,
  mostHeapMb: 2 ** 20,
  leastJournalMb: 16,
  mostJournalMb: 2 ** 20,
  /** The longest wait of a leader after a full stop, in ms. */
  mostRecoverWait: 86_400_000
} as const
