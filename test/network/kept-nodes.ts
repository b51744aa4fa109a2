import type { Node } from '../../src/network/node.ts'

type NodeModule = typeof import('../../src/network/node.ts')

/** The node of libp2p of each peer that was started, by its PeerId: what libp2p keeps to itself is in there. */
export const nodes = new Map<string, Node>()

/** Takes the place of src/network/node.ts, for `vi.mock`. */
export async function keepingNodes(original: () => Promise<NodeModule>): Promise<NodeModule> {
  const real = await original()
  const createNode: NodeModule['createNode'] = async init => {
    const made = await real.createNode(init)
    nodes.set(made.node.peerId.toString(), made.node)
    return made
  }
  return { ...real, createNode }
}
