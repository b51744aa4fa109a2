import { afterAll, beforeAll, expect, vi } from 'vitest'
import { ElectionStoreError } from '../../src/common/errors.ts'
import { openStore } from '../../src/election/store/open-store.ts'
import { etcdLease } from '../../src/election/stores/etcd.ts'
import { storeAt } from '../../src/election/stores/stores.ts'
import { describeLeaseStore } from '../election/store/lease-store-contract.ts'
import { needs } from '../needs.ts'
import { EtcdCluster, freePorts } from './etcd.ts'

const { describe, it } = needs('etcd')

describe('etcd', () => {
  let etcd: EtcdCluster
  let clusters = 0

  beforeAll(async () => {
    etcd = await EtcdCluster.start(1)
  })

  afterAll(() => etcd?.stop())

  describeLeaseStore('etcd', async () => {
    clusters += 1
    const prefix = `/lab-${clusters}`
    return { open: () => etcdLease({ urls: etcd.nodes.map(({ client }) => client), prefix }), remove: async () => {} }
  })

  const open = async (address: string) =>
    await openStore(await storeAt(address, 'lab'), { self: 'a', leaseTime: 2_000, signal: undefined, patience: 2_000 })

  it('an address at which nothing listens gets a clear error', async () => {
    const [port] = await freePorts(1)
    const opened = open(`etcd:127.0.0.1:${port}`)
    await expect(opened).rejects.toThrow(ElectionStoreError)
    await expect(opened).rejects.toThrow(
      /etcd, does not answer: http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*check its address/
    )
  })

  it('a store asks the next member when one does not answer', async () => {
    const [port] = await freePorts(1)
    expect(await open(`etcd:http://127.0.0.1:${port},${etcd.nodes[0]!.client}`)).toMatchObject({ epoch: 0 })
  })

  for (const fault of ['SIGSTOP', 'SIGKILL'] as const)
    it(`a lease goes on, and no other session gets it, when the leading one of three members gets ${fault}`, async () => {
      const three = await EtcdCluster.start(3)
      try {
        const { signal } = new AbortController()
        const open = () => etcdLease({ urls: three.nodes.map(({ client }) => client), prefix: '/three' })
        const [a, b] = [open(), open()]
        const lease = { leaseTime: 60_000, record: () => 'record', signal }
        await a.acquire({ holder: 'a', session: 's1', ...lease })
        const leader = await three.leader()
        leader.child.kill(fault)
        const renews = async () => expect(await a.renew({ session: 's1', leaseTime: 60_000, signal })).toBe(true)
        await vi.waitFor(renews, { timeout: 30_000 })
        expect(await b.acquire({ holder: 'b', session: 's2', ...lease })).toBeUndefined()
        leader.child.kill('SIGCONT')
        await a.release({ session: 's1', signal })
        expect(await b.acquire({ holder: 'b', session: 's2', ...lease })).toMatchObject({ record: 'record' })
      } finally {
        await three.stop()
      }
    })

  it('wrong credentials get a clear error without the password, and right ones work', async () => {
    const { client } = etcd.nodes[0]!
    const admin = async (path: string, body: object, token?: string): Promise<{ token?: string }> => {
      const headers = token === undefined ? undefined : { authorization: token }
      const answer = await fetch(`${client}/v3/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(answer.ok).toBe(true)
      return (await answer.json()) as { token?: string }
    }
    await admin('auth/user/add', { name: 'root', password: 'secret' })
    await admin('auth/user/grant', { user: 'root', role: 'root' })
    await admin('auth/enable', {})
    try {
      const at = (credentials: string): string => `etcd:${client.replace('//', `//${credentials}`)}`
      const wrong = open(at('root:guess@'))
      await expect(wrong).rejects.toThrow(ElectionStoreError)
      await expect(wrong).rejects.toThrow(/etcd refuses the user root: .*check the user/)
      await expect(wrong).rejects.not.toThrow(/guess/)
      await expect(open(at(''))).rejects.toThrow(/etcd refuses a user without a name/)
      expect(await open(at('root:secret@'))).toMatchObject({ epoch: 0 })
    } finally {
      const { token } = await admin('auth/authenticate', { name: 'root', password: 'secret' })
      await admin('auth/disable', {}, token)
    }
  })
})
