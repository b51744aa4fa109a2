import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { ElectionStoreError } from '../../src/common/errors.ts'
import type { LeaseState, LeaseStore } from '../../src/election/store/lease-store.ts'
import { openStore } from '../../src/election/store/open-store.ts'
import { storeAt } from '../../src/election/stores/stores.ts'
import { zookeeperLease } from '../../src/election/stores/zookeeper.ts'
import { ZooKeeper } from '../../src/election/stores/zookeeper-client.ts'
import { describeLeaseStore } from '../election/store/lease-store-contract.ts'
import { needs } from '../needs.ts'
import { freePorts } from './etcd.ts'
import { StoreProxy } from './store-proxy.ts'
import { kill, ZooKeeperCluster, type ZooKeeperNode } from './zookeeper.ts'

const { describe, it } = needs('zookeeper')

const { signal } = new AbortController()
const SHORT = 2_000
const LONG = 60_000
let paths = 0
const opened: LeaseStore[] = []

function open(servers: readonly Pick<ZooKeeperNode, 'host' | 'port'>[], path = `/lab-${paths}`): LeaseStore {
  const store = zookeeperLease({ servers, path })
  opened.push(store)
  return store
}

const acquire = (store: LeaseStore, session: string, leaseTime = LONG) =>
  store.acquire({ holder: `peer-of-${session}`, session, leaseTime, record: before => `${before ?? ''}+`, signal })

/** Resolves with the next state that `is` accepts. */
async function state(store: LeaseStore, is: (state: LeaseState) => boolean = () => true): Promise<LeaseState> {
  const over = new AbortController()
  try {
    for await (const each of store.watch({ signal: over.signal })) if (is(each)) return each
  } finally {
    over.abort()
  }
  throw new Error('the watch has ended')
}

beforeEach(() => {
  paths += 1
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close?.()
})

describe('ZooKeeper', () => {
  let zookeeper: ZooKeeperCluster

  beforeAll(async () => {
    zookeeper = await ZooKeeperCluster.start(1)
  }, 60_000)

  afterAll(() => zookeeper?.stop())

  describeLeaseStore('zookeeper', async () => ({
    open: () => zookeeperLease({ servers: zookeeper.nodes, path: `/lab-${paths}` }),
    remove: async () => {}
  }))

  it('an address at which nothing listens gets a clear error', async () => {
    const [port] = await freePorts(1)
    const store = await storeAt(`zookeeper:127.0.0.1:${port}`, 'lab')
    const refused = openStore(store, { self: 'a', leaseTime: SHORT, signal: undefined, patience: 500 })
    await expect(refused).rejects.toThrow(ElectionStoreError)
    await expect(refused).rejects.toThrow(
      /zookeeper, does not answer: 127\.0\.0\.1:\d+: connect ECONNREFUSED.*check its address/
    )
    await store.close?.()
  })

  it('a store asks the next server when one does not answer', async () => {
    const [port] = await freePorts(1)
    const store = await storeAt(`zookeeper:127.0.0.1:${port},127.0.0.1:${zookeeper.nodes[0]!.port}`, '..')
    expect(await openStore(store, { self: 'a', leaseTime: SHORT, signal: undefined })).toMatchObject({ epoch: 0 })
    await store.close?.()
  })

  it('a lease time that ZooKeeper does not allow gets an error with the limit, and leaves no lease', async () => {
    const a = open(zookeeper.nodes)
    await expect(acquire(a, 's1', 900)).rejects.toThrow(ElectionStoreError)
    await expect(acquire(a, 's1', 900)).rejects.toThrow('keeps a lease for at least 1000 ms, not for 900 ms')
    await expect(acquire(a, 's1', 60_001)).rejects.toThrow('keeps a lease for at most 60000 ms, not for 60001 ms')
    expect(await state(a)).toMatchObject({ holder: undefined, record: undefined })
  })

  it('a node that others may not change gets a clear error', async () => {
    const a = open(zookeeper.nodes)
    await state(a)
    const { ACL, createClient, Id, Permission } = createRequire(import.meta.url)('node-zookeeper-client')
    const client = createClient(`127.0.0.1:${zookeeper.nodes[0]!.port}`)
    client.connect()
    const readOnly = [new ACL(Permission.READ, Id.ANYONE_ID_UNSAFE)]
    await promisify(client.setACL.bind(client))(`/lab-${paths}`, readOnly, -1)
    client.close()
    await expect(acquire(a, 's1')).rejects.toThrow(ElectionStoreError)
    await expect(acquire(a, 's1')).rejects.toThrow('refuses a change below /p2p-worker: its ACL must permit')
  })

  it('the number of a lease only grows', async () => {
    const a = open(zookeeper.nodes)
    const first = await acquire(a, 's1')
    await a.release({ session: 's1', signal })
    const second = await acquire(a, 's2')
    expect(BigInt(second!.number!)).toBeGreaterThan(BigInt(first!.number!))
  })

  it('after close no socket is left', async () => {
    const sockets = (): number => process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length
    await vi.waitFor(() => expect(sockets()).toBe(0))
    const a = open(zookeeper.nodes)
    await acquire(a, 's1')
    expect(sockets()).toBeGreaterThan(0)
    await a.close!()
    await vi.waitFor(() => expect(sockets()).toBe(0))
  })

  describe('through a proxy', () => {
    let proxy: StoreProxy
    let a: LeaseStore
    let b: LeaseStore

    beforeEach(async () => {
      proxy = await StoreProxy.start(zookeeper.nodes[0]!.port)
      a = open([{ host: '127.0.0.1', port: proxy.port }])
      b = open(zookeeper.nodes)
    })

    afterEach(() => proxy.stop())

    const children = async (): Promise<string[]> => {
      const connection = await new ZooKeeper(zookeeper.nodes).connect({ timeout: SHORT, signal })
      try {
        return (await connection.read(`/lab-${paths}`, false))!.children
      } finally {
        connection.end()
      }
    }
    /** Whether a request is a transaction: its length, its number and its type have 4 bytes each. */
    const isTransaction = (request: Buffer): boolean => request.length > 12 && request.readInt32BE(8) === 14

    it('a grant whose answer is lost makes one node, and its repetition gets the same lease', async () => {
      proxy.loseAnswer(isTransaction)
      await expect(acquire(a, 's1')).rejects.toThrow('it has closed the connection')
      expect(await state(b)).toMatchObject({ holder: 'peer-of-s1', record: '+' })
      expect(await acquire(b, 's2')).toBeUndefined()
      expect(await acquire(a, 's1')).toMatchObject({ record: '++' })
      expect(await children()).toEqual(['leader:s1:peer-of-s1'])
      expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(true)
    })

    it('a grant whose answer is lost can be released, and leaves no node', async () => {
      proxy.loseAnswer(isTransaction)
      await expect(acquire(a, 's1')).rejects.toThrow('it has closed the connection')
      await a.release({ session: 's1', signal })
      expect(await children()).toEqual([])
      expect(await acquire(b, 's2')).toMatchObject({ record: '++' })
    })

    it('a renewal whose answer is lost rejects, and the next one succeeds', async () => {
      await acquire(a, 's1')
      proxy.loseAnswer(isTransaction)
      await expect(a.renew({ session: 's1', leaseTime: LONG, signal })).rejects.toThrow('closed the connection')
      expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(true)
    })

    it('a session that expires while its client is cut off frees the lease, and never gets it back', async () => {
      await acquire(a, 's1', SHORT)
      proxy.hold()
      await state(b, ({ holder }) => holder === undefined)
      await acquire(b, 's2')
      proxy.resume()
      const record = (): string => 'late'
      expect(await a.renew({ session: 's1', leaseTime: SHORT, record, signal })).toBe(false)
      await a.transfer({ session: 's1', heir: 'peer-of-s1', leaseTime: SHORT, signal })
      await a.release({ session: 's1', signal })
      expect(await state(b)).toMatchObject({ holder: 'peer-of-s2', heir: undefined, record: '++' })
      expect(await children()).toEqual(['leader:s2:peer-of-s2'])
    })

    it('a held connection ends a watch with an error, and a request by its signal', async () => {
      const watch = a.watch({ signal })[Symbol.asyncIterator]()
      await watch.next()
      await acquire(a, 's1')
      await watch.next()
      proxy.hold()
      await expect(a.renew({ session: 's1', leaseTime: LONG, signal: AbortSignal.timeout(100) })).rejects.toThrow(
        'aborted due to timeout'
      )
      await expect(a.renew({ session: 's1', leaseTime: LONG, signal })).rejects.toThrow('no answer within 1000 ms')
      await expect(watch.next()).rejects.toThrow(/no answer within 1000 ms/)
      proxy.resume()
      expect(await state(a)).toMatchObject({ holder: 'peer-of-s1' })
    })
  })

  it('a lease goes on after a restart of the server', async () => {
    const [a, b] = [open(zookeeper.nodes), open(zookeeper.nodes)]
    await acquire(a, 's1')
    const [node] = zookeeper.nodes
    await kill(node!)
    await expect(a.renew({ session: 's1', leaseTime: LONG, signal })).rejects.toThrow('ECONNREFUSED')
    await zookeeper.restart(node!)
    expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(true)
    expect(await acquire(b, 's2')).toBeUndefined()
    expect(await state(b)).toMatchObject({ holder: 'peer-of-s1', record: '+' })
  })
})

