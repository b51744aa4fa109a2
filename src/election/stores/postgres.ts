/**
 * The lease in PostgreSQL (Debian: postgresql; version 12 or later). The table `p2p_worker_lease` has one row for each cluster. Each
 * change is one conditional UPDATE, so no transaction of a peer that pauses can keep the row locked. A lease ends by the clock of the
 * database.
 */
import type * as Pg from 'pg'
import { ElectionStoreError } from '../../common/errors.ts'
import { requireOptional } from '../../common/optional-packages.ts'
import { atMost, orAborted } from '../../lib/abort.ts'
import type { LeaseState, LeaseStore } from '../store/lease-store.ts'

export interface PostgresLeaseOptions {
  /** The URL of the database. */
  url: string
  cluster: string
}

/** The package of the client, with the version of package.json. */
export const PACKAGES = { pg: '^8.11.0' } as const

const USUAL_MS = 5_000
/** How long the database may take to connect, or to answer a statement, in ms. */
const ANSWER_MS = 2_000
/** The interval at which a watch looks whether its connection still lives, in ms. */
const LOOK_MS = 2_000
/** How long a store that closes waits for its connections to end, in ms. */
const CLOSE_MS = 500
/** The most connections of a store, without the one of its watch. */
const MOST_CONNECTIONS = 4

/** With IF NOT EXISTS alone, peers that create the table at the same time get errors. */
const CREATE = `SELECT pg_advisory_xact_lock(hashtext('p2p_worker_lease')); CREATE TABLE IF NOT EXISTS p2p_worker_lease (
  cluster text PRIMARY KEY,
  session text,
  holder text,
  heir text,
  ends timestamptz NOT NULL DEFAULT 'epoch',
  record text,
  number bigint NOT NULL DEFAULT 0
)`
const ADD = 'INSERT INTO p2p_worker_lease (cluster) VALUES ($1) ON CONFLICT DO NOTHING'
const READ = `SELECT session, holder, heir, record, extract(epoch FROM ends - clock_timestamp())::float8 * 1000 AS remaining
  FROM p2p_worker_lease WHERE cluster = $1`
const ENDS = `ends = clock_timestamp() + $3::float8 * interval '1 ms'`
const IS_HELD = 'session = $2 AND ends > clock_timestamp()'

/** The codes of errors that a repetition does not mend: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const REFUSED = /^28|^3D000$|^3F000$|^42501$/
const UNDEFINED_TABLE = '42P01'

interface Row {
  session: string | null
  holder: string | null
  heir: string | null
  record: string | null
  /** The time until the lease or its reservation ends, in ms. */
  remaining: number
}

