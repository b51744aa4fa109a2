import type { PeerIdString } from '../../network/types.ts'
import type { Member } from './member.ts'

/**
 * Counts the wrong conclusions of this peer. A refutation raises the incarnation of a member by one, a restart after a crash by two (remember.ts).
 * Two refutations count as a restart where only the second was heard, so these numbers are rather too small than too large.
 */
export class Misjudgements {
  /** Live members that were suspected: they refuted, or were reached again. */
  falseSuspicions = 0
  /** Live members that were held dead: they refuted. */
  falseDeaths = 0
  readonly #self: PeerIdString

  constructor(self: PeerIdString) {
    this.#self = self
  }

  /** Takes a change of a member in this peer's view. */
  changed({ id, state, incarnation }: Member, previous: Member | undefined): void {
    if (state !== 'alive' || previous === undefined || id === this.#self || incarnation > previous.incarnation + 1)
      return
    if (previous.state === 'suspect') this.falseSuspicions += 1
    else if (previous.state === 'dead') this.falseDeaths += 1
  }
}
