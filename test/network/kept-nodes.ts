import type { Node } from '../../src/network/node.ts'

type NodeModule = typeof import('../../src/network/node.ts')

/** The libp2p node of each started peer by its PeerId, which gives tests access to what libp2p hides. */
export const nodes = new Map<string, Node>()

/** Replaces src/network/node.ts, for `vi.mock`. */
export async function keepingNodes(original: () => Promise<NodeModule>): Promise<NodeModule> {
  const real = await original()
  const createNode: NodeModule['createNode'] = async init => {
    const made = await real.createNode(init)
    nodes.set(made.node.peerId.toString(), made.node)
    return made
  }
  return { ...real, createNode }
}
