import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_LIMITS, type LimitName } from '../../src/common/limits.ts'
import { join, type Peer } from '../../src/index.ts'
import { until } from '../network/until.ts'
import { FLOODS, Flooder } from './flooder.ts'

/** Limits that are so low that even a short flood exceeds them. The honest peers of this test send far fewer messages. */
const limits = {
  ...Object.fromEntries(
    (Object.keys(DEFAULT_LIMITS) as LimitName[])
      .filter(name => name.endsWith('Burst') && name !== 'recordBurst')
      .map(name => [name, name === 'jobBurst' ? 20 : 500])
  ),
  // Each accepted job costs the start of a thread.
  jobRate: 20,
  floodTolerance: 20,
  floodPauseMs: 500
}
const task = fileURLToPath(new URL('tasks/squares.ts', import.meta.url))
const N = 400
const expected = (N * (N + 1) * (2 * N + 1)) / 6

let peers: Peer[]
let flooder: Flooder
/** Suspicions and deaths of honest peers, as reported by other peers. */
const verdicts: string[] = []
let leaders = 0

beforeAll(async () => {
  peers = []
  for (let i = 0; i < 3; i++) {
    const bootstrap = peers.flatMap(peer => peer.addresses().slice(0, 1))
    const listen = ['/ip4/127.0.0.1/tcp/0']
    // The first peer has the highest rank, so it remains the leader.
    const electionPriority = i === 0 ? 1 : 0
    const own = { slots: 1, electionPriority, limits }
    peers.push(await join({ cluster: 'floods', insecure: true, mdns: false, listen, bootstrap, ...own }))
  }
  await until(() => peers.every(peer => peer.leader?.id === peers[0]!.id))
  await until(() => peers.every(peer => peer.members().length === 3))
  const honest = new Set(peers.map(({ id }) => id))
  for (const peer of peers) {
    peer.addEventListener('member', ({ detail: { id, state } }) => {
      if (honest.has(id) && state === 'dead') verdicts.push(`${peer.id} takes ${id} for ${state}`)
    })
    peer.addEventListener('leader', () => void leaders++)
  }
  flooder = await Flooder.start(
    'floods',
    undefined,
    peers.flatMap(peer => peer.addresses().slice(0, 1))
  )
  await until(() => peers.every(peer => peer.members().some(({ id }) => id === flooder.id)))
})

afterAll(async () => {
  await flooder?.stop()
  await Promise.all((peers ?? []).map(peer => peer.leave()))
})

test.each(FLOODS)('a flood of %s is refused, and the job of the honest peers has the exact result', async kind => {
  const [leader, , other] = peers as [Peer, Peer, Peer]
  const before = leader.refusals().rate
  // A flood of gossip is slower, because each gossip message must be signed on the single thread that all peers share.
  const perSecond = kind.startsWith('gossip') ? 2_000 : 20_000
  const over = new AbortController()
  const flood = flooder.flood(kind, leader.id, { perSecond, signal: over.signal })
  try {
    for (let i = 0; i < 2; i++) {
      const job = await other.submit<{ n: number }, number>(task, { n: N })
      expect(await job.result()).toBe(expected)
    }
    await expect.poll(() => leader.refusals().rate).toBeGreaterThan(before)
  } finally {
    over.abort()
    await flood
  }
  expect(verdicts).toEqual([])
  expect(leaders).toBe(0)
  const { chunk, forged, epoch, slow } = leader.refusals()
  expect({ chunk, forged, epoch, slow }).toEqual({ chunk: 0, forged: 0, epoch: 0, slow: 0 })
  // Honest peers refuse no messages of each other.
  for (const peer of peers.slice(1))
    expect(peer.refusals()).toMatchObject({ chunk: 0, journal: 0, slow: 0, message: 0 })
})
