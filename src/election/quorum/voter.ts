import type { PeerIdString } from '../../network/types.ts'
import type { LeaseRequest, LeaseTerms } from './lease.ts'

/** A voter's promise, which it must never forget. */
export interface Promised {
  epoch: number
  holder: PeerIdString
}

export type Vote =
  | { type: 'granted' }
  /** `promised`: the newest promise; an epoch above it is needed. `wait`: the time until this voter is free, in ms. */
  | { type: 'denied'; promised: Promised | undefined; wait: number }
  /** The promise must be on disk before it is given: write it, then call `written`. */
  | { type: 'write'; promised: Promised }

/** The rules of a voter, one function each. Tests break one to check that the simulation notices. */
export const voterRules = {
  /** The time from which a voter grants after its start, by its clock: a promise of an earlier run may still hold. */
  grantsFrom: (startedAt: number, leaseTime: number) => startedAt + leaseTime,
  /** Whether the promise still holds, so that no other peer gets one. */
  isBound: (now: number, until: number) => now < until,
  /** Whether the request is refused for its epoch: an epoch has one holder, and epochs only rise. */
  isTaken: (epoch: number, holder: PeerIdString, promised: Promised) =>
    epoch < promised.epoch || (epoch === promised.epoch && holder !== promised.holder),
  /** Whether a request or release counts; `order`: above 0 when it is newer than the last one of the same peer. */
  isNew: (order: number) => order > 0,
  /** Whether a release with this epoch frees the voter from its promise. */
  releases: (epoch: number, promised: Promised) => epoch === promised.epoch,
  /** Whether a promise is written before it is given. */
  mustWrite: (isRenewal: boolean) => !isRenewal
}

/** See {@link voterRules}. */
export type VoterRules = typeof voterRules

export interface VoterInit {
  terms: LeaseTerms
  /** By the monotonic clock. */
  startedAt: number
  /** The promise that earlier runs have written. */
  promised: Promised | undefined
  rules?: VoterRules | undefined
}

/** A voter's half of the lease (lease.ts): it makes a promise to one peer at a time. All times by its monotonic clock. */
export class Voter {
  readonly #terms: LeaseTerms
  readonly #rules: VoterRules
  /** The newest request or release of each peer. */
  readonly #newest = new Map<PeerIdString, LeaseRequest>()
  #promised: Promised | undefined
  #until: number
  #hasGranted = false
  /** The promise that is being written, and the request that it answers. Until it is on disk, no other request is answered. */
  #writing: { promised: Promised; request: LeaseRequest; isReleased: boolean } | undefined

  constructor({ terms, startedAt, promised, rules = voterRules }: VoterInit) {
    this.#terms = terms
    this.#rules = rules
    this.#promised = promised
    this.#until = rules.grantsFrom(startedAt, terms.leaseTime)
  }

  /** The newest promise, whether or not it still holds. */
  get promised(): Promised | undefined {
    return this.#promised
  }

  /** Answers a request for a grant or its renewal; `undefined`: no answer. Peers repeat their requests. */
  ask(from: PeerIdString, request: LeaseRequest, now: number): Vote | undefined {
    if (!this.#isNew(from, request) || this.#writing !== undefined) return undefined
    const { epoch } = request
    const before = this.#promised
    const isRenewal = before?.holder === from && before.epoch === epoch
    // After a start even the holder must wait, because the voter does not know when its earlier run gave the promise.
    const isBound = this.#rules.isBound(now, this.#until) && !(isRenewal && this.#hasGranted)
    const isTaken = before !== undefined && this.#rules.isTaken(epoch, from, before)
    if ((isBound && !this.#isOwnHigher(from, epoch)) || isTaken)
      return { type: 'denied', promised: before, wait: Math.max(0, this.#until - now) }
    const promised = { epoch, holder: from }
    if (this.#rules.mustWrite(isRenewal)) {
      this.#writing = { promised, request, isReleased: false }
      return { type: 'write', promised }
    }
    this.#promise(promised, now)
    return { type: 'granted' }
  }

  /** The write has ended. Returns the grant to send; undefined if the promise is not on disk, or was released meanwhile. */
  written(isOnDisk: boolean, now: number): { to: PeerIdString; request: LeaseRequest } | undefined {
    const writing = this.#writing
    this.#writing = undefined
    if (writing === undefined || !isOnDisk) return undefined
    const { promised, request, isReleased } = writing
    this.#promise(promised, now)
    if (!isReleased) return { to: promised.holder, request }
    this.#until = now
    return undefined
  }

  /** The holder gives the grant back. */
  release(from: PeerIdString, request: LeaseRequest, now: number): void {
    if (!this.#isNew(from, request)) return
    if (this.#writing?.promised.holder === from && this.#rules.releases(request.epoch, this.#writing.promised))
      this.#writing.isReleased = true
    const promised = this.#promised
    if (!this.#hasGranted || promised?.holder !== from) return
    if (this.#rules.releases(request.epoch, promised)) this.#until = now
  }

  #promise(promised: Promised, now: number): void {
    this.#promised = promised
    this.#until = now + this.#terms.leaseTime
    this.#hasGranted = true
  }

  /** Whether the holder of the promise asks for a higher epoch, which it gets at once. */
  #isOwnHigher(from: PeerIdString, epoch: number): boolean {
    return this.#hasGranted && this.#promised?.holder === from && epoch > this.#promised.epoch
  }

  #isNew(from: PeerIdString, request: LeaseRequest): boolean {
    if (!this.#terms.voters.includes(from)) return false
    const newest = this.#newest.get(from)
    const order = newest === undefined ? 1 : compareRequests(request, newest)
    if (order > 0) this.#newest.set(from, request)
    return this.#rules.isNew(order)
  }
}

function compareRequests(a: LeaseRequest, b: LeaseRequest): number {
  return a.epoch - b.epoch || a.sequence - b.sequence
}
