import { expect, test, vi } from 'vitest'
import { checkElection } from '../../src/api/options.ts'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { mutex } from '../../src/election/store/mutex.ts'
import { MemoryLease } from '../election/store/memory-lease.ts'

const client = new MemoryLease().client()

test('mutex() refuses a store that lacks a method, or whose name is malformed', () => {
  const { renew: _, ...incomplete } = client
  expect(() => mutex(incomplete as never)).toThrow(InvalidOptionError)
  expect(() => mutex(incomplete as never)).toThrow('lacks renew')
  expect(() => mutex({ ...client, name: 'My Store' })).toThrow('1 to 24 characters')
  expect(mutex(client)).toEqual({ strategy: 'mutex', store: client })
})

test('the lease time of a store is at least its own least lease time', async () => {
  const store = { ...client, leastLeaseTime: 2_000, usualLeaseTime: 5_000 }
  expect((await checkElection({ election: mutex(store) })).store).toMatchObject({ leaseTime: 5_000 })
  expect((await checkElection({ election: mutex(store), leaseTime: 2_000 })).store).toMatchObject({ leaseTime: 2_000 })
  await expect(checkElection({ election: mutex(store), leaseTime: 1_999 })).rejects.toThrow('from 2000')
  await expect(checkElection({ election: mutex(client), leaseTime: 499 })).rejects.toThrow('from 500')
})

test('voters do not go with a store, and a lease time needs one of the two', async () => {
  await expect(checkElection({ election: mutex(client), voters: [] })).rejects.toThrow('`voters` go with')
  await expect(checkElection({ leaseTime: 1_000 })).rejects.toThrow('without `voters` or a store')
})

test('an election that does not exist gets an error that names the others', async () => {
  for (const election of ['raft', 'mutex', {}, null])
    await expect(checkElection({ election: election as never })).rejects.toThrow(/must be one of bully, lowest, ring/)
})

test.each([
  ['redis:localhost', /no store "redis".*etcd:URL.*postgres:URL.*zookeeper:HOST.*kubernetes/],
  ['etcd', /"" is no address of etcd/],
  ['etcd:', /"" is no address of etcd/],
  ['etcd:ftp://host', /"ftp:\/\/host" is no address of etcd/],
  ['etcd:http://host:2379/path', /is no address of etcd/],
  ['etcd:http://user:secret@:2379', /"http:\/\/\*\*\*@:2379" is no address/],
  ['postgres', /no URL of PostgreSQL/],
  ['postgres:', /no URL of PostgreSQL.*postgres:\/\/USER/],
  ['postgres:host/database', /no URL of PostgreSQL/],
  ['postgres:mysql://host/database', /no URL of PostgreSQL/],
  ['postgres://user:se/cret@host/database', /^(?!.*cret).*no URL of PostgreSQL.*percent-encoded/],
  ['zookeeper', /"" is no server of ZooKeeper/],
  ['zookeeper:', /"" is no server of ZooKeeper/],
  ['zookeeper:host:2181,', /"" is no server of ZooKeeper/],
  ['zookeeper:host:2181/chroot', /"host:2181\/chroot" is no server/],
  ['zookeeper:host:65536', /"host:65536" is no server/],
  ['zookeeper:user:secret@host', /"\*\*\*@host" is no server/],
  ['kubernetes:lab', /"lab" is no Lease of Kubernetes: give kubernetes:NAMESPACE\/NAME/],
  ['kubernetes:Lab/lease', /"Lab\/lease" is no Lease/],
  ['kubernetes:lab/-lease', /is no Lease/],
  [`kubernetes:lab/${'a.'.repeat(127)}a`, /is no Lease/],
  ['kubernetes:lab/lease/more', /is no Lease/]
])('the address %s of a store gets a clear error without its password', async (election, message) => {
  await expect(checkElection({ election: election as never })).rejects.toThrow(InvalidOptionError)
  await expect(checkElection({ election: election as never })).rejects.toThrow(message)
})

test.each(['postgres://lab:secret@host/database', 'postgres:postgresql://host'])(
  '%s is the address of a store',
  async election => {
    const { store } = await checkElection({ election: election as never })
    expect(store).toMatchObject({ leaseTime: 5_000, store: { name: 'postgres' } })
    await store!.store.close!()
  }
)

test('the address kubernetes can leave out the Lease, or name it', async () => {
  vi.stubEnv('KUBERNETES_API', 'http://127.0.0.1:1')
  try {
    for (const election of ['kubernetes', 'kubernetes:lab/lease', `kubernetes:lab/${'a.'.repeat(126)}a`] as const)
      expect((await checkElection({ election })).store).toMatchObject({ leaseTime: 15_000 })
    await expect(checkElection({ election: 'kubernetes', leaseTime: 999 })).rejects.toThrow('from 1000')
  } finally {
    vi.unstubAllEnvs()
  }
})
