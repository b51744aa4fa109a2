import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { InvalidOptionError, StoppedError } from 'p2p-worker'
import { startCluster, type TestCluster } from 'p2p-worker/testing'
import { expect, test, vi } from 'vitest'

const queens = fileURLToPath(new URL('../../examples/n-queens.ts', import.meta.url))

function ids(cluster: TestCluster): string[] {
  return cluster.peers.map(({ id }) => id).sort()
}

/** The ids of the members that each peer knows. */
function seen(cluster: TestCluster): string[][] {
  return cluster.peers.map(peer =>
    peer
      .members()
      .map(({ id }) => id)
      .sort()
  )
}

test('two test clusters that start at the same time never see each other, and listen on loopback only', async () => {
  const [a, b] = await Promise.all([startCluster({ peers: 2 }), startCluster({ peers: 2 })])
  try {
    expect(seen(a)).toEqual([ids(a), ids(a)])
    expect(seen(b)).toEqual([ids(b), ids(b)])
    for (const peer of [...a.peers, ...b.peers]) {
      expect(peer.addresses()).toEqual([expect.stringMatching(/^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\//)])
    }
    expect(a.peers[0]!.cluster).not.toBe(b.peers[0]!.cluster)
  } finally {
    await Promise.all([a.close(), b.close()])
  }
})

test('a job survives the stop of the leader, and a peer that is added later runs jobs', async () => {
  await using cluster = await startCluster({ peers: 2 })
  const job = await cluster.client.submit(queens, { n: 8 })
  const before = await cluster.untilLeader()
  await cluster.stop(cluster.peers.find(({ id }) => id === before.id)!)
  expect(await job.result()).toMatchObject({ solutions: 92 })

  const added = await cluster.addPeer({ tags: { gpu: 'a100' } })
  expect(ids(cluster)).toContain(added.id)
  expect((await cluster.untilLeader()).epoch).toBeGreaterThan(before.epoch)
  const client = await cluster.connect()
  const there = await client.submit(queens, { n: 6 }, { requires: { gpu: 'a100' } })
  expect(await there.result()).toMatchObject({ solutions: 4 })
  expect(Object.keys(there.stats!.perPeer)).toEqual([added.id])
})

test('close() cancels the jobs of a cluster, and later calls reject', async () => {
  const cluster = await startCluster({ peers: [{ slots: 1 }] })
  const [peer] = cluster.peers
  const states: string[] = []
  peer!.addEventListener('job', ({ detail }) => states.push(detail.state))
  const endless = fileURLToPath(new URL('../jobs/tasks/endless.ts', import.meta.url))
  const job = await cluster.client.submit(endless, 1, { detach: true })
  await vi.waitFor(() => expect(states).toContain('running'))
  await cluster.close()
  expect(states.at(-1)).toBe('cancelled')
  await expect(job.result()).rejects.toThrow()
  await expect(cluster.addPeer()).rejects.toThrow(StoppedError)
  await expect(cluster.connect()).rejects.toThrow(StoppedError)
  await expect(cluster.untilLeader()).rejects.toThrow(StoppedError)
  await expect(peer!.submit(queens, { n: 4 })).rejects.toThrow(StoppedError)
})

test('an aborted signal ends a test cluster with the reason of the signal, during the start and later', async () => {
  const reason = new Error('enough')
  await expect(startCluster({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const early = new AbortController()
  const starting = startCluster({ peers: 2, signal: early.signal })
  early.abort(reason)
  await expect(starting).rejects.toBe(reason)

  const late = new AbortController()
  const cluster = await startCluster({ peers: 1, signal: late.signal })
  late.abort(reason)
  await expect(cluster.untilLeader()).rejects.toBe(reason)
  await cluster.close()
  await expect(cluster.client.submit(queens, { n: 4 })).rejects.toThrow(StoppedError)
})

test('startCluster() refuses invalid options, and stop() refuses a peer of another cluster', async () => {
  for (const peers of [0, 33, 1.5, []]) await expect(startCluster({ peers })).rejects.toThrow(InvalidOptionError)
  await expect(startCluster({ peers: [{}, { slots: -1 }] })).rejects.toThrow(InvalidOptionError)
  await using cluster = await startCluster({ peers: 1 })
  await using other = await startCluster({ peers: 1 })
  await expect(cluster.stop(other.peers[0]!)).rejects.toThrow(InvalidOptionError)
  expect(other.peers).toHaveLength(1)
})

test('a test cluster under node:test lets its process end, and leaves no file in the home folder', async () => {
  const home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  try {
    const { NODE_OPTIONS: _, ...env } = process.env
    const file = fileURLToPath(new URL('./queens.mjs', import.meta.url))
    // `--test` would end a process that still has open handles, so the test runs without it.
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      env: { ...env, HOME: home },
      timeout: 100_000
    })
    expect(stdout).toMatch(/^# pass 1$|ℹ pass 1$/m)
    expect(await readdir(home)).toEqual([])
  } finally {
    await rm(home, { recursive: true })
  }
})
