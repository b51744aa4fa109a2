import type { PeerId, Topology } from '@libp2p/interface'
import type { Node } from './node.ts'

/** The pause (ms) before a disconnected peer is removed. During the pause, libp2p's services look up the peer to clean up their own state. */
const SETTLE = 1_000

export interface Registrar {
  getTopologies(protocol: string): Topology[]
}

/**
 * Removes a peer from libp2p's peer store soon after its last connection has closed. libp2p adds each peer that it has met or failed to dial, but removes
 * no peer. This project has its own address book. Also notifies gossipsub, because libp2p reports only peers that speak gossipsub.
 */
export class PeerStoreCleanup {
  readonly #node: Node
  readonly #registrar: Registrar
  readonly #onError: (where: string, error: Error) => void
  /** The peers to remove at the next tick. */
  #due = new Map<string, PeerId>()
  /** The peers to remove at the tick after the next one. */
  #next = new Map<string, PeerId>()
  #timer: NodeJS.Timeout | undefined

  constructor(node: Node, registrar: Registrar, onError: (where: string, error: Error) => void) {
    this.#node = node
    this.#registrar = registrar
    this.#onError = onError
    node.addEventListener('peer:disconnect', this.#onDisconnect)
    node.addEventListener('peer:update', this.#onUpdate)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#node.removeEventListener('peer:disconnect', this.#onDisconnect)
    this.#node.removeEventListener('peer:update', this.#onUpdate)
  }

  readonly #onDisconnect = ({ detail: peer }: CustomEvent<PeerId>): void => this.#note(peer)

  readonly #onUpdate = ({ detail: { peer } }: CustomEvent<{ peer: { id: PeerId } }>): void => this.#note(peer.id)

  #note(peer: PeerId): void {
    if (this.#isConnected(peer)) return
    this.#next.set(peer.toString(), peer)
    this.#timer ??= setInterval(() => this.#tick(), SETTLE).unref()
  }

  #tick(): void {
    const due = this.#due
    this.#due = this.#next
    this.#next = new Map()
    if (this.#due.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    for (const peer of due.values()) if (!this.#isConnected(peer)) this.#forget(peer)
  }

  #forget(peer: PeerId): void {
    for (const protocol of this.#node.services.pubsub.protocols)
      for (const topology of this.#registrar.getTopologies(protocol)) topology.onDisconnect?.(peer)
    this.#node.peerStore.delete(peer).catch(error => this.#onError(`forgetting ${peer}`, error))
  }

  #isConnected(peer: PeerId): boolean {
    return this.#node.getConnections(peer).length > 0
  }
}
