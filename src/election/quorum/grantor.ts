import type { PeerIdString } from '../../network/types.ts'
import type { LeaseRequest, LeaseTerms } from './lease.ts'

/** What a voter must never forget. */
export interface Promised {
  epoch: number
  holder: PeerIdString
}

export type GrantAnswer =
  | { granted: true }
  /** `promised` is the newest promise: an epoch above it is needed. `wait`: how many ms until this voter is free again. */
  | { granted: false; promised: Promised | undefined; wait: number }

/** The rules of a voter; tests break one to see that the simulation notices. */
export interface GrantorRules {
  /** After a start nothing is granted for D: a promise of an earlier run may still hold. */
  waitAfterStart: boolean
  /** Nobody else is granted while a promise holds. */
  keepPromise: boolean
  /** No epoch is granted to two holders, nor a lower one than before. */
  epochsRise: boolean
  /** Requests and releases that are older than the last of the same peer do nothing. */
  ignoreOlder: boolean
  /** A release frees only the grant that it names. */
  releaseByName: boolean
  /** What was promised is on disk before it is promised. */
  persistFirst: boolean
}

export const GRANTOR_RULES: GrantorRules = {
  waitAfterStart: true,
  keepPromise: true,
  epochsRise: true,
  ignoreOlder: true,
  releaseByName: true,
  persistFirst: true
}

export interface GrantorInit {
  terms: LeaseTerms
  /** By the monotonic clock. */
  startedAt: number
  /** What was kept in earlier runs. */
  promised: Promised | undefined
  /** Keeps a promise; says whether it is on disk. */
  persist: (promised: Promised) => boolean
  rules?: GrantorRules
}

/** A voter's half of the lease (lease.ts): it promises itself to one peer at a time. All times by its monotonic clock. */
export class Grantor {
  readonly #init: GrantorInit
  readonly #rules: GrantorRules
  /** The newest request or release of each peer. */
  readonly #newest = new Map<PeerIdString, LeaseRequest>()
  #promised: Promised | undefined
  #until: number
  #grantedInThisRun = false

  constructor(init: GrantorInit) {
    this.#init = init
    this.#rules = init.rules ?? GRANTOR_RULES
    this.#promised = init.promised
    this.#until = this.#rules.waitAfterStart ? init.startedAt + init.terms.leaseTime : init.startedAt
  }

  /** The newest promise, whether or not it still holds. */
  get promised(): Promised | undefined {
    return this.#promised
  }

  /** Answers a request for a grant or for its renewal; undefined when it is an old one, or the promise cannot be kept. */
  ask(from: PeerIdString, request: LeaseRequest, now: number): GrantAnswer | undefined {
    if (!this.#isNew(from, request)) return undefined
    const { epoch } = request
    const before = this.#promised
    const isRenewal = before?.holder === from && before.epoch === epoch
    // The first promise of a run waits even for whom it was promised to before: nobody knows how long ago that was.
    const isHeld = now < this.#until && !(isRenewal && this.#grantedInThisRun)
    const isOld = before !== undefined && (epoch < before.epoch || (epoch === before.epoch && before.holder !== from))
    if ((isHeld && this.#rules.keepPromise && !this.#isOwnHigher(from, epoch)) || (isOld && this.#rules.epochsRise)) {
      return { granted: false, promised: before, wait: Math.max(0, this.#until - now) }
    }
    if (!isRenewal && this.#rules.persistFirst && !this.#init.persist({ epoch, holder: from })) return undefined
    this.#promised = { epoch, holder: from }
    this.#until = now + this.#init.terms.leaseTime
    this.#grantedInThisRun = true
    return { granted: true }
  }

  /** Whoever holds this voter's promise may trade it for one of a higher epoch. */
  #isOwnHigher(from: PeerIdString, epoch: number): boolean {
    return this.#grantedInThisRun && this.#promised?.holder === from && epoch > this.#promised.epoch
  }

  /** The holder gives the grant back. */
  release(from: PeerIdString, request: LeaseRequest, now: number): void {
    if (!this.#isNew(from, request) || !this.#grantedInThisRun) return
    const isNamed = this.#promised?.epoch === request.epoch || !this.#rules.releaseByName
    if (this.#promised?.holder === from && isNamed) this.#until = now
  }

  #isNew(from: PeerIdString, request: LeaseRequest): boolean {
    if (!this.#init.terms.voters.includes(from)) return false
    const newest = this.#newest.get(from)
    if (newest !== undefined && compareRequests(request, newest) <= 0) return !this.#rules.ignoreOlder
    this.#newest.set(from, request)
    return true
  }
}

function compareRequests(a: LeaseRequest, b: LeaseRequest): number {
  return a.epoch - b.epoch || a.sequence - b.sequence
}
