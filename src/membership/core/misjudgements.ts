import type { PeerIdString } from '../../network/types.ts'
import type { Member } from './member.ts'

/**
 * Counts the wrong conclusions of this peer. A refutation raises the incarnation of a member by one, a restart after a crash by two (remember.ts).
 * If a peer misses the first of two refutations, they count as a restart, so these counts may be too small, but never too large.
 */
export class Misjudgements {
  /** The number of suspicions of live members, which refuted or were reached again. */
  falseSuspicions = 0
  /** The number of live members that this peer declared dead, and that refuted. */
  falseDeaths = 0
  readonly #self: PeerIdString

  constructor(self: PeerIdString) {
    this.#self = self
  }

  /** Counts a change of a member in this peer's view. */
  changed({ id, state, incarnation }: Member, previous: Member | undefined): void {
    if (state !== 'alive' || previous === undefined || id === this.#self || incarnation > previous.incarnation + 1)
      return
    if (previous.state === 'suspect') this.falseSuspicions += 1
    else if (previous.state === 'dead') this.falseDeaths += 1
  }
}
