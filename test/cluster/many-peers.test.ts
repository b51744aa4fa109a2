import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProcessCluster } from './processes.ts'

describe('twenty peers on one machine', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(20)
  })

  afterAll(() => cluster.stop())

  it('twenty peers see each other and follow one leader', async () => {
    await cluster.settled()
    expect(new Set(cluster.peers.map(peer => `${peer.leader} ${peer.epoch}`)).size).toBe(1)
  })

  it('twenty peers compute a job of 10,000 chunks correctly', async () => {
    const { code, stdout } = await cluster.run([
      'run',
      'test/cluster/tasks/squares.ts',
      '--input',
      '{"n":10000}',
      '--json'
    ])
    const { result, stats } = JSON.parse(stdout)
    expect({ code, result, chunks: stats.chunks }).toEqual({ code: 0, result: 333383335000, chunks: 10_000 })
    expect(Object.keys(stats.perPeer).length).toBeGreaterThan(1)
  })
})
