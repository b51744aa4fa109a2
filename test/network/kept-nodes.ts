import type { Node } from '../../src/network/node.ts'

type NodeModule = typeof import('../../src/network/node.ts')

/** The libp2p node of each started peer, by the PeerId of the peer. Tests read the internal state of libp2p through these nodes. */
export const nodes = new Map<string, Node>()

/** Wraps src/network/node.ts for `vi.mock`, so that each started node is added to {@link nodes}. */
export async function keepingNodes(original: () => Promise<NodeModule>): Promise<NodeModule> {
  const real = await original()
  const createNode: NodeModule['createNode'] = async init => {
    const made = await real.createNode(init)
    nodes.set(made.node.peerId.toString(), made.node)
    return made
  }
  return { ...real, createNode }
}
