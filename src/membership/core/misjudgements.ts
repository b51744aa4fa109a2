import type { PeerIdString } from '../../network/types.ts'
import type { Member } from './member.ts'

/**
 * Counts the wrong conclusions of this peer. A refutation raises a member's incarnation by one; a restart after a crash raises it by two (remember.ts).
 * If this peer misses the first of two refutations, the second one looks like a restart. So the counts may be too small, but never too large.
 */
export class Misjudgements {
  /** The number of suspicions of members that were alive: the member refuted the accusation, or connected again. */
  falseSuspicions = 0
  /** The number of deaths that this peer declared and that the member refuted. */
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
