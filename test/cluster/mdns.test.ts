import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../needs.ts'
import { ProcessCluster } from './processes.ts'

needs('hosts').describe('three peers in a network namespace, without a bootstrap address', () => {
  let cluster: ProcessCluster
  /** A network namespace with only loopback. */
  const namespace = `p2pw-test-${process.pid}`

  beforeAll(async () => {
    execFileSync('ip', ['netns', 'add', namespace])
    execFileSync('ip', ['-n', namespace, 'link', 'set', 'lo', 'up'])
    cluster = await ProcessCluster.create({ wrap: ['ip', 'netns', 'exec', namespace] })
    for (let i = 0; i < 3; i++) cluster.join([], { mdns: true })
    await Promise.all(cluster.peers.map(peer => peer.ready()))
  })

  afterAll(async () => {
    await cluster?.stop()
    execFileSync('ip', ['netns', 'delete', namespace])
  })

  it('peers on one network find each other by mDNS and elect the highest', async () => {
    await cluster.settled()
    expect(new Set(cluster.peers.map(peer => peer.epoch)).size).toBe(1)
  })

  it('peers on one network are found by doctor, which reports that multicast works', async () => {
    const { code, stdout } = await cluster.run(['doctor', '--json'], { mdns: true })
    const { findings } = JSON.parse(stdout) as { findings: { what: string; verdict: string }[] }
    expect(code).toBe(0)
    expect(findings).toContainEqual(expect.objectContaining({ what: 'multicast', verdict: 'fine' }))
    expect(findings).toContainEqual(expect.objectContaining({ what: 'addresses', verdict: 'note' }))
  })

  it('peers on one network are found by a client through mDNS', async () => {
    const { code, stdout } = await cluster.run(['members', '--json'], { mdns: true })
    expect(code).toBe(0)
    for (const peer of cluster.peers) expect(stdout).toContain(peer.id)
  })

  it('peers on one network refuse a client that found them by mDNS and has another key', async () => {
    const { generateClusterKey } = await import('../../src/network/cluster-key.ts')
    const { code } = await cluster.run(['status'], { mdns: true, env: { P2P_WORKER_KEY: generateClusterKey() } })
    expect(code).toBe(4)
  })
})
