import type { Connection } from '@libp2p/interface'
import { P2pWorkerError } from '../../common/errors.ts'
import type { Guard } from '../guard/guard.ts'
import type { Node } from '../node.ts'
import type { PeerIdString, Protocol, ProtocolHandler, ProtocolSpec } from '../types.ts'
import { BulkWindow } from './bulk-window.ts'
import { PeerProtocol, type ProtocolHost } from './peer-protocol.ts'

export interface ProtocolRegistryInit {
  node: Node
  clusterId: string
  guard: Guard
  /** The limit of the queueing delay that bulk data may cause, in ms. */
  maxQueueing: number
  connection: ProtocolHost['connection']
  onError: ProtocolHost['onError']
}

/** The protocols that the layers above have registered. */
export class ProtocolRegistry implements ProtocolHost {
  readonly self: PeerIdString
  readonly guard: Guard
  readonly connection: ProtocolHost['connection']
  readonly onError: ProtocolHost['onError']
  readonly #init: ProtocolRegistryInit
  readonly #protocols = new Map<string, PeerProtocol<never>>()
  readonly #windows = new WeakMap<Connection, BulkWindow>()

  constructor(init: ProtocolRegistryInit) {
    this.self = init.node.peerId.toString()
    this.guard = init.guard
    this.connection = init.connection
    this.onError = init.onError
    this.#init = init
  }

  register<T>(spec: ProtocolSpec<T>, handler: ProtocolHandler<T>): Protocol<T> {
    const id = `/p2p-worker/${this.#init.clusterId}/${spec.name}/1.0.0`
    if (this.#protocols.has(id)) throw new P2pWorkerError(`the protocol "${spec.name}" is registered already`)
    const protocol = new PeerProtocol<T>(id, this, spec, handler)
    this.#protocols.set(id, protocol as unknown as PeerProtocol<never>)
    const { streams } = this.guard.limits
    this.#init.node
      .handle(id, (stream, connection) => protocol.accept(stream, connection), {
        maxInboundStreams: streams,
        maxOutboundStreams: streams
      })
      .catch(error => this.onError(`registering "${spec.name}"`, error))
    return protocol
  }

  async unregister({ id }: PeerProtocol<never>): Promise<void> {
    this.#protocols.delete(id)
    await this.#init.node.unhandle(id).catch(error => this.onError(`unregistering ${id}`, error))
  }

  window(connection: Connection): BulkWindow {
    const window = this.#windows.get(connection) ?? new BulkWindow(this.#init.maxQueueing)
    this.#windows.set(connection, window)
    return window
  }

  /** Returns the time of the last message to or from `peer` on any protocol, by the monotonic clock. */
  usedAt(peer: PeerIdString): number {
    return Math.max(...[...this.#protocols.values()].map(protocol => protocol.usedAt(peer)))
  }

  /** Ends the channels that the changed allow list no longer permits. */
  recheckAccess(): void {
    for (const protocol of this.#protocols.values()) protocol.recheckAccess()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#protocols.values()].map(protocol => protocol.close()))
  }
}
