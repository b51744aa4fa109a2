import type { PeerIdString } from '../types.ts'

/** A limit of the unhandled bytes of each peer, over all channels of the peer. */
export class ByteBudget {
  readonly #most: number
  readonly #taken = new Map<PeerIdString, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Returns the share of one peer. */
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
  /** Takes `bytes` from the budget if they fit. Returns whether they fit. */
  take(bytes: number): boolean
  /** Returns `bytes` to the budget. */
  give(bytes: number): void
}
