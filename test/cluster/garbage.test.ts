import { randomFillSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseClusterKey } from '../../src/network/cluster-key.ts'
import { createNetwork } from '../../src/network/network.ts'
import type { Codec, Network } from '../../src/network/types.ts'
import { ProcessCluster } from './processes.ts'

/** A codec that sends bytes unchanged, so that a member can send bytes that are no message. */
const raw: Codec<Uint8Array> = { encode: bytes => bytes, decode: bytes => bytes }

function garbage(size: number): Uint8Array {
  return randomFillSync(new Uint8Array(size))
}

describe('a member that sends garbage', () => {
  let cluster: ProcessCluster
  let liar: Network

  beforeAll(async () => {
    cluster = await ProcessCluster.start(2)
    await cluster.settled()
    liar = await createNetwork({
      cluster: 'test',
      key: parseClusterKey(cluster.env.P2P_WORKER_KEY!),
      listen: [],
      bootstrap: [cluster.peers[0]!.addresses[0]!],
      mdns: false
    })
    await new Promise(resolve => liar.addEventListener('connected', resolve, { once: true }))
  })

  afterAll(async () => {
    await liar?.stop()
    await cluster?.stop()
  })

  it.each(['swim', 'election', 'attach', 'work', 'submit', 'overview'])(
    'a peer closes the %s stream of a member that sends garbage, and the cluster continues',
    async name => {
      const protocol = liar.register({ name, codec: raw, maxMessageBytes: 1 << 20 }, { onMessage() {} })
      const victim = cluster.peers[0]!
      for (const size of [1, 40, 5_000]) {
        const channel = await protocol.channel(victim.id)
        const closed = new Promise<void>(resolve => {
          if (channel.closed.aborted) resolve()
          channel.closed.addEventListener('abort', () => resolve(), { once: true })
        })
        // A single random message can be valid by chance, but a hundred random messages cannot.
        for (let i = 0; i < 100 && !channel.closed.aborted; i++) await channel.send(garbage(size)).catch(() => {})
        await closed
      }
      await protocol.close()
      expect(cluster.live).toHaveLength(2)
      const { code, stdout } = await cluster.run(['members', '--json'])
      expect(code).toBe(0)
      expect(stdout).not.toContain(liar.self)
      // The victim writes a single line about the garbage, however many protocols received garbage, and logs nothing else.
      const lines = victim.stderr.trim().split('\n')
      expect(lines.map(line => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: 'warn', from: liar.self, kind: 'message' })
      ])
    }
  )
})
