import type { PeerIdString } from '../types.ts'

/** So many bytes at most for each peer, whichever channel they are of. */
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
  /** Takes so many bytes if there is room for them; whether there is. */
  take(bytes: number): boolean
  give(bytes: number): void
}
