/**
 * A race for the lease of a store (../../store): each candidate seeks the lease, and the peer that gets it claims. PeerIds do not matter.
 * A candidate gives a live member with a higher priority one round to claim first, so that the leadership need not move a second time.
 */
import type { ElectionMember } from '../electable-members.ts'
import { Strategy } from './strategy.ts'

export class Mutex extends Strategy {
  /** Whether this candidate takes part in the race now. The store decides who may claim. */
  override get isFirst(): boolean {
    return this.higher.length === 0 || !this.peer.rules.waitsForHigher(this.rounds > 0)
  }

  /** One other member. It knows the leader if the COORDINATOR has missed this peer. */
  protected override get toAsk(): readonly ElectionMember[] {
    const other = this.peer.members.highestBut(this.peer.id)
    return other === undefined ? [] : [other]
  }
}
