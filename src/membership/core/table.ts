/** The members that one peer knows. The peer concludes the state of each member from the record of the member and from accusations. */
import { DEFAULT_LIMITS } from '../../common/limits.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import { isLive, type Member, type MemberState } from './member.ts'
import type { SyncEntry } from './messages.ts'
import { type Accusation, type SelfRecord, type Signed, sameContent } from './record.ts'
import type { SwimRules } from './rules.ts'
import { CONFIRMATIONS, Suspicions, suspicionTimeout } from './suspicion.ts'

/** The limit of accusations that are kept for each member. Two refusals prove a crash, and further accusers do not shorten the time to refute. */
const MAX_ACCUSATIONS = 1 + CONFIRMATIONS

/** The limit of members: twice the size of the largest cluster. The limit bounds the memory when a peer announces members that do not exist. */
export const MAX_MEMBERS = DEFAULT_LIMITS.members

/** The limit of the entries of a push-pull, for some 5,000 members. The limit is well below the limit of the codec. */
const MAX_SYNC_BYTES = 4 * 1024 * 1024
const MAX_SYNC_ENTRIES = 8_000
/** The bytes of a signature (64) and of the framing of the signature. */
const ENVELOPE_OVERHEAD = 80

type Accusations = ReadonlyMap<PeerIdString, Signed<Accusation>>

/** The empty map of accusations, which all members without accusations share. */
const NONE: Accusations = new Map()

interface Entry {
  record: Signed<SelfRecord>
  /** The accusations of the record's incarnation, by accuser. A dead member always has at least one accusation. */
  accusations: Accusations
  member: Member
  /** The time of the member's death or leave, as seen by this peer or by an earlier observer. The time only decides when the member is dropped. */
  downSince: number | undefined
  /** Whether this peer withdrew its refusal of this incarnation. If so, copies of the refusal that other members relay do not count. */
  isRefusalWithdrawn: boolean
}

export interface MemberTableInit {
  self: PeerIdString
  /** The electorate of this peer (see MemberMetadata). A peer of another electorate is no member. */
  electorate: string
  profile: Profile
  rules: SwimRules
  /** The limit of members. Default {@link MAX_MEMBERS}. */
  maxMembers?: number | undefined
  /** Called for each change of a member, in the order of the changes. */
  changed: (member: Member, previous: Member | undefined) => void
}

export class MemberTable {
  readonly #init: MemberTableInit
  readonly #self: PeerIdString
  readonly #profile: Profile
  readonly #rules: SwimRules
  readonly #maxMembers: number
  readonly #entries = new Map<PeerIdString, Entry>()
  readonly #dead = new Set<PeerIdString>()
  /** The number of live members, including this peer. */
  #live = 0
  readonly #suspicions = new Suspicions()

  constructor(init: MemberTableInit) {
    this.#init = init
    this.#self = init.self
    this.#profile = init.profile
    this.#rules = init.rules
    this.#maxMembers = init.maxMembers ?? MAX_MEMBERS
  }

  get size(): number {
    return this.#entries.size
  }

  get(id: PeerIdString): Member | undefined {
    return this.#entries.get(id)?.member
  }