/** Returns a store in PostgreSQL. @throws MissingPackageError when the package `pg` is not installed */
export function postgresLease({ url, cluster }: PostgresLeaseOptions): LeaseStore {
  const missing = 'the lease of PostgreSQL needs the package pg, which is not installed'
  const { Client, Pool } = requireOptional(PACKAGES, missing)('pg') as typeof Pg
  const config: Pg.PoolConfig = {
    connectionString: url,
    fallback_application_name: 'p2p-worker',
    connectionTimeoutMillis: ANSWER_MS,
    // The database gives up what waits for the lock of the row, and the client what waits for the database.
    statement_timeout: ANSWER_MS,
    query_timeout: ANSWER_MS
  }
  const pool = new Pool({ ...config, max: MOST_CONNECTIONS, allowExitOnIdle: true })
  // A connection that ends while nobody uses it: the next request opens another one.
  pool.on('error', () => {})

  /** Sends a statement. The database may still carry it out after the signal has aborted. */
  async function ask<R extends Pg.QueryResultRow>(
    to: Pg.Pool | Pg.Client,
    signal: AbortSignal,
    text: string,
    values: readonly unknown[] = []
  ): Promise<R[]> {
    signal.throwIfAborted()
    const answer = to.query<R>(text, [...values])
    return (await orAborted(answer, signal).catch(explain)).rows
  }

  const read = async (signal: AbortSignal, from: Pg.Pool | Pg.Client = pool): Promise<Row | undefined> => {
    const rows = await ask<Row>(from, signal, READ, [cluster]).catch(error => {
      if (codeOf(error) === UNDEFINED_TABLE) return []
      throw error
    })
    return rows[0]
  }

  /** Adds the row of this cluster, or the table if there is none. */
  const add = async (signal: AbortSignal): Promise<void> => {
    try {
      await ask(pool, signal, ADD, [cluster])
    } catch (error) {
      if (codeOf(error) !== UNDEFINED_TABLE) throw error
      await ask(pool, signal, CREATE)
    }
  }

  /**
   * Changes the row if the condition holds, and tells the watches. Resolves with the number of the lease, or with undefined if the
   * condition does not hold. A lease that the database has granted must survive its crash, whatever the default of this database.
   */
  const change = async (
    signal: AbortSignal,
    set: string,
    condition: string,
    ...values: unknown[]
  ): Promise<string | undefined> => {
    const text = `WITH changed AS (UPDATE p2p_worker_lease SET ${set} WHERE cluster = $1 AND ${condition}
      AND set_config('synchronous_commit', 'on', true) = 'on' RETURNING number)
      SELECT number, pg_notify('p2p_worker_lease', $1) FROM changed`
    return (await ask<{ number: string }>(pool, signal, text, [cluster, ...values]))[0]?.number
  }

  return {
    name: 'postgres',
    usualLeaseTime: USUAL_MS,

    async acquire({ holder, session, leaseTime, record, signal }) {
      const set = `number = number + CASE session WHEN $2 THEN 0 ELSE 1 END, session = $2, ${ENDS}, holder = $4, heir = NULL, record = $5`
      const isFree = `(session = $2 OR heir = $4 OR ends <= clock_timestamp()) AND record IS NOT DISTINCT FROM $6`
      for (;;) {
        const row = await read(signal)
        if (row === undefined) {
          await add(signal)
          continue
        }
        if (row.session !== session && row.heir !== holder && row.remaining > 0) return undefined
        const next = record(row.record ?? undefined)
        const number = await change(signal, set, isFree, session, leaseTime, holder, next, row.record)
        if (number !== undefined) return { record: next, number }
      }
    },

    async renew({ session, leaseTime, record, signal }) {
      if (record === undefined) return (await change(signal, ENDS, IS_HELD, session, leaseTime)) !== undefined
      for (;;) {
        const row = await read(signal)
        if (row?.record == null || row.session !== session || row.remaining <= 0) return false
        const set = `${ENDS}, record = $4`
        const values = [session, leaseTime, record(row.record), row.record]
        if ((await change(signal, set, `${IS_HELD} AND record = $5`, ...values)) !== undefined) return true
      }
    },

    async transfer({ session, heir, leaseTime, signal }) {
      await change(signal, `session = NULL, holder = NULL, heir = $4, ${ENDS}`, IS_HELD, session, leaseTime, heir)
    },

    async release({ session, signal }) {
      await change(signal, `session = NULL, holder = NULL, ends = 'epoch'`, IS_HELD, session)
    },

    async *watch({ signal }) {
      const listener = new Client(config)
      let wake = (): void => {}
      listener.on('notification', ({ payload }) => {
        if (payload === cluster) wake()
      })
      // The next request finds the connection closed.
      listener.on('error', () => wake())
      try {
        // The pool has a connection already: most watches only want the present state.
        yield stateOf(await read(signal))
        await orAborted(listener.connect(), signal).catch(explain)
        await ask(listener, signal, 'LISTEN p2p_worker_lease')
        while (!signal.aborted) {
          const changed = new Promise<void>(resolve => {
            wake = resolve
          })
          const state = stateOf(await read(signal, listener))
          yield state
          await orAborted(atMost(changed, Math.min(LOOK_MS, Math.ceil(state.endsIn ?? LOOK_MS))), signal)
        }
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        wake()
        // Without an answer of the database the connection would keep the process alive.
        ;(listener as Pg.Client & { unref(): void }).unref()
        listener.end().catch(() => {})
      }
    },

    async close() {
      await atMost(pool.end(), CLOSE_MS)
    }
  }
}

function stateOf(row: Row | undefined): LeaseState {
  const record = row?.record ?? undefined
  if (row === undefined || row.remaining <= 0) return { holder: undefined, heir: undefined, record, endsIn: undefined }
  return { holder: row.holder ?? undefined, heir: row.heir ?? undefined, record, endsIn: row.remaining }
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}

/** @throws ElectionStoreError when the database refuses this peer, so that no repetition helps */
function explain(error: Error): never {
  // Node tries all addresses of a name. Its error for all of them has no message.
  if (error instanceof AggregateError) throw error.errors[0]
  if (!REFUSED.test(codeOf(error)) && !/^SASL/.test(error.message)) throw error
  throw new ElectionStoreError(
    `PostgreSQL refuses this peer: ${error.message}; check the user, its password, the database, and the right to create the table p2p_worker_lease (postgres://USER:PASSWORD@HOST/DATABASE)`,
    { cause: error }
  )
}
