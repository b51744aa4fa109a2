import type { RankOrder } from '../../election/core/rank.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Writer } from './entry.ts'
import type { JournalReplica } from './replica.ts'
import type { JournalRules } from './rules.ts'

export interface JournalInit<Record> {
  writer: Writer
  /** The replica that this peer itself stores. */
  replica: JournalReplica<Record>
  /** The voters, including this peer. Undefined without a quorum. */
  voters?: readonly PeerIdString[] | undefined
  /** The holders that the store of the election names. Undefined if the election has no store. */
  holders?: readonly PeerIdString[] | undefined
  /** Orders peers by who should lead next. Default: the highest rank first. */
  order?: RankOrder
  /** Adapts the record of a running job that this leader takes over. Default: no change. */
  inherit?: ((record: Record) => Record) | undefined
  rules?: JournalRules | undefined
}
