/** The messages between a client and the peer that the client is attached to, and the codec of these messages. */

import { InvalidMessageError } from '../common/errors.ts'
import type { LeadershipStats } from '../election/leadership-stats.ts'
import type { Leadership } from '../election/types.ts'
import type { Member, MemberState, Role } from '../membership/core/member.ts'
import { check, checkCount, checkMetadata, checkPeerId } from '../membership/record-codec.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import {
  AttachMessage as Wire,
  type Prioritize as WirePrioritize,
  type Prioritized as WirePrioritized,
  type View as WireView
} from '../wire/attach.gen.ts'

/** One peer's view of the cluster, for its clients. */
export interface View {
  cluster: string
  leader: Leadership | undefined
  members: Member[]
  /** The wall clock of the peer at the moment when the peer sent the view, in ms since the epoch. */
  now?: number | undefined
  /** The PeerIds of the voters, under a quorum. */
  voters?: readonly string[] | undefined
  /** The number of leadership changes and the total time without a leader, as this peer has seen them. */
  stats: LeadershipStats
}

/** The answer of a peer that was asked to change its priority in elections. Without a priority, the peer refuses. */
export type Prioritized =
  | { type: 'prioritized'; id: number; electionPriority: number }
  | { type: 'prioritized'; id: number; electionPriority: undefined; reason: string }

/**
 * `subscribe`: the client sends it to the peer one time on each connection. `view`: the peer sends it to the client at once and
 * after each change. `ping` and `pong`: a missing `pong` reveals a peer that vanished without closing its connection. `prioritize`: the
 * client asks a peer to change its priority in elections, and `prioritized` is the answer.
 */
export type AttachMessage =
  | { type: 'subscribe' }
  | { type: 'view'; view: View }
  | { type: 'ping' }
  | { type: 'pong' }
  | { type: 'prioritize'; id: number; priority: string }
  | Prioritized

const MAX_MEMBERS = 10_000
const MAX_VOTERS = 7
/** The most characters of a priority. */
const MAX_PRIORITY = 32
/** The most characters of the reason of a refusal. */
const MAX_REASON = 1_000
const STATES: readonly MemberState[] = ['alive', 'suspect', 'dead', 'left']
const ROLES: readonly Role[] = ['auto', 'leader', 'worker']

function oneOf<T extends string>(value: string, allowed: readonly T[], what: string): T {
  check((allowed as readonly string[]).includes(value), `unknown ${what}`)
  return value as T
}

function viewOf({ cluster, leader, members, now, voters, leaderChanges, leaderless }: WireView): View {
  check(cluster.length <= 63, 'cluster name too long')
  check(now === undefined || Number.isFinite(now), 'now out of range')
  for (const voter of voters) checkPeerId(voter)
  checkCount(leaderChanges, 'leaderChanges')
  check(Number.isFinite(leaderless) && leaderless >= 0, 'leaderless out of range')
  if (leader !== undefined) {
    checkPeerId(leader.id)
    checkCount(leader.epoch, 'epoch')
  }
  return {
    cluster,
    now,
    ...(voters.length > 0 && { voters }),
    stats: { changes: leaderChanges, leaderless },
    leader: leader && { id: leader.id, epoch: leader.epoch, rank: { priority: leader.priority, id: leader.id } },
    members: members.map(wire => {
      const { id, incarnation, revision, since } = wire
      checkPeerId(id)
      checkCount(incarnation, 'incarnation')
      checkCount(revision, 'revision')
      check(Number.isFinite(since), 'since out of range')
      check(wire.rtt === undefined || (Number.isFinite(wire.rtt) && wire.rtt >= 0), 'rtt out of range')
      const member: Member = {
        ...wire,
        state: oneOf(wire.state, STATES, 'state'),
        role: oneOf(wire.role, ROLES, 'role'),
        tags: Object.fromEntries(wire.tags)
      }
      checkMetadata(id, member)
      return member
    })
  }
}

function prioritizeOf({ id, priority }: WirePrioritize): AttachMessage {
  check(priority.length <= MAX_PRIORITY, 'priority too long')
  return { type: 'prioritize', id, priority }
}

function prioritizedOf({ id, electionPriority, reason }: WirePrioritized): AttachMessage {
  check(reason.length <= MAX_REASON, 'reason too long')
  return electionPriority === undefined
    ? { type: 'prioritized', id, electionPriority, reason }
    : { type: 'prioritized', id, electionPriority }
}

const codec: Codec<AttachMessage> = {
  encode(message) {
    if (message.type === 'prioritize') return Wire.encode({ prioritize: message })
    if (message.type === 'prioritized') return Wire.encode({ prioritized: { reason: '', ...message } })
    if (message.type !== 'view') return Wire.encode({ [message.type]: {} })
    const { cluster, leader, members, now, voters = [], stats } = message.view
    return Wire.encode({
      view: {
        cluster,
        ...(now !== undefined && { now }),
        voters: [...voters],
        leaderChanges: stats.changes,
        leaderless: stats.leaderless,
        leader: leader && { id: leader.id, epoch: leader.epoch, priority: leader.rank.priority },
        members: members.map(member => ({ ...member, tags: new Map(Object.entries(member.tags)) }))
      }
    })
  },

  decode(bytes) {
    let wire: Wire
    try {
      wire = Wire.decode(bytes, {
        limits: { view: { voters: MAX_VOTERS, members: MAX_MEMBERS, members$: { addresses: 64, tags: 64 } } }
      })
    } catch (cause) {
      throw new InvalidMessageError('attach: not protobuf, or too many members', { cause })
    }
    check(
      Object.values(wire).filter(part => part !== undefined).length === 1,
      'attach message of no kind, or of several'
    )
    if (wire.view !== undefined) return { type: 'view', view: viewOf(wire.view) }
    if (wire.subscribe !== undefined) return { type: 'subscribe' }
    if (wire.prioritize !== undefined) return prioritizeOf(wire.prioritize)
    if (wire.prioritized !== undefined) return prioritizedOf(wire.prioritized)
    return wire.ping !== undefined ? { type: 'ping' } : { type: 'pong' }
  }
}

/** The protocol between a client and the peer that the client is attached to. */
export const attachProtocol: ProtocolSpec<AttachMessage> = {
  name: 'attach',
  codec,
  maxMessageBytes: 16 * 1024 * 1024
}
