/**
 * The lease in ZooKeeper 3.5 or later, by node-zookeeper-client. One node, whose data are the record. A child `leader:SESSION:HOLDER`,
 * which ends with its session of ZooKeeper, is the lease; a child `heir:HOLDER` reserves it. Each change is one transaction. A grant
 * checks the version of the record and raises it, so of two grants from the same state ZooKeeper carries out one. The recipe of
 * Curator's leader latch numbers such children for its queue. Here is no queue, and the name is known before the child is: the repetition
 * of a request whose answer was lost finds its child, or creates the one that it would have created before.
 *
 * Each lease has a session of ZooKeeper, whose timeout is the lease time, and each request opens a connection of its own to this session.
 * Between two requests there is none, so nothing but a renewal lengthens the lease. A write through a connection that stays would not do:
 * only the leading server ends sessions, and another one tells it later, with its next heartbeat, whom it has heard from. If that server
 * stops before, the session can end up to a lease time early. But a new session, or the continuation of one, is told to the leading server
 * before the client gets an answer, and the write that follows shows that this server still leads. A server that leads next gives each
 * session its whole timeout anew: the timeout with which the session began, so no lease should get a longer time than its first.
 */
import { ElectionStoreError } from '../../common/errors.ts'
import { orAborted } from '../../lib/abort.ts'
import type { LeaseState, LeaseStore } from '../store/lease-store.ts'
import { type Change, type Connection, type Session, SessionExpiredError, ZooKeeper } from './zookeeper-client.ts'
import { CODE, type Server } from './zookeeper-library.ts'

export interface ZooKeeperLeaseOptions {
  servers: readonly Server[]
  /** The path of the node. Peers of one cluster have the same. */
  path: string
}

/** By default ZooKeeper keeps a session for 4 s to 40 s. */
const LEAST_MS = 2_000
const USUAL_MS = 5_000
/** The timeout of the session that only reads. Nothing depends on it. */
const READER_MS = 10_000
/** The most sessions that a client remembers. */
const MOST_SESSIONS = 8
/** The interval at which a watch looks whether its connection still lives, in ms. */
const LOOK_MS = 2_000

/** The state of the node and its children. */
interface Present {
  leader: { session: string; holder: string } | undefined
  heir: { path: string; holder: string } | undefined
  record: string | undefined
  version: number
}

/** What this client knows of the lease of a session. */
interface Own {
  /** The path of the child. */
  path: string
  leaseTime: number
  session?: Session
  /** Ends when the last request has ended. A session of ZooKeeper has one connection at a time. */
  turn: Promise<unknown>
}

