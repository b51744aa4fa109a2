import type { PeerIdString } from '../../network/types.ts'
import type { LeaseRequest, LeaseTerms } from './lease.ts'

/** A voter's promise, which it must never forget. */
export interface Promised {
  epoch: number
  holder: PeerIdString
}

export type Vote =
  | { type: 'granted' }
  /** `promised`: the newest promise. The next request needs a higher epoch. `wait`: the time until this voter is free, in ms. */
  | { type: 'denied'; promised: Promised | undefined; wait: number }
  /** The promise must be on disk before the voter gives it. The caller writes the promise, and then calls `written`. */
  | { type: 'write'; promised: Promised }

/** The rules of a voter, one function each. A test breaks a rule, and checks that the simulation fails. */
export const voterRules = {
  /** The time from which a started voter grants requests, by its clock. Before this time a promise of an earlier run may still hold. */
  grantsFrom: (startedAt: number, leaseTime: number) => startedAt + leaseTime,
  /** Whether the voter gives new promises. `hasLost`: whether it may have lost promises that other voters have not told it yet. */
  mayPromise: (hasLost: boolean) => !hasLost,
  /** Whether the promise still holds, so that no other peer gets a promise. */
  isBound: (now: number, until: number) => now < until,
  /** Whether the voter refuses the request because of its epoch. An epoch has only one holder, and epochs only rise. */
  isTaken: (epoch: number, holder: PeerIdString, promised: Promised) =>
    epoch < promised.epoch || (epoch === promised.epoch && holder !== promised.holder),
  /** Whether a request or release counts. `order` is above 0 when it is newer than the last request or release of the same peer. */
  isNew: (order: number) => order > 0,
  /** Whether a release with this epoch frees the voter from its promise. */
  releases: (epoch: number, promised: Promised) => epoch === promised.epoch,
  /** Whether the voter writes a promise before it gives the promise. */
  mustWrite: (isRenewal: boolean) => !isRenewal
}

/** See {@link voterRules}. */
export type VoterRules = typeof voterRules

export interface VoterInit {
  terms: LeaseTerms
  /** The time of the start, by the monotonic clock. */
  startedAt: number
  /** The promise that earlier runs have written. */
  promised: Promised | undefined
  /** Whether later promises of earlier runs are lost. Default: no. */
  hasLost?: boolean | undefined
  rules?: VoterRules | undefined
}

/** A voter's half of the lease (lease.ts). A voter gives a promise to one peer at a time. All times are by the voter's monotonic clock. */
export class Voter {
  readonly #terms: LeaseTerms
  readonly #rules: VoterRules
  /** The newest request or release of each peer. */
  readonly #newest = new Map<PeerIdString, LeaseRequest>()
  #promised: Promised | undefined
  #until: number
  #hasGranted = false
  #hasLost: boolean
  /** The promise that is being written, and its request. Until the write has ended, the voter answers no other request. */
  #writing: { promised: Promised; request: LeaseRequest; isReleased: boolean } | undefined

  constructor({ terms, startedAt, promised, hasLost = false, rules = voterRules }: VoterInit) {
    this.#terms = terms
    this.#rules = rules
    this.#promised = promised
    this.#hasLost = hasLost
    this.#until = rules.grantsFrom(startedAt, terms.leaseTime)
  }

  /** The newest promise, whether or not it still holds. */
  get promised(): Promised | undefined {
    return this.#promised
  }

  /** Whether promises of this voter are lost. */
  get hasLost(): boolean {
    return this.#hasLost
  }

  /** Whether a promise is being written. */
  get isWriting(): boolean {
    return this.#writing !== undefined
  }

  /** Handles the loss of promises. */
  lose(): void {
    this.#hasLost = true
  }

  /** Handles that other voters have told what this voter must not contradict. `promised` is on disk, if it is newer than the promise of this voter. */
  recover(promised: Promised | undefined): void {
    this.#hasLost = false
    if (promised !== undefined && promised.epoch > (this.#promised?.epoch ?? 0)) this.#promised = promised
  }

  /** Answers a request for a grant or a renewal. Returns `undefined` for no answer, because peers repeat their requests. */
  ask(from: PeerIdString, request: LeaseRequest, now: number): Vote | undefined {
    if (!this.#isNew(from, request) || this.#writing !== undefined) return undefined
    const { epoch } = request
    const before = this.#promised
    const isRenewal = before?.holder === from && before.epoch === epoch
    const isKept = isRenewal && this.#hasGranted
    // After a start even the holder must wait, because the voter does not know when its earlier run gave the promise.
    const isBound = this.#rules.isBound(now, this.#until) && !isKept
    const isTaken = before !== undefined && this.#rules.isTaken(epoch, from, before)
    const mayPromise = isKept || this.#rules.mayPromise(this.#hasLost)
    if ((isBound && !this.#isOwnHigher(from, epoch)) || isTaken || !mayPromise)
      return { type: 'denied', promised: before, wait: Math.max(0, this.#until - now) }
    const promised = { epoch, holder: from }
    if (this.#rules.mustWrite(isRenewal)) {
      this.#writing = { promised, request, isReleased: false }
      return { type: 'write', promised }
    }
    this.#promise(promised, now)
    return { type: 'granted' }
  }

  /** Handles the end of a write. Returns the grant to send, or undefined if the write failed or the holder has released the promise. */
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

  /** Handles the release of a grant by its holder. */
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

  /** Whether the holder of the promise asks for a higher epoch. The voter grants such a request immediately. */
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
