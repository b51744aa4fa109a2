import type { PeerIdString } from '../../network/types.ts'
import type { Member } from './member.ts'

/**
 * Counts members of which this peer thought wrongly. A run of a member raises its incarnation by one when it refutes; one that begins after a crash goes
 * on two above what it remembers (remember.ts), as does whoever has refuted twice and was heard once: that is taken for a restart, so
 * these numbers are rather too small than too large.
 */
export class Misjudgements {
  /** Members held for suspect that lived: they refuted, or were reached again. */
  falseSuspicions = 0
  /** Members held for dead that had lived all the time: they refuted. */
  falseDeaths = 0
  readonly #self: PeerIdString

  constructor(self: PeerIdString) {
    this.#self = self
  }

  /** What is thought of a member has changed. */
  changed({ id, state, incarnation }: Member, previous: Member | undefined): void {
    if (state !== 'alive' || previous === undefined || id === this.#self || incarnation > previous.incarnation + 1)
      return
    if (previous.state === 'suspect') this.falseSuspicions += 1
    else if (previous.state === 'dead') this.falseDeaths += 1
  }
}
