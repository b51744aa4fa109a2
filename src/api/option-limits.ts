/** A module of its own: the command line needs it for its help, and nothing else of what checks the options. */
import { MOST_PAYLOAD_MB } from '../jobs/protocol/payload-limit.ts'
import { RECORD_LIMITS } from '../membership/record-limits.ts'

/** Bounds of what a member may say about itself: whoever receives its record checks them again. */
export const limits = {
  slots: RECORD_LIMITS.slots,
  tags: RECORD_LIMITS.tags,
  tagKey: RECORD_LIMITS.tagKeyLength,
  tagValue: RECORD_LIMITS.tagValueLength,
  priority: 2 ** 31 - 1,
  maxPayloadMb: MOST_PAYLOAD_MB,
  /** With less a thread does not even start. */
  leastHeapMb: 16,
  mostHeapMb: 2 ** 20
} as const
