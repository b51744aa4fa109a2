import type { PeerIdString } from './types.ts'

/** How often to look, in ms, unless the timeout is shorter. */
const CHECK = 1_000

export interface IdleHost {
  /** Connected peers that need not be. */
  spare(): PeerIdString[]
  /** For how many ms nothing was said over the connections to a peer. */
  idleFor(peer: PeerIdString): number
  close(peer: PeerIdString): void
}

/** Closes connections that need not stand and that nobody has used for a while. */
export class IdleConnections {
  readonly #host: IdleHost
  readonly #timeout: number
  #timer: NodeJS.Timeout | undefined

  constructor(host: IdleHost, timeout: number) {
    this.#host = host
    this.#timeout = timeout
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#check(), Math.min(CHECK, this.#timeout)).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #check(): void {
    for (const peer of this.#host.spare()) {
      if (this.#host.idleFor(peer) >= this.#timeout) this.#host.close(peer)
    }
  }
}
