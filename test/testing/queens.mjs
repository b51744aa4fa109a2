// What a user's own test looks like, for node:test: `node --test` runs it in a process of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCluster } from 'p2p-worker/testing'

test('8 queens can be placed in 92 ways, also when the leader goes', async () => {
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