  members(): Member[] {
    return [...this.#entries.values()].map(entry => entry.member)
  }

  record(id: PeerIdString): Signed<SelfRecord> | undefined {
    return this.#entries.get(id)?.record
  }

  /** Whether a member belongs to another electorate than this peer. Such a member belongs to another cluster, even if both clusters have the same name. */
  isForeign({ metadata }: SelfRecord): boolean {
    return metadata.electorate !== this.#init.electorate
  }

  /** Returns the accusations that count against a member. */
  evidence(id: PeerIdString): Signed<Accusation>[] {
    return [...(this.#entries.get(id)?.accusations.values() ?? [])]
  }

  /** Returns the ids of the live members other than this peer. */
  others(): PeerIdString[] {
    const ids: PeerIdString[] = []
    for (const [id, { member }] of this.#entries) if (id !== this.#self && isLive(member)) ids.push(id)
    return ids
  }

  suspects(): PeerIdString[] {
    return this.others().filter(id => this.get(id)?.state === 'suspect')
  }

  /** The number of live members other than this peer. */
  get liveOthers(): number {
    const self = this.get(this.#self)
    return this.#live - (self !== undefined && isLive(self) ? 1 : 0)
  }

  dead(): PeerIdString[] {
    return [...this.#dead]
  }

  /**
   * Adopts a self record if it is newer than the known record. `downFor` is the time (ms) for which the sender has considered the member dead or left:
   * an unknown member whose retention time is over is not learnt again.
   */
  learn(record: Signed<SelfRecord>, now: number, downFor = 0): void {
    const { member: id, incarnation } = record.record
    const entry = this.#entries.get(id)
    if (
      entry === undefined
        ? downFor >= this.#profile.retention || this.#entries.size >= this.#maxMembers || this.isForeign(record.record)
        : !this.#rules.supersedes(record.record, entry.record.record)
    )
      return
    const same = entry?.record.record.incarnation === incarnation ? entry : undefined
    const outlive = entry !== undefined && this.#rules.outlive(record.record, entry.record.record)
    const accusations = outlive ? entry.accusations : NONE
    const member = snapshot(record.record, 'alive', now)
    const isRefusalWithdrawn = same?.isRefusalWithdrawn ?? false
    const next: Entry = { record, accusations, downSince: same?.downSince, isRefusalWithdrawn, member }
    this.#entries.set(id, next)
    this.#enter(next, this.#conclude(next, entry?.member.state), entry?.member, now)
    this.#judge(now)
  }

  /** Adopts an accusation if it counts and is new. Returns whether the accusation was adopted. `isRelayed` is true if another member sent it. */
  accuse(accusation: Signed<Accusation>, now: number, isRelayed = false): boolean {
    const { accuser, target, kind } = accusation.record
    const entry = this.#entries.get(target)
    if (entry === undefined || target === this.#self || !this.#entries.has(accuser)) return false
    if (!this.#rules.counts(accusation.record, entry.record.record)) return false
    if (accuser === this.#self && kind === 'refused') {
      if (isRelayed && entry.isRefusalWithdrawn) return false
      entry.isRefusalWithdrawn = false
    }
    const known = entry.accusations.get(accuser)
    if (known !== undefined && (known.record.kind === kind || known.record.kind === 'refused')) return false
    if (known === undefined && entry.accusations.size >= MAX_ACCUSATIONS && !this.#makeRoom(entry, accusation.record)) {
      return false
    }
    entry.accusations = new Map(entry.accusations).set(accuser, accusation)
    this.#enter(entry, this.#conclude(entry, entry.member.state), entry.member, now)
    this.#judge(now)
    return true
  }

  /**
   * Dates back the death of a member that became known by `record`. Call this after adopting the accusations of the same message. Without an
   * accusation or the member's own leave, the date is ignored: otherwise a lie about a live member would have an effect at the member's death.
   */
  dateBack({ record }: Signed<SelfRecord>, downFor: number, now: number): void {
    const entry = this.#entries.get(record.member)
    if (entry?.record.record === record && entry.member.state !== 'alive') entry.downSince = now - downFor
  }

  /** Withdraws this peer's own refusal of a suspect that has connected again. A dead member must refute instead. */
  cancelRefusal(id: PeerIdString, now: number): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.member.state !== 'suspect' || !this.#refused(entry)) return
    entry.accusations = without(entry.accusations, this.#self)
    entry.isRefusalWithdrawn = true
    this.#enter(entry, entry.accusations.size === 0 ? 'alive' : 'suspect', entry.member, now)
  }

  /** Declares the suspects dead whose time to refute has ended. */
  expire(now: number): void {
    for (const id of this.#suspicions.expired(now)) {
      const entry = this.#entries.get(id)!
      this.#enter(entry, 'dead', entry.member, now)
    }
    this.#judge(now)
  }

  /** Returns the time of the next deadline for {@link expire}, or undefined if there is no suspect. */
  nextExpiry(): number | undefined {
    return this.#suspicions.next()
  }

  /** Extends the deadline of each suspect by the `ms` that this peer lost, plus one probe period in which a refutation can arrive. */
  extendSuspicions(ms: number): void {
    const { period, suspicionMax } = this.#profile
    this.#suspicions.extend(ms, period, suspicionMax)
  }

  /** Drops the members that have been dead or left for the retention time. If too many members remain, drops the members that have been down longest. */
  drop(now: number): PeerIdString[] {
    const down = [...this.#entries.values()]
      .filter(({ downSince, member }) => member.id !== this.#self && !isLive(member) && downSince !== undefined)
      .sort((a, b) => a.downSince! - b.downSince!)
    const tooMany = this.#entries.size - this.#maxMembers / 2
    const gone = down.filter(({ downSince }, i) => i < tooMany || now - downSince! >= this.#profile.retention)
    for (const { member } of gone) {
      this.#entries.delete(member.id)
      this.#dead.delete(member.id)
    }
    return gone.map(({ member }) => member.id)
  }

  /**
   * Returns the entries for a push-pull, as many as fit: this peer, then live members, then dead and left members in order from the most recent.
   */
  entries(now: number): SyncEntry[] {
    const rank = ({ member, downSince = now }: Entry): number =>
      member.id === this.#self ? Number.NEGATIVE_INFINITY : isLive(member) ? -1 : now - downSince
    const entries: SyncEntry[] = []
    let bytes = 0
    for (const entry of [...this.#entries.values()].sort((a, b) => rank(a) - rank(b))) {
      const accusations = [...entry.accusations.values()]
      for (const { envelope } of [entry.record, ...accusations]) bytes += envelope.payload.length + ENVELOPE_OVERHEAD
      if (bytes > MAX_SYNC_BYTES || entries.length >= MAX_SYNC_ENTRIES) break
      const down = !isLive(entry.member) && entry.downSince !== undefined
      entries.push({
        record: entry.record,
        accusations,
        downFor: down ? Math.max(1, Math.round(now - entry.downSince!)) : 0
      })
    }
    return entries
  }

  #conclude({ record, accusations }: Entry, before: MemberState | undefined): MemberState {
    // A member that returned with other voters has left this cluster.
    if (record.record.state === 'left' || this.isForeign(record.record)) return 'left'
    if (accusations.size === 0) return 'alive'
    return before === 'dead' ? 'dead' : 'suspect'
  }

  #enter(entry: Entry, state: MemberState, previous: Member | undefined, now: number): void {
    const { record } = entry.record
    if (state === 'suspect') {
      const timeout = suspicionTimeout(this.#profile, this.liveOthers + 1, entry.accusations.size)
      this.#suspicions.limit(record.member, timeout, now)
    } else {
      this.#suspicions.stop(record.member)
    }
    // `downSince` may be set for a suspect: a new member that others have reported as long dead is a suspect at first, with its death dated back.
    if (state === 'alive') entry.downSince = undefined
    else if (!isLive({ state })) entry.downSince ??= now
    if (previous?.state === state && unchanged(previous, record)) {
      entry.member = previous
      return
    }
    entry.member = snapshot(record, state, previous?.state === state ? previous.since : now)
    this.#live += Number(isLive({ state })) - Number(previous !== undefined && isLive(previous))
    if (state === 'dead') this.#dead.add(record.member)
    else this.#dead.delete(record.member)
    this.#init.changed(entry.member, previous)
  }

  /** Declares suspects with a proven crash dead. Each death removes a possible witness for the other suspects, so the check is repeated. */
  #judge(now: number): void {
    for (let again = true; again; ) {
      again = false
      for (const id of this.#suspicions.ids()) {
        const entry = this.#entries.get(id)!
        if (!this.#provenCrash(id, entry)) continue
        this.#enter(entry, 'dead', entry.member, now)
        again = true
      }
    }
  }

  #provenCrash(id: PeerIdString, entry: Entry): boolean {
    const accusers = new Set<PeerIdString>()
    for (const [accuser, { record }] of entry.accusations) if (record.kind === 'refused') accusers.add(accuser)
    if (accusers.size === 0) return false
    const witnesses = this.others().filter(other => other !== id && !this.#refused(this.#entries.get(other)!))
    return this.#rules.provesCrash({ accusers, self: this.#self, witnesses })
  }

  /** Whether this peer itself accused the member of refusing connections. */
  #refused(entry: Entry): boolean {
    return entry.accusations.get(this.#self)?.record.kind === 'refused'
  }

  /** Makes room for an accusation. A refusal or an accusation by this peer may replace another member's accusation of silence. */
  #makeRoom(entry: Entry, incoming: Accusation): boolean {
    if (incoming.kind !== 'refused' && incoming.accuser !== this.#self) return false
    for (const [accuser, { record }] of entry.accusations) {
      if (record.kind !== 'silent' || accuser === this.#self) continue
      entry.accusations = without(entry.accusations, accuser)
      return true
    }
    return false
  }
}

function without(accusations: Accusations, accuser: PeerIdString): Accusations {
  return new Map([...accusations].filter(([other]) => other !== accuser))
}

function unchanged(member: Member, record: SelfRecord): boolean {
  return (
    member.incarnation === record.incarnation &&
    member.revision === record.revision &&
    sameContent({ ...record, metadata: member }, record)
  )
}

function snapshot(record: SelfRecord, state: MemberState, since: number): Member {
  const { member: id, incarnation, revision, metadata } = record
  return { id, state, incarnation, revision, since, ...metadata }
}
