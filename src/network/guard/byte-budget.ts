import type { PeerIdString } from '../types.ts'

/** A limit of the bytes of each peer that wait here, on all of the peer's channels. */
export class ByteBudget {
  readonly #most: number
  readonly #taken = new Map<PeerIdString, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** The share of one peer. */
  of(peer: PeerIdString): BudgetShare {
    return {
      take: bytes => {
        const taken = (this.#taken.get(peer) ?? 0) + bytes
        if (taken > this.#most) return false
        this.#taken.set(peer, taken)
        return true
      },
      give: bytes => {
        const taken = (this.#taken.get(peer) ?? 0) - bytes
        if (taken > 0) this.#taken.set(peer, taken)
        else this.#taken.delete(peer)
      }
    }
  }
}

export interface BudgetShare {
  /** Takes `bytes` if there is room for them; returns whether there is. */
  take(bytes: number): boolean
  /** Gives `bytes` back. */
  give(bytes: number): void
}
