import { BoundedMap } from '../../lib/bounded-map.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import type { MemberMetadata } from './member.ts'
import { type Accusation, type SelfRecord, type Sign, type Signed, sameContent } from './record.ts'
import type { SwimRules } from './rules.ts'

/** The limit of own records that are kept. A peer that is alone may change its record any number of times. */
const MOST_MADE = 100

export interface OwnRecordInit {
  self: PeerIdString
  metadata: MemberMetadata
  /** The first incarnation. Default 0. */
  incarnation?: number | undefined
  sign: Sign
  profile: Profile
  rules: SwimRules
  /** Adds a new own record to the table of this peer. */
  learn: (own: Signed<SelfRecord>) => void
  gossip: (own: Signed<SelfRecord>) => void
  /** Another member has a newer record of this peer, which this process did not make. */
  outdated: () => void
}

/** The self record of this peer. A peer raises its incarnation to refute an accusation (SWIM §4.2), and to exceed a record of an earlier run. */
export class OwnRecord {
  /** The number of refutations. */
  refutations = 0
  readonly #init: OwnRecordInit
  #signed: Signed<SelfRecord>
  #gossipedAt = Number.NEGATIVE_INFINITY
  #refutedAt = Number.NEGATIVE_INFINITY
  /** Whether this peer was accused again shortly after a refutation. In that case it refutes again in the next period. */
  #mustRefute = false
  #isIntroduced = false
  readonly #firstIncarnation: number
  /** The newest records of this run, by incarnation and revision, until another member has told what it knows of this peer. */
  #made: Map<string, SelfRecord> | undefined = new BoundedMap(MOST_MADE)

  constructor(init: OwnRecordInit) {
    this.#init = init
    const { self: member, metadata, incarnation = 0 } = init
    this.#signed = init.sign({ type: 'self', member, state: 'alive', incarnation, revision: 0, metadata })
    this.#firstIncarnation = incarnation
    this.#keep()
  }

  get signed(): Signed<SelfRecord> {
    return this.#signed
  }

  get record(): SelfRecord {
    return this.#signed.record
  }

  get hasLeft(): boolean {
    return this.record.state === 'left'
  }

  /** Changes the record, raises the revision and gossips the record. */
  update(change: Pick<Partial<SelfRecord>, 'state' | 'metadata'>, now: number): void {
    this.#change({ ...change, revision: this.record.revision + 1 }, now)
  }

  gossip(now: number): void {
    this.#gossipedAt = now
    this.#init.gossip(this.#signed)
  }

  /** Gossips the record again for members that have missed the record. Does nothing if the record was gossiped a moment ago. */
  repeat(now: number): void {
    if (now - this.#gossipedAt >= this.#init.profile.probeTimeout) this.gossip(now)
  }

  /** Gossips the record for the first time as soon as another live member can spread the record. */
  introduce(liveOthers: number, now: number): void {
    if (this.#isIntroduced || liveOthers === 0) return
    this.#isIntroduced = true
    this.gossip(now)
  }

  /** Handles an accusation against this peer. Returns whether this peer refuted the accusation at once. */
  onAccused(accusation: Accusation, now: number): boolean {
    if (!this.#init.rules.mustRefute(accusation, this.record)) return false
    this.#mustRefute = true
    // Wait a moment after a refutation. No honest member knows the new incarnation yet, but a liar may accuse future incarnations in advance.
    return now - this.#refutedAt >= this.#init.profile.probeTimeout && this.refuteIfDue(now)
  }

  refuteIfDue(now: number): boolean {
    if (!this.#mustRefute) return false
    this.#mustRefute = false
    this.#refutedAt = now
    this.refutations += 1
    this.#raise(this.record.incarnation + 1, now)
    // A peer that was cut off refutes before gossip works again. So the peer gossips the record again in the next period.
    this.#isIntroduced = false
    return true
  }

  /** The first push-pull has brought what another member knows of this peer. Returns false if an earlier one has. */
  meet(): boolean {
    const isFirst = this.#made !== undefined
    this.#made = undefined
    return isFirst
  }

  /** Handles a self record of this peer that another member sent. Returns whether the received record is outdated. */
  onHeard(heard: SelfRecord, now: number): boolean {
    const { rules } = this.#init
    const isHigher = rules.mustGoAbove(heard, this.record)
    if (isHigher || this.#isOfNewerRun(heard)) this.#init.outdated()
    if (isHigher) this.#raise(heard.incarnation + 1, now)
    return rules.supersedes(this.record, heard)
  }

  /**
   * Whether a newer run made a record that is not above the present one: this run may have changed its record, or refuted, before it heard of that run. An
   * earlier run has used no incarnation of this run.
   */
  #isOfNewerRun(heard: SelfRecord): boolean {
    if (this.#made === undefined || heard.incarnation < this.#firstIncarnation) return false
    const own = this.#made.get(versionOf(heard))
    return own === undefined || !sameContent(own, heard)
  }

  #keep(): void {
    this.#made?.set(versionOf(this.record), this.record)
  }

  #raise(incarnation: number, now: number): void {
    this.#change({ incarnation, revision: 0 }, now)
  }

  #change(change: Partial<SelfRecord>, now: number): void {
    this.#signed = this.#init.sign<SelfRecord>({ ...this.record, ...change })
    this.#keep()
    this.#init.learn(this.#signed)
    this.gossip(now)
  }
}

function versionOf({ incarnation, revision }: SelfRecord): string {
  return `${incarnation}.${revision}`
}
