import type { Connections } from './connections.ts'
import type { PeerIdString } from './types.ts'

/** How often to look, in ms, unless the timeout is shorter. */
const CHECK = 1_000

export interface IdleConnectionsInit {
  connections: Connections
  /** How long a connection may be idle, in ms. */
  timeout: number
  /** Whether the connections to a peer stay open, however idle they are. */
  isNeeded(peer: PeerIdString): boolean
  /** When a message last went to or came from a peer, by the monotonic clock. */
  usedAt(peer: PeerIdString): number
}

/** Closes connections that are not needed and that nobody has used for a while. */
export class IdleConnections {
  readonly #init: IdleConnectionsInit
  #timer: NodeJS.Timeout | undefined

  constructor(init: IdleConnectionsInit) {
    this.#init = init
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#check(), Math.min(CHECK, this.#init.timeout)).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #check(): void {
    const { connections, timeout, isNeeded, usedAt } = this.#init
    for (const peer of connections.peers()) {
      const openedAt = Math.max(...connections.of(peer).map(({ timeline }) => timeline.open))
      const idle = Math.min(Date.now() - openedAt, performance.now() - usedAt(peer))
      if (idle >= timeout && !isNeeded(peer)) connections.close(peer)
    }
  }
}