/** Returns a store in ZooKeeper. @throws MissingPackageError */
export function zookeeperLease({ servers, path }: ZooKeeperLeaseOptions): LeaseStore {
  const zookeeper = new ZooKeeper(servers)
  const held = new Map<string, Own>()
  const closed = new AbortController()
  let reader: Promise<Connection> | undefined

  /** Returns the connection that only reads. It stays open, and is made anew when it has ended. */
  async function reading(signal: AbortSignal): Promise<Connection> {
    if (reader === undefined) {
      const forget = (): void => {
        reader = undefined
      }
      reader = zookeeper.connect({ timeout: READER_MS, signal: closed.signal })
      reader.then(({ over }) => (over.aborted ? forget() : over.addEventListener('abort', forget)), forget)
    }
    return await orAborted(reader, signal)
  }

  async function present(connection: Connection, isWatched = false): Promise<Present> {
    for (;;) {
      const node = await connection.read(path, isWatched)
      if (node !== undefined) return presentOf(path, node)
      await connection.createAll(path)
    }
  }

  const isFor = (holder: string, session: string, { leader, heir }: Present): boolean =>
    leader === undefined ? heir === undefined || heir.holder === holder : leader.session === session

  /** Opens a connection to the session of a lease, and works with it. Resolves with undefined if the session has ended. */
  async function within<T>(
    own: Own,
    { leaseTime = own.leaseTime, signal }: { leaseTime?: number; signal: AbortSignal },
    work: (connection: Connection) => Promise<T>
  ): Promise<T | undefined> {
    const answer = own.turn.then(async () => {
      const connection = await zookeeper.connect({ timeout: leaseTime, session: own.session, signal })
      try {
        await checkTimeout(connection, leaseTime)
        own.leaseTime = leaseTime
        own.session = connection.session
        return await work(connection)
      } finally {
        connection.end()
      }
    })
    own.turn = answer.catch(() => {})
    try {
      return await orAborted(answer, signal)
    } catch (error) {
      if (error instanceof SessionExpiredError) return undefined
      throw error
    }
  }

  return {
    name: 'zookeeper',
    leastLeaseTime: LEAST_MS,
    usualLeaseTime: USUAL_MS,

    async acquire({ holder, session, leaseTime, record, signal }) {
      signal.throwIfAborted()
      // A look saves the session of ZooKeeper, which is a write.
      if (!isFor(holder, session, await orAborted(reading(signal).then(present), signal))) return undefined
      const child = `${path}/leader:${encodeURIComponent(session)}:${encodeURIComponent(holder)}`
      const own = held.get(session) ?? { path: child, leaseTime, turn: Promise.resolve() }
      // If the answer is lost, this client can still release what it may have got.
      held.set(session, own)
      for (const old of [...held.keys()].slice(0, -MOST_SESSIONS)) held.delete(old)
      const granted = await within(own, { leaseTime, signal }, async connection => {
        for (;;) {
          const before = await present(connection)
          if (!isFor(holder, session, before)) {
            await connection.closeSession()
            return undefined
          }
          const next = record(before.record)
          const { code, number } = await connection.commit([
            { type: 'set', path, data: next, version: before.version },
            ...(before.heir ? [{ type: 'remove', path: before.heir.path } as const] : []),
            before.leader ? touch(own) : { type: 'create', path: own.path }
          ])
          if (code === CODE.ok) return { record: next, number }
        }
      })
      if (granted === undefined) held.delete(session)
      return granted
    },

    async renew({ session, leaseTime, record, signal }) {
      signal.throwIfAborted()
      const own = held.get(session)
      if (own === undefined) return false
      const isHeld = await within(own, { leaseTime, signal }, async connection => {
        for (;;) {
          const before = record && (await present(connection))
          const next = before?.record !== undefined && record?.(before.record)
          const changes: Change[] = [touch(own)]
          if (before && typeof next === 'string')
            changes.push({ type: 'set', path, data: next, version: before.version })
          const { code } = await connection.commit(changes)
          if (code !== CODE.badVersion) return code === CODE.ok
        }
      })
      if (isHeld !== true) held.delete(session)
      return isHeld === true
    },

    async transfer({ session, heir, leaseTime, signal }) {
      const own = held.get(session)
      if (own === undefined) return
      held.delete(session)
      // The reservation is a child of the session that was the lease. It ends when that session does, one lease time from now.
      const reserve = { type: 'create', path: `${path}/heir:${encodeURIComponent(heir)}` } as const
      await within(own, { leaseTime, signal }, connection =>
        connection.commit([{ type: 'remove', path: own.path }, reserve])
      )
    },

    async release({ session, signal }) {
      const own = held.get(session)
      if (own === undefined) return
      held.delete(session)
      await within(own, { signal }, async connection => {
        await connection.commit([{ type: 'remove', path: own.path }])
        // A request whose answer was lost does nothing any more.
        await connection.closeSession()
      })
    },

    async *watch({ signal }) {
      try {
        while (!signal.aborted) {
          const connection = await reading(signal)
          const seen = connection.changes
          yield stateOf(await orAborted(present(connection, true), signal))
          while (!(await orAborted(connection.changedSince(seen, LOOK_MS), signal)))
            // Without a change this finds out whether ZooKeeper still answers.
            await orAborted(present(connection), signal)
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },

    async close() {
      closed.abort(new Error('the store was closed'))
    }
  }
}

/** @throws ElectionStoreError when ZooKeeper does not keep a session for the lease time */
async function checkTimeout(connection: Connection, leaseTime: number): Promise<void> {
  const { timeout } = connection
  if (timeout === leaseTime) return
  await connection.closeSession()
  const limit = timeout > leaseTime ? 'at least' : 'at most'
  throw new ElectionStoreError(
    `this ZooKeeper keeps a lease for ${limit} ${timeout} ms, not for ${leaseTime} ms: choose such a lease time, or change its tickTime, minSessionTimeout or maxSessionTimeout (by default it allows 2 to 20 ticks of 2 s)`
  )
}

/** A change that changes nothing. It fails if the child is gone. */
function touch({ path }: Own): Change {
  return { type: 'set', path, data: '', version: -1 }
}

function presentOf(
  path: string,
  { data, version, children }: { data: string; version: number; children: readonly string[] }
): Present {
  const present: Present = { leader: undefined, heir: undefined, record: data === '' ? undefined : data, version }
  for (const child of children) {
    const [kind, ...names] = child.split(':').map(decodeURIComponent)
    const [first = '', second = ''] = names
    if (kind === 'leader') present.leader = { session: first, holder: second }
    else if (kind === 'heir') present.heir = { path: `${path}/${child}`, holder: first }
  }
  return present
}

function stateOf({ leader, heir, record }: Present): LeaseState {
  return { holder: leader?.holder, heir: heir?.holder, record, endsIn: undefined }
}
