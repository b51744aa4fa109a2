/** What an attached client knows of the cluster, and its bytes. */
import { peerIdFromString } from '@libp2p/peer-id'
import type { Leadership } from '../election/types.ts'
import { InvalidMessageError } from '../errors.ts'
import type { Member, MemberState, Role } from '../membership/member.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import { AttachMessage as Wire } from '../wire/attach.gen.ts'

/** One peer's view of the cluster, as it tells its clients. */
export interface View {
  cluster: string
  leader: Leadership | undefined
  members: Member[]
}

/** `subscribe`: client to peer, once; `view`: peer to client, at once and after each change. */
export type AttachMessage = { type: 'subscribe' } | { type: 'view'; view: View }

const MAX_MEMBERS = 10_000
const STATES: readonly MemberState[] = ['alive', 'suspect', 'dead', 'left']
const ROLES: readonly Role[] = ['auto', 'leader', 'worker']

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new InvalidMessageError(`attach message: ${what}`)
}

function oneOf<T extends string>(value: string, allowed: readonly T[], what: string): T {
  check((allowed as readonly string[]).includes(value), `unknown ${what}`)
  return value as T
}

function checkPeerId(id: string): void {
  check(id.length <= 128, 'PeerId too long')
  try {
    peerIdFromString(id)
  } catch (cause) {
    throw new InvalidMessageError('attach message: not a PeerId', { cause })
  }
}

function checkCount(value: number, what: string): void {
  check(Number.isSafeInteger(value) && value >= 0, `${what} out of range`)
}

const codec: Codec<AttachMessage> = {
  encode(message) {
    if (message.type === 'subscribe') return Wire.encode({ subscribe: {} })
    const { cluster, leader, members } = message.view
    return Wire.encode({
      view: {
        cluster,
        leader: leader && { id: leader.id, epoch: leader.epoch, priority: leader.rank.priority },
        members: members.map(member => ({ ...member, tags: new Map(Object.entries(member.tags)) }))
      }
    })
  },

  decode(bytes) {
    let wire: Wire
    try {
      wire = Wire.decode(bytes, { limits: { view: { members: MAX_MEMBERS, members$: { addresses: 64, tags: 64 } } } })
    } catch (cause) {
      throw new InvalidMessageError('attach message: not protobuf', { cause })
    }
    if (wire.subscribe !== undefined) return { type: 'subscribe' }
    check(wire.view !== undefined, 'empty')
    const { cluster, leader, members } = wire.view
    check(cluster.length <= 63, 'cluster name too long')
    if (leader !== undefined) {
      checkPeerId(leader.id)
      checkCount(leader.epoch, 'epoch')
    }
    return {
      type: 'view',
      view: {
        cluster,
        leader: leader && {
          id: leader.id,
          epoch: leader.epoch,
          rank: { priority: leader.priority, id: leader.id }
        },
        members: members.map(member => {
          checkPeerId(member.id)
          checkCount(member.incarnation, 'incarnation')
          checkCount(member.revision, 'revision')
          check(Number.isFinite(member.since), 'since out of range')
          return {
            ...member,
            state: oneOf(member.state, STATES, 'state'),
            role: oneOf(member.role, ROLES, 'role'),
            tags: Object.fromEntries(member.tags)
          }
        })
      }
    }
  }
}

/** The protocol between a client and the peer that it is attached to. */
export const attachProtocol: ProtocolSpec<AttachMessage> = {
  name: 'attach',
  codec,
  maxMessageBytes: 16 * 1024 * 1024
}
