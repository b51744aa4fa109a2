/**
 * The rules of the membership. Each is a predicate: which record is newer, which accusation counts, when a peer must refute, and which refusals prove
 * a crash. The core gets the rules as a parameter, so that a test can break a rule and check that the simulation fails.
 */
import type { PeerIdString } from '../../network/types.ts'
import { type Accusation, type SelfRecord, sameContent } from './record.ts'

export interface SwimRules {
  /** Whether `incoming` is newer than `current`. Both are self records of the same member. */
  supersedes(incoming: SelfRecord, current: SelfRecord): boolean
  /** Whether an accusation counts against a member whose newest self record is `record`. */
  counts(accusation: Accusation, record: SelfRecord): boolean
  /** Whether the accusations against the record `current` still count against `incoming`, the newer record of the same member. */
  outlive(incoming: SelfRecord, current: SelfRecord): boolean
  /** Whether the accused member must refute the accusation. `own` is the accused member's own record. */
  mustRefute(accusation: Accusation, own: SelfRecord): boolean
  /** Whether the current record `own` must get a higher incarnation than `heard`, a record that this peer signed in an earlier run. */
  mustGoAbove(heard: SelfRecord, own: SelfRecord): boolean
  /** Whether refusals prove a crash. */
  provesCrash(refusals: Refusals): boolean
}

export interface Refusals {
  /** The members that signed an accusation of the kind `refused`. The set includes this peer if this peer signed one. */
  accusers: ReadonlySet<PeerIdString>
  self: PeerIdString
  /** The live members that could confirm a refusal: all except this peer, the target, and members whose addresses refused this peer. */
  witnesses: readonly PeerIdString[]
}

export const swimRules: SwimRules = {
  supersedes(incoming, current) {
    if (incoming.incarnation !== current.incarnation) return incoming.incarnation > current.incarnation
    // Within one incarnation, `left` is final: a member that returns starts a new incarnation.
    if (current.state === 'left') return false
    return incoming.state === 'left' || incoming.revision > current.revision
  },

  counts(accusation, record) {
    return (
      record.state === 'alive' &&
      accusation.target === record.member &&
      accusation.accuser !== record.member &&
      accusation.incarnation === record.incarnation
    )
  },

  outlive(incoming, current) {
    return incoming.state === 'alive' && incoming.incarnation === current.incarnation
  },

  mustRefute(accusation, own) {
    return swimRules.counts(accusation, own)
  },

  mustGoAbove(heard, own) {
    if (heard.incarnation !== own.incarnation) return heard.incarnation > own.incarnation
    if (heard.state === 'left' || heard.revision > own.revision) return true
    return heard.revision === own.revision && !sameContent(heard, own)
  },

  provesCrash({ accusers, self, witnesses }) {
    if (accusers.size >= 2) return true
    // A refusal needs a second member to confirm it. If no member could confirm it, this peer's own refusal is enough.
    return accusers.has(self) && witnesses.length === 0
  }
}
