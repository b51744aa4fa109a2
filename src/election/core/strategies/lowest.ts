/**
 * The lowest PeerId leads, by membership alone: under this strategy it ranks highest. A candidate claims when its membership holds no
 * higher-ranked peer alive, and asks nobody. So an election takes no messages but COORDINATOR. The questions below only find a
 * COORDINATOR that was lost.
 */
import type { ElectionMember } from '../electable-members.ts'
import { Strategy } from './strategy.ts'

export class Lowest extends Strategy {
  override get isFirst(): boolean {
    return !this.peer.rules.waitsForHigher(false) || this.higher.length === 0
  }

  /** The peer that should lead. It knows the leader, even if it does not lead. */
  protected override get toAsk(): readonly ElectionMember[] {
    const highest = this.peer.members.highest()
    return highest === undefined ? [] : [highest]
  }
}
