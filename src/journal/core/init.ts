import type { RankOrder } from '../../election/core/rank.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Writer } from './entry.ts'
import type { JournalReplica } from './replica.ts'
import type { JournalRules } from './rules.ts'

/** The default of `recoverWait`, in ms. */
export const RECOVER_WAIT_MS = 30_000

export interface JournalInit<Record> {
  writer: Writer
  /** The replica that this peer itself stores. */
  replica: JournalReplica<Record>
  /** The voters, including this peer. Undefined without a quorum. */
  voters?: readonly PeerIdString[] | undefined
  /** The holders that the store of the election names. Undefined if the election has no store. */
  holders?: readonly PeerIdString[] | undefined
  /**
   * How long this leader waits after a full stop for another peer that held the journal, in ms. Not used with a quorum or with holders that a
   * store names. Default: {@link RECOVER_WAIT_MS}.
   */
  recoverWait?: number | undefined
  /** Orders peers by who should lead next. Default: the highest rank first. */
  order?: RankOrder
  /** Adapts the record of a running job that this leader takes over. Default: no change. */
  inherit?: ((record: Record) => Record) | undefined
  /** Whether an entry without an end is of a job that may have ended elsewhere. Default: always. */
  canEnd?: ((record: Record) => boolean) | undefined
  rules?: JournalRules | undefined
}
