import type { ClusterStatus, Peer } from '../api.ts'

/** Asks the leader once for all who want to know at the same time: many that look do not make work for it. */
export class SharedStatus {
  readonly #peer: Pick<Peer, 'status'>
  readonly #signal: AbortSignal
  #asked: Promise<ClusterStatus> | undefined

  constructor(peer: Pick<Peer, 'status'>, signal: AbortSignal) {
    this.#peer = peer
    this.#signal = signal
  }

  /** @throws what `status` of the peer throws */
  get(): Promise<ClusterStatus> {
    this.#asked ??= this.#peer.status({ signal: this.#signal }).finally(() => {
      this.#asked = undefined
    })
    return this.#asked
  }
}
