// An example of a user's own test for node:test: `node --test` runs it in its own process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCluster } from 'p2p-worker/testing'

test('8 queens have 92 solutions, even if the leader stops', async () => {
  const cluster = await startCluster({ peers: 2 })
  try {
    const job = await cluster.client.submit(new URL('../../examples/n-queens.ts', import.meta.url), { n: 8 })
    const { id } = await cluster.untilLeader()
    await cluster.stop(cluster.peers.find(peer => peer.id === id))
    assert.deepEqual(await job.result(), { n: 8, solutions: 92, verified: true })
  } finally {
    await cluster.close()
  }
})
