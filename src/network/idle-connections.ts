import type { Connections } from './connections.ts'
import type { PeerIdString } from './types.ts'

/** The interval (ms) between two checks, unless the timeout is shorter. */
const CHECK = 1_000

export interface IdleConnectionsInit {
  connections: Connections
  /** The time (ms) that a connection may be idle. */
  timeout: number
  /** Returns whether the connections to a peer must stay open even when they are idle. */
  isNeeded(peer: PeerIdString): boolean
  /** Returns the time of the last message to or from a peer, by the monotonic clock. */
  usedAt(peer: PeerIdString): number
}

/** Closes connections that are neither needed nor used for a while. */
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
