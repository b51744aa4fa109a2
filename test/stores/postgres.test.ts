import { spawn } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { ElectionStoreError } from '../../src/common/errors.ts'
import type { LeaseState, LeaseStore } from '../../src/election/store/lease-store.ts'
import { openStore } from '../../src/election/store/open-store.ts'
import { postgresLease } from '../../src/election/stores/postgres.ts'
import { storeAt } from '../../src/election/stores/stores.ts'
import { describeLeaseStore } from '../election/store/lease-store-contract.ts'
import { needs } from '../needs.ts'
import { freePorts } from './etcd.ts'
import { PASSWORD, PostgresServer } from './postgres.ts'

const { describe, it } = needs('postgres')

/** A long lease time, in ms: no lease of this time ends during a test. */
const LONG = 60_000
/** How long after a change a watch yields it if nothing tells the watch, in ms. */
const LOOK = 2_000

describe('PostgreSQL', () => {
  const { signal } = new AbortController()
  const clients: LeaseStore[] = []
  let server: PostgresServer
  let clusters = 0
  let a: LeaseStore
  let b: LeaseStore

  beforeAll(async () => {
    server = await PostgresServer.start()
  }, 60_000)

  afterAll(() => server?.stop())

  beforeEach(() => {
    clusters += 1
    a = client()
    b = client()
  })

  afterEach(async () => {
    vi.useRealTimers()
    for (const client of clients.splice(0)) await client.close!()
  })

  const client = (url = server.url()): LeaseStore => {
    const store = postgresLease({ url, cluster: `lab-${clusters}` })
    clients.push(store)
    return store
  }
  const acquire = (store: LeaseStore, session: string, leaseTime = LONG) =>
    store.acquire({ holder: `peer-of-${session}`, session, leaseTime, record: () => session, signal })
  const open = async (address: string) => {
    const store = await storeAt(address, 'lab')
    clients.push(store)
    return await openStore(store, { self: 'a', leaseTime: 2_000, signal: undefined, patience: 2_000 })
  }
  const until = async (store: LeaseStore, is: (state: LeaseState) => boolean): Promise<LeaseState> => {
    for await (const state of store.watch({ signal })) if (is(state)) return state
    throw new Error('the watch has ended')
  }
  const isFree = ({ holder }: LeaseState): boolean => holder === undefined
  /** The server's process of the newest connection. */
  const newestProcess = async (): Promise<number> => {
    const all = "SELECT pid FROM pg_stat_activity WHERE application_name = 'p2p-worker' ORDER BY backend_start DESC"
    return (await server.sql<{ pid: number }>(all))[0]!.pid
  }

  describeLeaseStore('postgres', async () => ({ open: () => client(), remove: async () => {} }))

  it('an address at which nothing listens gets a clear error', async () => {
    const [port] = await freePorts(1)
    // With two addresses of a name, Node's error has no message of its own.
    const addresses = ['127.0.0.1', '127.0.0.2'].map(address => ({ address, family: 4 }))
    const lookup = (_host: string, _options: object, done: (error: null, found: typeof addresses) => void): void =>
      done(null, addresses)
    vi.spyOn(dns, 'lookup').mockImplementation(lookup as never)
    try {
      for (const host of ['127.0.0.1', 'two.example']) {
        const opened = open(`postgres:postgres://lab:hidden@${host}:${port}/lab`)
        await expect(opened).rejects.toThrow(ElectionStoreError)
        await expect(opened).rejects.toThrow(/postgres, does not answer: .*ECONNREFUSED.*check its address/)
        await expect(opened).rejects.not.toThrow(/hidden/)
      }
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('wrong credentials, an unknown database and a missing right get a clear error without the password', async () => {
    await server.sql(`CREATE ROLE guest LOGIN PASSWORD '${PASSWORD}'`)
    const refused: [string, RegExp][] = [
      [server.url('guest', 'postgres', 'guess'), /password authentication failed for user "guest".*check the user/],
      [server.url('nobody'), /password authentication failed for user "nobody"/],
      [server.url('guest', 'postgres', ''), /refuses this peer: SASL.*password/],
      [server.url('guest', 'nowhere'), /database "nowhere" does not exist/]
    ]
    await server.sql('DROP TABLE IF EXISTS p2p_worker_lease; REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    refused.push([server.url('guest'), /permission denied for schema public.*the right to create the table/])
    for (const [url, message] of refused) {
      const opened = open(url)
      await expect(opened).rejects.toThrow(ElectionStoreError)
      await expect(opened).rejects.toThrow(message)
      await expect(opened).rejects.not.toThrow(/guess|cret/)
    }
    expect(await open(server.address)).toMatchObject({ epoch: 0 })
    await server.sql('GRANT SELECT, INSERT, UPDATE ON p2p_worker_lease TO guest')
    expect(await open(`postgres:${server.url('guest')}`)).toMatchObject({ epoch: 0 })
  })

  it('of eight peers that create the table at the same time one gets the lease', async () => {
    const stores = Array.from({ length: 8 }, () => client())
    for (let round = 0; round < 5; round++) {
      await server.sql('DROP TABLE IF EXISTS p2p_worker_lease')
      const granted = await Promise.all(stores.map((store, i) => acquire(store, `s${i}`)))
      expect(granted.filter(lease => lease !== undefined)).toHaveLength(1)
    }
  })

  it('the number of a lease grows with each session, and stays when a session acquires again', async () => {
    const numbers: (string | undefined)[] = []
    for (const session of ['s1', 's1', 's2']) {
      numbers.push((await acquire(a, session))?.number)
      if (numbers.length === 2) await a.release({ session, signal })
    }
    expect(numbers).toEqual(['1', '1', '2'])
  })

  it('no change of the record is lost when renewals change it at the same time, by several connections', async () => {
    await acquire(a, 's1')
    for (let round = 1; round <= 3; round++) {
      const record = (recorded: string): string => `${recorded}+`
      const renewals = Array.from({ length: 8 }, () => a.renew({ session: 's1', leaseTime: LONG, record, signal }))
      expect(new Set(await Promise.all(renewals))).toEqual(new Set([true]))
      expect((await until(b, () => true)).record).toBe(`s1${'+'.repeat(8 * round)}`)
    }
  })

  it('a lease ends by the clock of the database, whatever the clocks of the peers say', async () => {
    await acquire(a, 's1', 500)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    expect(await acquire(b, 's2')).toBeUndefined()
    vi.setSystemTime(Date.now() - 7_200_000)
    await until(b, isFree)
    expect(await acquire(b, 's2')).toMatchObject({ record: 's2' })
    expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(false)
  })

  it('a release wakes a watch long before its next look', async () => {
    const waits: number[] = []
    let released = 0
    let isListening = false
    await acquire(a, 's0')
    for await (const state of b.watch({ signal })) {
      if (isFree(state)) {
        waits.push(performance.now() - released)
        if (waits.length === 3) break
        await acquire(a, `s${waits.length}`)
      } else if (isListening) {
        released = performance.now()
        await a.release({ session: `s${waits.length}`, signal })
      }
      isListening = true
    }
    expect(Math.max(...waits)).toBeLessThan(LOOK / 4)
  })

  for (const fault of ['SIGTERM', 'SIGSTOP'])
    it(`a watch ends with an error when the process of its connection gets ${fault}`, async () => {
      const states = a.watch({ signal })[Symbol.asyncIterator]()
      // The second state comes by the connection that listens.
      for (let i = 0; i < 2; i++) await states.next()
      const pid = await newestProcess()
      process.kill(pid, fault)
      try {
        await expect(states.next().then(() => states.next())).rejects.toThrow(/connection|timeout/i)
      } finally {
        if (fault === 'SIGSTOP') process.kill(pid, 'SIGCONT')
      }
      expect(await until(a, isFree)).toBeDefined()
    })

  it('a renewal that the database carries out late does not take the lease back from the next session', async () => {
    await acquire(a, 's1', 500)
    const pid = await newestProcess()
    process.kill(pid, 'SIGSTOP')
    try {
      const late = a.renew({ session: 's1', leaseTime: LONG, signal: AbortSignal.timeout(200) })
      await expect(late).rejects.toThrow(/aborted/)
      await until(b, isFree)
      expect(await acquire(b, 's2')).toMatchObject({ record: 's2' })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const late = "query LIKE '%SET ends%' AND state = 'idle'"
    await vi.waitFor(
      async () =>
        expect(await server.sql(`SELECT FROM pg_stat_activity WHERE pid = ${pid} AND ${late}`)).toHaveLength(1),
      10_000
    )
    expect(await until(b, () => true)).toMatchObject({ holder: 'peer-of-s2', record: 's2' })
    // The next request opens another connection.
    expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(false)
  })

  it('a lease is on disk before it is granted, even in a database that confirms earlier by default', async () => {
    await acquire(a, 's1')
    await server.sql(`ALTER DATABASE postgres SET synchronous_commit = off;
      CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('synchronous_commit') <> 'on' THEN RAISE 'not on disk'; END IF; RETURN NEW;
      END $$;
      CREATE TRIGGER look BEFORE UPDATE ON p2p_worker_lease FOR EACH ROW EXECUTE FUNCTION look()`)
    try {
      expect(await client().renew({ session: 's1', leaseTime: LONG, signal })).toBe(true)
    } finally {
      await server.sql('ALTER DATABASE postgres RESET synchronous_commit; DROP FUNCTION look CASCADE')
    }
  })

  it('a request that waits for the lock of the row rejects in time, and one that follows succeeds', async () => {
    await acquire(a, 's1')
    const other = new pg.Client(server.url())
    await other.connect()
    await other.query('BEGIN; LOCK TABLE p2p_worker_lease')
    await expect(a.renew({ session: 's1', leaseTime: LONG, signal })).rejects.toThrow(/timeout/)
    await other.end()
    expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(true)
  })

  it('a store that is closed has no connection left, not even of a watch that has not ended', async () => {
    const over = new AbortController()
    const states = a.watch({ signal: over.signal })[Symbol.asyncIterator]()
    for (let i = 0; i < 2; i++) await states.next()
    const ended = states.next()
    over.abort()
    expect(await ended).toMatchObject({ done: true })
    for (const store of clients.splice(0)) await store.close!()
    const count = "SELECT FROM pg_stat_activity WHERE application_name = 'p2p-worker'"
    await vi.waitFor(async () => expect(await server.sql(count)).toHaveLength(0), 10_000)
  })

  it('a store that is closed does not keep its process alive, even if the database hangs', async () => {
    const module = new URL('../../dist/election/stores/postgres.js', import.meta.url)
    const script = `
      import { once } from 'node:events'
      import { postgresLease } from '${module}'
      const store = postgresLease({ url: process.env.URL, cluster: 'process' })
      const over = new AbortController()
      const states = store.watch({ signal: over.signal })
      for (let i = 0; i < 2; i++) await states.next()
      const ended = states.next()
      console.log('watches')
      await once(process.stdin, 'data')
      process.stdin.destroy()
      over.abort()
      await ended
      await store.close()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, URL: server.url() },
      stdio: ['pipe', 'pipe', 'inherit']
    })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    const found = await server.sql<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'p2p-worker'"
    )
    for (const { pid } of found) process.kill(pid, 'SIGSTOP')
    try {
      const began = performance.now()
      child.stdin.end('end')
      expect(await exited).toEqual([0, null])
      expect(performance.now() - began).toBeLessThan(2_000)
    } finally {
      for (const { pid } of found) process.kill(pid, 'SIGCONT')
    }
  })

  needs('postgres', 'openssl').it('the URL sets TLS as it does for pg', async () => {
    const tls = await PostgresServer.start({ access: 'hostssl all all all scram-sha-256', tls: true })
    try {
      const at = (query: string): string =>
        `${tls.url('postgres', 'postgres', PASSWORD, `localhost:${tls.port}`)}?${query}`
      await expect(open(at('sslmode=disable'))).rejects.toThrow(
        /refuses this peer: no pg_hba.conf entry.*no encryption/
      )
      await expect(open(at('sslmode=verify-full'))).rejects.toThrow(/does not answer: self-signed certificate/)
      expect(await open(at('sslmode=no-verify'))).toMatchObject({ epoch: 0 })
      expect(await open(at(`sslmode=verify-full&sslrootcert=${tls.certificate}`))).toMatchObject({ epoch: 0 })
    } finally {
      await tls.stop()
    }
  })
})
