import { generateKeyPair } from '@libp2p/crypto/keys'
import { onTestFinished } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/common/limits.ts'
import { Guard } from '../../src/network/guard/guard.ts'
import { createNode, type Node } from '../../src/network/node.ts'
import type { KeyRing } from '../../src/network/transport/key-ring.ts'

/** Starts a libp2p node with a peer's transport, but without a peer's protocols. The node stops when the test ends. */
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