describe('three servers of ZooKeeper', () => {
  let three: ZooKeeperCluster

  beforeAll(async () => {
    three = await ZooKeeperCluster.start(3)
  }, 60_000)

  afterAll(() => three?.stop())

  it('a renewal lasts for its whole time, even if the server that answered it stops at once', async () => {
    const { leader, followers } = await three.roles()
    const [follower, other] = followers as [ZooKeeperNode, ZooKeeperNode]
    const [a, b] = [open([follower]), open([leader, other])]
    const leaseTime = 2 * SHORT
    expect(await acquire(a, 's1', leaseTime)).toMatchObject({ record: '+' })
    // The leading server has heard of the session for the last time, were it not for the renewal.
    await delay(0.75 * leaseTime)
    const renewed = performance.now()
    expect(await a.renew({ session: 's1', leaseTime, signal })).toBe(true)
    follower.child.kill('SIGSTOP')
    try {
      await state(b, ({ holder }) => holder === undefined)
      expect(performance.now() - renewed).toBeGreaterThan(0.99 * leaseTime)
    } finally {
      follower.child.kill('SIGCONT')
    }
  })

  for (const fault of ['SIGSTOP', 'SIGKILL'] as const)
    it(`a lease goes on, and no other session gets it, when the leading one of three servers gets ${fault}`, async () => {
      const { leader } = await three.roles()
      const [a, b] = [open(three.nodes), open(three.nodes)]
      expect(await acquire(a, 's1')).toMatchObject({ record: '+' })
      leader.child.kill(fault)
      const renews = async () => expect(await a.renew({ session: 's1', leaseTime: LONG, signal })).toBe(true)
      await vi.waitFor(renews, { timeout: 30_000 })
      expect(await acquire(b, 's2')).toBeUndefined()
      if (fault === 'SIGSTOP') leader.child.kill('SIGCONT')
      else await three.restart(leader)
      await a.release({ session: 's1', signal })
      expect(await acquire(b, 's2')).toMatchObject({ record: '++' })
    })
})
