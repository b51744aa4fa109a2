import { newSpanId, type SpanRecord, spanIdOf, traceIdOf } from '../common/tracing.ts'
import type { PeerIdString } from '../network/types.ts'
import type { PastElection } from './election-clock.ts'
import type { Leadership } from './types.ts'

/** The span of an election that has just ended for this peer. Its parent is the winner's span, in the trace of the leadership. */
export function electionSpan(parts: {
  clusterId: string
  self: PeerIdString
  leader: Leadership
  election: PastElection
}): SpanRecord {
  const { clusterId, self, leader, election } = parts
  const won = leader.id === self
  const traceId = traceIdOf('election', clusterId, leader.epoch, leader.id)
  const winner = spanIdOf(traceId, 'winner')
  const end = Date.now()
  return {
    name: 'election',
    kind: 'internal',
    traceId,
    spanId: won ? winner : newSpanId(),
    parentId: won ? undefined : winner,
    start: end - election.ms,
    end,
    attributes: {
      'p2p_worker.peer': self,
      'p2p_worker.epoch': leader.epoch,
      'p2p_worker.leader': leader.id,
      'p2p_worker.election.won': won,
      'p2p_worker.election.reason': election.reason
    }
  }
}
