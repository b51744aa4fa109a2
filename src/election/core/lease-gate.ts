import type { PeerIdString } from '../../network/types.ts'
import type { GoAhead } from './messages.ts'
import { Part } from './part.ts'

/** Under leases: seeks the lease before a claim, and releases the lease when this peer no longer wants to lead. */
export class LeaseGate extends Part {
  /** Whether this peer seeks or holds the lease. */
  #isSought = false
  /** The go-ahead of a leader that stopped, kept while this peer seeks the lease. */
  goAhead: GoAhead | undefined

  seek(): void {
    if (this.#isSought) return
    this.#isSought = true
    this.outbox.push({ type: 'seek', above: this.peer.newestEpoch })
  }

  /** `heir`: the peer that gets the lease next. Default: any peer. */
  release(heir?: PeerIdString): void {
    if (!this.#isSought) return
    this.#isSought = false
    this.outbox.push({ type: 'release', heir })
  }

  /** Handles the grant of the lease. */
  granted(): void {
    this.#isSought = true
  }

  /** Handles the end of the lease. */
  lost(): void {
    this.#isSought = false
  }
}
