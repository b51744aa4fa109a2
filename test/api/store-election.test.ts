/** Peers that race for the lease of a store, in one process. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { join } from '../../src/api/peer.ts'
import type { Peer } from '../../src/api/types.ts'
import { mutex } from '../../src/election/store/mutex.ts'
import { MemoryLease } from '../election/store/memory-lease.ts'

const LEASE_MS = 500
const SOON = { timeout: 20_000, interval: 10 }

let lease: MemoryLease
let peers: Peer[]

beforeEach(() => {
  lease = new MemoryLease()
  peers = []
})

afterEach(() => Promise.all(peers.map(peer => peer.leave())))

async function start(store = lease.client(), electionPriority = 0): Promise<Peer> {
  const peer = await join({
    cluster: 'store-election',
    insecure: true,
    listen: ['/ip4/127.0.0.1/tcp/0'],
    mdns: false,
    bootstrap: peers[0]?.addresses() ?? [],
    profile: 'local',
    slots: 1,
    election: mutex(store),
    leaseTime: LEASE_MS,
    electionPriority
  })
  peers.push(peer)
  return peer
}

/** Resolves with the leader that all these peers follow. */
async function leaderOf(...followers: Peer[]): Promise<{ id: string; epoch: number }> {
  return await vi.waitFor(() => {
    const [leader, ...others] = followers.map(peer => peer.leader)
    expect(leader).toBeDefined()
    for (const other of others) expect(other).toEqual(leader)
    return leader!
  }, SOON)
}

test('the peer that gets the lease leads, and the record has its epoch', async () => {
  const all = [await start(), await start(), await start()]
  const leader = await leaderOf(...all)
  expect(lease.state.holder).toBe(leader.id)
  expect(JSON.parse(lease.state.record!)).toMatchObject({ epoch: leader.epoch })
  expect(all[0]!.members().map(({ electorate }) => electorate.split(':')[0])).toEqual(['memory', 'memory', 'memory'])
})

test('a peer shows who leads and for how long, and awaits the hand-offs of its user', async () => {
  const all = [await start(), await start()]
  const { id, epoch } = await leaderOf(...all)
  const leader = all.find(peer => peer.id === id)!
  const other = all.find(peer => peer.id !== id)!
  expect(leader.election).toMatchObject({ isLeader: true, storeNumber: '7', leader: { id, epoch } })
  expect(leader.election.remaining).toBeLessThanOrEqual(LEASE_MS)
  expect(other.election).toMatchObject({ isLeader: false, remaining: 0, storeNumber: undefined })
  const told: string[] = []
  leader.election.onHandOff(async to => void told.push(to))
  leader.election.onHandOff(async () => void told.push('removed'))()
  await leader.leave()
  expect(told).toEqual([other.id])
})

test('leader-only work gets the number of the store', async () => {
  const peer = await start()
  expect(await peer.lead(({ epoch, storeNumber }) => [epoch, storeNumber])).toEqual([1, '7'])
})

test('while the store does not answer no peer leads, and afterwards one leads with a higher epoch', async () => {
  const all = [await start(), await start()]
  const { epoch } = await leaderOf(...all)
  lease.failure = new Error('no route to the store')
  await vi.waitFor(() => expect(all.map(peer => peer.leader)).toEqual([undefined, undefined]), SOON)
  expect((await all[0]!.status()).noLeader).toContain('no peer holds the lease in memory')
  lease.failure = undefined
  expect((await leaderOf(...all)).epoch).toBeGreaterThan(epoch)
})

test('a leader that leaves gives the lease to its heir, and nobody waits for its end', async () => {
  const all = [await start(), await start()]
  const { id } = await leaderOf(...all)
  const leaver = all.find(peer => peer.id === id)!
  const heir = all.find(peer => peer.id !== id)!
  lease.calls.length = 0
  await leaver.leave()
  expect(await leaderOf(heir)).toMatchObject({ id: heir.id })
  expect(lease.calls).toContain('transfer')
  expect((await heir.history()).map(({ leader }) => leader)).toEqual([leaver.id, heir.id])
})

test('a peer with a higher priority takes over once, and peers of one priority leave the leader alone', async () => {
  const first = await start()
  const second = await start()
  const { id } = await leaderOf(first, second)
  const high = await start(lease.client(), 1)
  await vi.waitFor(() => expect(high.leader?.id).toBe(high.id), SOON)
  await leaderOf(first, second, high)
  expect((await high.history()).map(({ leader }) => leader)).toEqual([id, high.id])
})

test('a peer that does not reach the store does not take over, however high it ranks', async () => {
  const first = await start()
  await leaderOf(first)
  const elsewhere = new MemoryLease()
  const client = lease.client()
  let isCut = false
  const high = await start({ ...client, watch: options => (isCut ? elsewhere.client() : client).watch(options) }, 0)
  await leaderOf(first, high)
  isCut = true
  elsewhere.failure = new Error('no route to the store')
  // The next look at the store fails. Then the priority of the peer rises.
  await vi.waitFor(() => expect(elsewhere.calls.length).toBeGreaterThan(1), SOON)
  high.setElectionPriority(9)
  const looks = elsewhere.calls.length
  await vi.waitFor(() => expect(elsewhere.calls.length).toBeGreaterThan(looks + 8), SOON)
  expect(first.leader?.id).toBe(first.id)
  isCut = false
  await vi.waitFor(() => expect(high.leader?.id).toBe(high.id), SOON)
})

test('a job is accepted when the record names the peers that hold it, and the next leader knows the job', async () => {
  const all = [await start(), await start(), await start()]
  const { id } = await leaderOf(...all)
  expect(JSON.parse(lease.state.record!)).toMatchObject({ holders: [] })
  const job = await all[0]!.submit(new URL('../../examples/n-queens.ts', import.meta.url), { n: 8 })
  const { holders } = JSON.parse(lease.state.record!) as { holders: string[] }
  expect(holders[0]).toBe(id)
  expect(new Set(holders)).toEqual(new Set(all.map(peer => peer.id)))
  expect(await job.result()).toMatchObject({ solutions: 92 })
  await all.find(peer => peer.id === id)!.leave()
  const others = all.filter(peer => peer.id !== id)
  await leaderOf(...others)
  const { jobs } = await others[0]!.status()
  expect(jobs.map(({ jobId, state }) => [jobId, state])).toEqual([[job.id, 'completed']])
})

test('a cluster goes on from the epoch in the record, even if all its peers are new', async () => {
  const first = await start()
  await leaderOf(first)
  await first.leave()
  peers = []
  lease.state.record = JSON.stringify({ ...JSON.parse(lease.state.record!), epoch: 5_000_000 })
  const all = [await start(), await start()]
  expect((await leaderOf(...all)).epoch).toBe(5_000_001)
})
