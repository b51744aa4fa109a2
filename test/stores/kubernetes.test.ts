import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ElectionStoreError } from '../../src/common/errors.ts'
import type { AcquireRequest, LeaseState, LeaseStore } from '../../src/election/store/lease-store.ts'
import { openStore } from '../../src/election/store/open-store.ts'
import { kubernetesLease, leaseName } from '../../src/election/stores/kubernetes.ts'
import { describeLeaseStore } from '../election/store/lease-store-contract.ts'
import { freePorts } from './etcd.ts'
import { KubernetesApi } from './kubernetes-api.ts'

const PLACE = { namespace: 'lab', name: 'lease' }
const HOUR = 3_600_000
/** The lease time of the tests, in ms: the shortest. */
const SHORT = 1_000

function openAt(url: string, options: { wall?: () => number; namespace?: string } = {}): LeaseStore {
  const access = { namespace: 'lab', server: async () => ({ url }) }
  return kubernetesLease({ access, ...PLACE, ...options })
}

describeLeaseStore('kubernetes', async () => {
  const api = await KubernetesApi.start()
  return { open: () => openAt(api.url), remove: () => api.stop() }
})

describe('kubernetes', () => {
  const { signal } = new AbortController()
  let api: KubernetesApi
  let opened: LeaseStore[]
  let a: LeaseStore
  let b: LeaseStore

  beforeEach(async () => {
    api = await KubernetesApi.start()
    opened = []
    a = open()
    b = open()
  })

  afterEach(async () => {
    for (const store of opened) await store.close?.()
    await api.stop()
  })

  const open = (options: { wall?: () => number; namespace?: string } = {}): LeaseStore => {
    const store = openAt(api.url, options)
    opened.push(store)
    return store
  }
  const acquire = (store: LeaseStore, session: string, request: Partial<AcquireRequest> = {}) =>
    store.acquire({ holder: 'peer', session, leaseTime: 60_000, record: () => session, signal, ...request })
  const renew = (store: LeaseStore, session: string, leaseTime = 60_000) => store.renew({ session, leaseTime, signal })
  const lease = () => api.lease('lab', 'lease')
  const lists = (): number => api.verbs.filter(verb => verb === 'list').length
  const free = ({ holder }: LeaseState): boolean => holder === undefined

  /** Follows the states of a store. Returns a function that resolves with the next state that is accepted. */
  async function follow(store: LeaseStore): Promise<(is: (state: LeaseState) => boolean) => Promise<LeaseState>> {
    const states = store.watch({ signal })[Symbol.asyncIterator]()
    await states.next()
    return async is => {
      for (;;) {
        const { value } = await states.next()
        if (is(value)) return value
      }
    }
  }

  it('the Lease shows its holder, its duration in whole seconds, and how often the holder has changed', async () => {
    await acquire(a, 's1', { leaseTime: 1_500 })
    expect(lease()?.spec).toMatchObject({ holderIdentity: 'peer_s1', leaseDurationSeconds: 2, leaseTransitions: 0 })
    await a.release({ session: 's1', signal })
    expect(lease()?.spec).toMatchObject({ holderIdentity: '', leaseTransitions: 0 })
    const next = await acquire(b, 's2')
    expect(lease()?.spec).toMatchObject({ holderIdentity: 'peer_s2', leaseTransitions: 1 })
    expect(next?.number).toBe(lease()?.metadata.resourceVersion)
  })

  it('a renewal goes on from what another client has changed in the Lease, and keeps it', async () => {
    await acquire(a, 's1')
    const { metadata, spec } = lease()!
    const changed = { metadata: { ...metadata, annotations: { ...metadata.annotations, note: 'mine' } }, spec }
    const url = `${api.url}/apis/coordination.k8s.io/v1/namespaces/lab/leases/lease`
    expect((await fetch(url, { method: 'PUT', body: JSON.stringify(changed) })).ok).toBe(true)
    expect(await renew(a, 's1')).toBe(true)
    expect(lease()?.metadata.annotations).toMatchObject({ note: 'mine', 'p2p-worker/record': 's1' })
  })

  it('a new client watches a lease for its whole time before it takes the lease, however old the last renewal is', async () => {
    await acquire(a, 's1', { leaseTime: SHORT })
    const next = await follow(b)
    await next(free)
    const late = open()
    const began = performance.now()
    expect(await acquire(late, 's2')).toBeUndefined()
    await (await follow(late))(free)
    expect(await acquire(late, 's2')).toMatchObject({ record: 's2' })
    expect(performance.now() - began).toBeGreaterThanOrEqual(SHORT)
  })

  it('a peer that has only probed the store takes the lease when its time is over, and does not begin to wait then', async () => {
    await acquire(a, 's1', { leaseTime: 3 * SHORT })
    for await (const _ of b.watch({ signal })) break
    await expect.poll(() => api.watchers).toBe(1)
    await renew(a, 's1', 3 * SHORT)
    const renewed = performance.now()
    const sleeping = await follow(a)
    await sleeping(free)
    // The renewal reached b a moment after a.
    await expect.poll(() => acquire(b, 's2')).toMatchObject({ record: 's2' })
    expect(performance.now() - renewed).toBeLessThan(4 * SHORT)
  })

  it('clients whose wall clocks differ by hours neither take a lease early nor wait longer', async () => {
    const ahead = open({ wall: () => Date.now() + 5 * HOUR })
    const behind = open({ wall: () => Date.now() - 5 * HOUR })
    for (const [holder, other, session] of [
      [ahead, behind, 's1'],
      [behind, ahead, 's2']
    ] as const) {
      await acquire(holder, session, { leaseTime: SHORT })
      const acquired = performance.now()
      expect(await acquire(other, 'other')).toBeUndefined()
      await (await follow(other))(free)
      const granted = await acquire(other, 'other')
      expect(granted).toBeDefined()
      expect(performance.now() - acquired).toBeGreaterThanOrEqual(SHORT)
      expect(performance.now() - acquired).toBeLessThan(3 * SHORT)
      await other.release({ session: 'other', signal })
    }
  })

  it('observers see each renewal of a client whose wall clock stands still', async () => {
    const still = open({ wall: () => 0 })
    await acquire(still, 's1')
    const versions = new Set<string>()
    for (let i = 0; i < 3; i++) {
      expect(await renew(still, 's1')).toBe(true)
      versions.add(lease()!.metadata.resourceVersion)
    }
    expect(versions.size).toBe(3)
  })

  it('a lease whose grant was lost on its way goes to the session that asks again, and to no other', async () => {
    api.lost = 1
    await expect(acquire(a, 's1')).rejects.toThrow()
    expect(await acquire(b, 's2')).toBeUndefined()
    expect(await acquire(a, 's1')).toMatchObject({ record: 's1' })
    api.lost = 1
    await expect(renew(a, 's1')).rejects.toThrow()
    expect(await renew(a, 's1')).toBe(true)
  })

  it('a renewal that the server carries out late does not move the lease back', async () => {
    await acquire(a, 's1', { leaseTime: SHORT })
    const next = await follow(b)
    const carryOut = api.delayWrite()
    const waiting = new AbortController()
    const late = a.renew({ session: 's1', leaseTime: 60_000, signal: waiting.signal })
    await expect.poll(() => api.verbs).toContain('update')
    waiting.abort(new Error('no longer wanted'))
    await expect(late).rejects.toThrow('no longer wanted')
    await next(free)
    const { number } = (await acquire(b, 's2'))!
    carryOut()
    expect(await renew(a, 's1')).toBe(false)
    expect(lease()).toMatchObject({ metadata: { resourceVersion: number }, spec: { holderIdentity: 'peer_s2' } })
  })

  it('a Lease that was deleted goes to no other session until its time is over, and its holder writes it again', async () => {
    await acquire(a, 's1')
    const next = await follow(b)
    api.delete('lab', 'lease')
    expect(await acquire(b, 's2')).toBeUndefined()
    expect(await renew(a, 's1')).toBe(true)
    expect(lease()?.spec.holderIdentity).toBe('peer_s1')
    await renew(a, 's1', SHORT)
    await next(({ endsIn = 0 }) => endsIn < 2 * SHORT)
    api.delete('lab', 'lease')
    await next(free)
    expect(await acquire(b, 's2', { record: recorded => `${recorded}, s2` })).toMatchObject({ record: 's1, s2' })
    expect(await renew(a, 's1')).toBe(false)
  })

  for (const goneInStream of [false, true])
    it(`a watch goes on when the server has forgotten the changes since its version, and says so ${goneInStream ? 'in' : 'instead of'} the stream`, async () => {
      api.goneInStream = goneInStream
      const next = await follow(b)
      const seen = next(({ holder }) => holder !== undefined)
      await expect.poll(() => api.watchers).toBe(1)
      const before = lists()
      api.advance({ compact: true })
      api.endWatches()
      await expect.poll(lists, { timeout: 5_000 }).toBe(before + 1)
      await acquire(a, 's1')
      expect(await seen).toMatchObject({ holder: 'peer', record: 's1' })
    })

  it('bookmarks let a watch go on after the server has forgotten earlier changes', async () => {
    const next = await follow(b)
    const seen = next(({ holder }) => holder !== undefined)
    await expect.poll(() => api.watchers).toBe(1)
    const before = lists()
    api.advance({ bookmark: true, compact: true })
    api.endWatches()
    await expect.poll(() => api.verbs.filter(verb => verb === 'watch').length, { timeout: 5_000 }).toBe(2)
    await acquire(a, 's1')
    expect(await seen).toMatchObject({ holder: 'peer' })
    // The one of `acquire`.
    expect(lists()).toBe(before + 1)
  })

  it('a request waits as long as a busy server asks for, and ends at once when its signal aborts', async () => {
    api.busy = 2
    const began = performance.now()
    expect(await acquire(a, 's1')).toMatchObject({ record: 's1' })
    expect(performance.now() - began).toBeGreaterThan(1_900)
    api.busy = 100
    const waiting = new AbortController()
    const renewal = a.renew({ session: 's1', leaseTime: SHORT, signal: waiting.signal })
    await expect.poll(() => api.busy).toBeLessThan(100)
    const aborted = performance.now()
    waiting.abort(new Error('no longer wanted'))
    await expect(renewal).rejects.toThrow('no longer wanted')
    expect(performance.now() - aborted).toBeLessThan(500)
  })

  it('a server that accepts connections and does not answer is noticed', async () => {
    api.hangs = true
    const watch = b.watch({ signal })[Symbol.asyncIterator]().next()
    await expect(watch).rejects.toThrow(/http:\/\/127\.0\.0\.1:\d+: it has not answered for 5000 ms/)
  }, 10_000)

  it('a watch whose connection hangs ends with an error', async () => {
    const next = await follow(b)
    api.isSilent = true
    await expect(next(() => true)).rejects.toThrow()
  }, 20_000)

  it('a store that is closed watches no more', async () => {
    await follow(a)
    await expect.poll(() => api.watchers).toBe(1)
    await a.close?.()
    // Sooner than the watch would end by itself.
    await expect.poll(() => api.watchers, { timeout: 2_000 }).toBe(0)
  })

  describe('a peer that joins', () => {
    const join = async (store: LeaseStore) =>
      await openStore(store, { self: 'a', leaseTime: SHORT, signal: undefined, patience: 2_000 })

    it('gets a clear error when nothing listens at the address', async () => {
      const [port] = await freePorts(1)
      const joined = join(openAt(`http://127.0.0.1:${port}`))
      await expect(joined).rejects.toThrow(ElectionStoreError)
      await expect(joined).rejects.toThrow(
        /kubernetes, does not answer: http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*check its address/
      )
    })

    it('gets a clear error when the server does not know it', async () => {
      api.token = 'right'
      await expect(join(a)).rejects.toThrow(ElectionStoreError)
      await expect(join(a)).rejects.toThrow(/answers 401, Unauthorized: check the service account/)
    })

    for (const verb of ['list', 'create', 'watch', 'update'] as const)
      it(`gets a clear error when it may not ${verb} leases`, async () => {
        api.forbidden.add(verb)
        const fails = {
          list: () => join(a),
          create: () => join(a),
          watch: async () => await (await follow(a))(() => false),
          update: async () => {
            await acquire(a, 's1')
            await renew(a, 's1')
          }
        }[verb]()
        await expect(fails).rejects.toThrow(
          `cannot ${verb} resource "leases": permit list, watch, create and update of leases (coordination.k8s.io) in the namespace lab`
        )
      })

    it('gets a clear error when the namespace does not exist, or the server is none of Kubernetes', async () => {
      await expect(join(open({ namespace: 'nowhere' }))).rejects.toThrow(
        /namespaces "nowhere" not found: check that this is an API server of Kubernetes, and that the namespace nowhere exists/
      )
      const elsewhere = openAt(`${api.url}/elsewhere`)
      await expect(join(elsewhere)).rejects.toThrow(/answers 404.*check that this is an API server/)
    })
  })

  it.each([
    ['lab', 'p2p-worker-lab'],
    ['Lab', 'p2p-worker-lab-efdcf466'],
    ['my_lab.', expect.stringMatching(/^p2p-worker-my-lab--[0-9a-f]{8}$/)]
  ])('the cluster %s has a Lease with a valid name of its own', (cluster, name) => {
    expect(leaseName(cluster)).toEqual(name)
  })
})
