/** Sends hostile bytes to a peer: on every stream, from a node that has the cluster's key, and on plain sockets. */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stream } from '@libp2p/interface'
import { multiaddr } from '@multiformats/multiaddr'
import { clusterIdentity, parseClusterKey } from '../../src/network/cluster-key.ts'
import type { Node } from '../../src/network/node.ts'
import { hintOf, KeyRing } from '../../src/network/transport/key-ring.ts'
import { mutateBytes } from '../fuzz/mutate-bytes.ts'
import type { Random } from '../fuzz/random.ts'
import { bareNode } from '../network/bare-node.ts'

/** The longest that a socket without a valid handshake may stay open, in ms: the handshake limit and a margin. */
const SOCKET_LIMIT = 20_000
/** How long a stream is observed, in ms, because some hostile bytes could be the beginning of a message. */
const STREAM_LIMIT = 500

/** Returns the key ring of a cluster. */
export function ringOf(cluster: string, key: string): KeyRing {
  return new KeyRing(clusterIdentity(cluster, parseClusterKey(key)).psks)
}

/** Sends bytes to a peer's port in pieces. Resolves to true if the peer ended the connection in time. */
export async function knock(port: number, bytes: Uint8Array, random: Random): Promise<boolean> {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise<boolean>(resolve => socket.once('close', () => resolve(true)))
  socket.resume()
  for (let at = 0; at < bytes.length && !socket.destroyed; ) {
    const piece = 1 + random.below(bytes.length)
    socket.write(bytes.subarray(at, at + piece))
    at += piece
    if (random.chance(0.2)) await delay(random.below(5))
  }
  const limit = new AbortController()
  const isClosed = await Promise.race([closed, delay(SOCKET_LIMIT, false, { signal: limit.signal }).catch(() => false)])
  limit.abort()
  socket.destroy()
  return isClosed
}

/** Returns the first bytes on a socket: random bytes, the hint of the key, or the hint followed by bytes that resemble a handshake. */
export function opening(ring: KeyRing, random: Random): Uint8Array {
  const sizes = [0, 1, 31, 32, 33, 72, 500, 20_000]
  if (random.chance(0.4)) return random.bytes(random.pick(sizes))
  const hint = Uint8Array.from(hintOf(ring.first))
  if (random.chance(0.4)) return mutateBytes(hint, random)
  return Buffer.concat([hint, random.bytes(24 + random.pick(sizes))])
}

/** A libp2p node with the cluster's key, connected to a peer. */
export class HostileNode {
  readonly #node: Node
  readonly #address: string

  private constructor(node: Node, address: string) {
    this.#node = node
    this.#address = address
  }

  static async start(cluster: string, key: string, address: string): Promise<HostileNode> {
    const { clusterId, psks } = clusterIdentity(cluster, parseClusterKey(key))
    const node = await bareNode(clusterId, new KeyRing(psks))
    await node.dial(multiaddr(address))
    return new HostileNode(node, address)
  }

  /** Asks the peer for its protocols. */
  async protocols(): Promise<string[]> {
    const connection = await this.#node.dial(multiaddr(this.#address))
    const { protocols } = await this.#node.services.identify.identify(connection)
    return protocols
  }

  /** Sends bytes on a new stream. Resolves with the state of the stream afterwards, or with `shut out` if the peer blocks this node. */
  async say(protocol: string, pieces: readonly Uint8Array[]): Promise<'closed' | 'open' | 'shut out'> {
    const connection = await this.#node.dial(multiaddr(this.#address)).catch(() => undefined)
    if (connection === undefined) return 'shut out'
    let stream: Stream
    try {
      stream = await connection.newStream(protocol, { maxOutboundStreams: 1_000 })
    } catch {
      return 'closed'
    }
    const closed = new Promise<'closed'>(resolve => {
      stream.addEventListener('close', () => resolve('closed'), { once: true })
      stream.addEventListener('end', () => resolve('closed'), { once: true })
    })
    try {
      for (const piece of pieces) stream.send(piece)
    } catch {
      // The peer closed the socket before everything was sent.
    }
    const outcome = await Promise.race([closed, delay(STREAM_LIMIT, 'open' as const)])
    stream.abort(new Error('enough'))
    return outcome
  }

  async stop(): Promise<void> {
    await this.#node.stop()
  }
}
