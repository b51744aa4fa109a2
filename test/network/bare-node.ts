import { generateKeyPair } from '@libp2p/crypto/keys'
import { onTestFinished } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/common/limits.ts'
import { Admission } from '../../src/network/guard/admission.ts'
import { createNode, type Node } from '../../src/network/node.ts'
import type { KeyRing } from '../../src/network/transport/key-ring.ts'

/** A peer's node of libp2p without the peer: nothing above it speaks. It stops with the test. */
export async function bareNode(clusterId: string, keys?: KeyRing): Promise<Node> {
  const node = await createNode({
    privateKey: await generateKeyPair('Ed25519'),
    clusterId,
    keys,
    admission: new Admission(),
    onKey: () => {},
    onRefused: () => {},
    listen: [],
    gater: {},
    gossipScore: () => 0,
    limits: DEFAULT_LIMITS,
    topics: new Set(),
    onComponents: () => {}
  })
  onTestFinished(() => node.stop())
  await node.start()
  return node
}
