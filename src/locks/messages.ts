/** The messages between the holders of locks and the leader (protocol "locks"). */
import { oneofCodec } from '../jobs/protocol/oneof-codec.ts'
import {
  check,
  checkCount,
  checkPeerId,
  checkText,
  decodeWith,
  MAX_SMALL_MESSAGE_BYTES,
  oneOf
} from '../jobs/protocol/wire-parts.ts'
import { MAX_OWNER, MAX_SESSION, MOST_LOCK_HOLDERS } from '../journal/entry-codec.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import { LockMessage as Wire, type LockName as WireName, type LockState as WireState } from '../wire/locks.gen.ts'
import {
  LONGEST_NAME,
  type LockAnswer,
  type LockId,
  type LockRequest,
  type LockState,
  type Ticket,
  TTL
} from './core/types.ts'

/** A question for the locks whose keys follow `after`, or the answer. `session` identifies the question. */
export type LockQuestion = { session: string } & (
  | { type: 'list'; after: string }
  | { type: 'locks'; locks: LockState[]; more: boolean }
)

/** `session`: the session of the request or the answer. */
export type LockMessage = LockRequest | LockAnswer | LockQuestion | { session: string; type: 'not-leader' }

type Says = LockMessage extends infer M ? (M extends unknown ? Omit<M, 'session'> : never) : never

/** The most locks in one answer, and the most sessions of one lock in it. */
export const LOCKS_A_MESSAGE = 100
const MOST_SESSIONS = MOST_LOCK_HOLDERS

const encodeName = ({ kind, name }: LockId): WireName => ({ kind, name })

function decodeName(wire: WireName | undefined): LockId {
  check(wire !== undefined && wire.name.length > 0, 'no lock')
  const kind = oneOf(wire.kind, ['lock', 'leadership'], 'kind of lock')
  return { kind, name: checkText(wire.name, LONGEST_NAME, 'the name of a lock') }
}

function encodeState({ kind, name, limit, token, holders, waiters }: LockState): WireState {
  return {
    lock: { kind, name },
    limit,
    token,
    holders: holders.slice(0, MOST_SESSIONS).map(holder => ({ ...holder })),
    waiters: waiters.slice(0, MOST_SESSIONS).map(waiter => ({ ...waiter, session: '', token: 0, ttl: 0 }))
  }
}

function decodeState({ lock, limit, token, holders, waiters }: WireState): LockState {
  const session = ({ client, owner, since }: WireState['holders'][number]) => ({
    client: checkPeerId(client),
    owner: checkText(owner, MAX_OWNER, 'an owner'),
    since: checkCount(since, 'a time')
  })
  return {
    ...decodeName(lock),
    limit,
    token: checkCount(token, 'a token'),
    holders: holders.map(holder => ({
      ...session(holder),
      session: checkText(holder.session, MAX_SESSION, 'a session'),
      token: checkCount(holder.token, 'a token'),
      ttl: holder.ttl
    })),
    waiters: waiters.map(session)
  }
}

function checkTicket({ epoch, number }: Ticket): Ticket {
  return { epoch: checkCount(epoch, 'an epoch'), number: checkCount(number, 'the number of a ticket') }
}

const FLAG = { encode: () => true, decode: () => ({}) }

const says = oneofCodec<Says, Omit<Wire, 'session'>>({
  keep: {
    field: 'keep',
    encode: ({ kind, name, ...rest }) => ({ lock: { kind, name }, ...rest }),
    decode: ({ lock, sequence, limit, ttl, owner, ticket, isHeld }) => {
      check(limit >= 1 && limit <= MOST_LOCK_HOLDERS, 'the limit of a lock is out of range')
      check(ttl >= TTL.least && ttl <= TTL.most, 'the ttl of a lock is out of range')
      return {
        ...decodeName(lock),
        sequence,
        limit,
        ttl,
        owner: checkText(owner, MAX_OWNER, 'an owner'),
        ticket: ticket && checkTicket(ticket),
        isHeld
      }
    }
  },
  release: { field: 'release', encode: encodeName, decode: decodeName },
  held: {
    field: 'held',
    encode: ({ sequence, token }) => ({ sequence, token }),
    decode: ({ sequence, token }) => ({ sequence, token: checkCount(token, 'a token') })
  },
  queued: {
    field: 'queued',
    encode: ({ ticket, ahead }) => ({ ticket, ahead }),
    decode: ({ ticket, ahead }) => {
      check(ticket !== undefined, 'no ticket')
      return { ticket: checkTicket(ticket), ahead }
    }
  },
  refused: {
    field: 'refused',
    encode: ({ reason }) => reason.slice(0, 1_000),
    decode: reason => ({ reason: checkText(reason, 1_000, 'a reason') })
  },
  lost: { field: 'lost', ...FLAG },
  released: { field: 'released', ...FLAG },
  yield: { field: 'yields', ...FLAG },
  'not-leader': { field: 'notLeader', ...FLAG },
  list: {
    field: 'list',
    encode: ({ after }) => after,
    decode: after => ({ after: checkText(after, LONGEST_NAME + 20, 'the name of a lock') })
  },
  locks: {
    field: 'locks',
    encode: ({ locks, more }) => ({ locks: locks.map(encodeState), more }),
    decode: ({ locks, more }) => ({ locks: locks.map(decodeState), more })
  }
})

const SESSIONS = { holders: MOST_SESSIONS, waiters: MOST_SESSIONS }
const LIMITS = { locks: { locks: LOCKS_A_MESSAGE, locks$: SESSIONS } }

const codec: Codec<LockMessage> = {
  encode: ({ session, ...message }) => Wire.encode({ session, ...says.encode(message as Says) }),
  decode(bytes) {
    const { session, ...wire } = decodeWith(() => Wire.decode(bytes, { limits: LIMITS }))
    return { session: checkText(session, MAX_SESSION, 'a session'), ...says.decode(wire) } as LockMessage
  }
}

export const lockProtocol: ProtocolSpec<LockMessage> = {
  name: 'locks',
  codec,
  maxMessageBytes: MAX_SMALL_MESSAGE_BYTES
}
