import { generateKeyPair } from '@libp2p/crypto/keys'
import { onTestFinished } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/common/limits.ts'
import { Guard } from '../../src/network/guard/guard.ts'
import { createNode, type Node } from '../../src/network/node.ts'
import type { KeyRing } from '../../src/network/transport/key-ring.ts'

/** A peer's node of libp2p without the peer: nothing above it speaks. It stops with the test. */
export async function bareNode(clusterId: string, keys?: KeyRing): Promise<Node> {
  const { node } = await createNode({
    privateKey: await generateKeyPair('Ed25519'),
    clusterId,
    guard: new Guard(DEFAULT_LIMITS, keys, () => {}),
    listen: [],
    topics: new Set()
  })
  onTestFinished(() => node.stop())
  await node.start()
  return node
}
