import { connect as connectSocket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateClusterKey } from '../../src/network/cluster-key.ts'
import { ProcessCluster } from './processes.ts'

describe('a cluster with a key', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(2)
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  const other = { P2P_WORKER_KEY: generateClusterKey() }

  it('a cluster with a key refuses a client with another key: the client exits 4 and reports that', async () => {
    const { code, stderr } = await cluster.run(['status'], { env: other })
    expect(code).toBe(4)
    expect(stderr).toMatch(/refused this key/)
    expect(stderr).not.toContain(other.P2P_WORKER_KEY)
    expect(stderr).not.toContain(cluster.env.P2P_WORKER_KEY)
  })

  it('peers do not admit a peer with another key as a member', async () => {
    const stranger = cluster.join([], { env: other })
    await stranger.ready()
    // A peer without other members of its key leads itself, which shows that it no longer waits for the others.
    await stranger.follows(stranger.id)
    const { stdout } = await cluster.run(['members', '--json'])
    expect(stdout).not.toContain(stranger.id)
    expect(stranger.stderr).toContain(cluster.peers[0]!.addresses[0]!.split('/p2p/')[0])
    expect(stranger.stderr).not.toContain(other.P2P_WORKER_KEY)
    await stranger.end()
  })

  it('a peer with a key survives garbage bytes on its port', async () => {
    const peer = cluster.peers[0]!
    const [, , host, , port] = peer.addresses[0]!.split('/')
    await new Promise<void>((resolve, reject) => {
      const socket = connectSocket({ host: host!, port: Number(port) }, () =>
        socket.write(Buffer.alloc(100_000, 'garbage '))
      )
      socket.on('data', () => {})
      socket.once('close', () => resolve())
      socket.once('error', error =>
        (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? undefined : reject(error)
      )
    })
    const { code } = await cluster.run(['status'])
    expect(code).toBe(0)
    expect(cluster.live).toHaveLength(2)
  })

  it('a peer reports once that a caller lacks the key, for any number and kind of attempts', () => {
    const lines = cluster.peers[0]!.stderr.split('\n').filter(line => line !== '')
    expect(lines.map(line => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'warn', kind: 'key', from: '127.0.0.1' })
    ])
  })

  it('a cluster with a key is not found under another name: the client exits 3 or 4 and reports its attempts', async () => {
    const { code, stderr } = await cluster.run(['status', '--wait', '2s'], { env: { P2P_WORKER_CLUSTER: 'elsewhere' } })
    expect([3, 4]).toContain(code)
    expect(stderr).toContain('elsewhere')
  })
})

describe('without a cluster', () => {
  it('a client without a cluster exits 3 within --wait, and reports its attempts and what to do', async () => {
    const nobody = await ProcessCluster.create()
    const { code, stderr } = await nobody.run(['status', '--wait', '1s', '--bootstrap', '/ip4/127.0.0.1/tcp/9'])
    await nobody.stop()
    expect(code).toBe(3)
    expect(stderr).toContain('/ip4/127.0.0.1/tcp/9')
    expect(stderr).toContain('p2p-worker join')
  })
})
