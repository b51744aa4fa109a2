/**
 * The lease core of one peer, a pure state machine. It seeks a majority of grants when the election wants to lead, renews the
 * grants while this peer leads, and answers other peers as a voter. Each event carries two times: a holder must count the time in
 * which its machine was suspended, and a voter must not count that time.
 */
import type { Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import { MAX_EPOCH, MAX_EPOCH_STEP } from '../core/messages.ts'
import { Lease, type LeaseRequest, type LeaseRules, type LeaseTerms, RENEWALS } from './lease.ts'
import { LostPromises, type PromiseAnswer } from './lost-promises.ts'
import { type Promised, type Vote, Voter, type VoterRules } from './voter.ts'

/** Two times of a machine, in ms, each from its own origin. */
export interface LeaseTimes {
  /** The time for promises. It never runs ahead of true time by more than the drift. */
  monotonic: number
  /** The time for the lease that this peer holds. It never falls behind true time by more than the drift, even after a suspend. */
  elapsed: number
}

/** The direct messages about leases between two peers. */
export type LeaseMessage =
  | { type: 'lease'; request: LeaseRequest }
  | { type: 'grant'; request: LeaseRequest }
  /** `promised`: the newest promise of the voter. `wait`: the time until the voter is free, in ms. */
  | { type: 'denial'; request: LeaseRequest; promised: Promised | undefined; wait: number }
  | { type: 'release'; request: LeaseRequest }
  /** A voter that has lost promises asks another voter for its newest one. The voter that asks chooses the number. */
  | { type: 'promiseQuery'; sequence: number }
  | ({ type: 'promiseAnswer' } & PromiseAnswer)

export type QuorumEvent =
  /** Find a majority for an epoch above `above`. */
  | { type: 'seek'; above: number }
  /** Release the lease that is held or sought. */
  | { type: 'release' }
  | { type: 'message'; from: PeerIdString; message: LeaseMessage }
  /** Promises that this voter gave in earlier runs are lost. */
  | { type: 'lostPromises' }
  /** The write of the last `persist` effect has ended. */
  | { type: 'persisted'; isOnDisk: boolean }
  | { type: 'timer'; name: string }

export type QuorumTimer = 'lease-round' | 'lease-end' | 'lease-promises'

export type QuorumEffect =
  /** Write this promise, and then report the end with a `persisted` event. A voter gives no promise that it could forget. */
  | { type: 'persist'; promised: Promised }
  | { type: 'send'; to: PeerIdString; message: LeaseMessage }
  | { type: 'timer'; name: QuorumTimer; delay: number | undefined }
  /** This voter gives promises again, because other voters have told what its lost promises were at most. */
  | { type: 'promisesFound' }
  /** `missing` more voters must tell their promises until this voter gives new ones. The answers of the `incomplete` ones do not count. */
  | { type: 'promisesMissing'; missing: number; incomplete: readonly PeerIdString[] }
  /** A majority granted `epoch`, so this peer may lead with this epoch. */
  | { type: 'held'; epoch: number }
  /** The lease ended `ago` ms ago, because no majority renewed it in time. */
  | { type: 'lost'; ago: number }

export interface QuorumInit {
  self: PeerIdString
  terms: LeaseTerms
  random: Random
  /** The time of the start, by the monotonic clock. */
  startedAt: number
  /** The newest promise of earlier runs. */
  promised: Promised | undefined
  /** Whether later promises of earlier runs are lost. Default: no. */
  hasLost?: boolean | undefined
  /** Whether a peer ranks above this peer. */
  isHigher: (peer: PeerIdString) => boolean
  /** Returns the newest epoch that this peer has accepted, or 0 if it has accepted none. */
  acceptedEpoch: () => number
  rules?: { lease?: LeaseRules; voter?: VoterRules }
}

/** The first pause between two attempts, in ms. The pause is short, because the old holder may soon release its voters. */
const FIRST_PAUSE = 15

export class Quorum {
  readonly #init: QuorumInit
  readonly #lease: Lease
  readonly #voter: Voter | undefined
  #lost: LostPromises | undefined
  /** Whether the present write is of a promise that other voters have told. */
  #isRecovering = false
  #state: 'idle' | 'seeking' | 'held' = 'idle'
  #above = 0
  #pause = FIRST_PAUSE
  /** When the next round begins. */
  #roundDue = 0
  /** The time of the first grant of the present attempt. Undefined without a grant. */
  #partSince: number | undefined
  /** How long an attempt keeps its grants without a majority, in ms. */
  #patience = 0
  #times: LeaseTimes = { monotonic: 0, elapsed: 0 }
  #effects: QuorumEffect[] = []

  constructor(init: QuorumInit) {
    this.#init = init
    this.#lease = new Lease(init.terms, init.rules?.lease)
    if (this.#isVoter) this.#voter = new Voter({ ...init, rules: init.rules?.voter })
    this.#above = init.promised?.epoch ?? 0
    if (init.hasLost === true) this.#lose()
  }

  /** The time until which this peer certainly holds the lease, by the elapsed clock. Undefined without a lease. */
  get heldUntil(): number | undefined {
    return this.#state === 'held' ? this.#lease.validUntil : undefined
  }

  /** The epoch of the lease that this peer holds. Undefined while this peer holds no lease. */
  get heldEpoch(): number | undefined {
    return this.#state === 'held' ? this.#lease.epoch : undefined
  }

  handle(event: QuorumEvent, times: LeaseTimes): QuorumEffect[] {
    this.#times = times
    this.#effects = []
    this.#checkEnd()
    this.#findLost()
    switch (event.type) {
      case 'seek':
        this.#seek(event.above)
        break
      case 'release':
        this.#release()
        break
      case 'message':
        this.#onMessage(event.from, event.message)
        break
      case 'lostPromises':
        this.#lose()
        this.#findLost()
        break
      case 'persisted':
        this.#onPersisted(event.isOnDisk)
        break
      case 'timer':
        if (event.name === 'lease-round') this.#round()
        // The timer `lease-end` fired early.
        else if (event.name === 'lease-end' && this.#state === 'held') this.#timeEnd()
        break
    }
    return this.#effects
  }

  get #isVoter(): boolean {
    return this.#init.terms.voters.includes(this.#init.self)
  }

  #seek(above: number): void {
    if (!this.#isVoter) return
    this.#above = Math.max(this.#above, above)
    if (this.#state !== 'idle') return
    this.#state = 'seeking'
    this.#pause = FIRST_PAUSE
    this.#round()
  }

  /** Asks for the lease, or renews it. */
  #round(): void {
    if (this.#state === 'idle') return
    const { leaseTime } = this.#init.terms
    if (this.#state === 'held') {
      this.#timeRound(leaseTime / RENEWALS)
      this.#ask(this.#lease.epoch!)
      return
    }
    const { epoch } = this.#lease
    const above = Math.max(this.#above, this.#voter?.promised?.epoch ?? 0)
    this.#timeRound(this.#pause * (0.5 + this.#init.random()))
    this.#pause = Math.min(2 * this.#pause, leaseTime / RENEWALS)
    const backsOff = this.#partSince !== undefined && this.#times.elapsed >= this.#partSince + this.#patience
    if (epoch !== undefined && !backsOff && epoch >= above) {
      this.#ask(epoch)
      return
    }
    this.#giveBack()
    this.#patience = leaseTime * (0.5 + this.#init.random())
    // Leaves the released grants to other candidates for a short time. Otherwise two candidates could block each other for ever.
    if (!backsOff) this.#ask(above + 1)
  }

  #ask(epoch: number): void {
    const { self, terms } = this.#init
    const request = this.#lease.ask(epoch, this.#times.elapsed)
    // This peer first writes its own vote, so that it never asks for the same epoch again after a restart.
    const own = this.#vote(self, request)
    if (own?.type === 'denied') this.#waitFor(own)
    if (own?.type !== 'granted') return
    this.#lease.granted(self, request, this.#times.elapsed)
    this.#partSince ??= this.#times.elapsed
    for (const voter of terms.voters) if (voter !== self) this.#send(voter, { type: 'lease', request })
    this.#checkMajority()
  }

  #onMessage(from: PeerIdString, message: LeaseMessage): void {
    switch (message.type) {
      case 'lease':
        this.#onRequest(from, message.request)
        break
      case 'release':
        this.#voter?.release(from, message.request, this.#times.monotonic)
        break
      case 'grant':
        this.#lease.granted(from, message.request, this.#times.elapsed)
        if (this.#state === 'held') this.#timeEnd()
        else this.#checkMajority()
        break
      case 'denial':
        this.#onDenial(from, message)
        break
      case 'promiseQuery':
        this.#onQuery(from, message.sequence)
        break
      case 'promiseAnswer':
        // A malicious voter must not use up the epochs.
        if ((message.promised?.epoch ?? 0) > this.#newestEpoch() + MAX_EPOCH_STEP) break
        if (this.#lost?.answered(from, message) === true) this.#found()
        break
    }
  }

  #onRequest(from: PeerIdString, request: LeaseRequest): void {
    // Two candidates that both keep a grant would wait for each other.
    if (this.#state === 'seeking' && this.#init.isHigher(from)) this.#giveBack()
    const vote = this.#vote(from, request)
    if (vote?.type === 'granted') this.#send(from, { type: 'grant', request })
    else if (vote?.type === 'denied') {
      const { promised, wait } = vote
      this.#send(from, { type: 'denial', request, promised, wait })
    }
  }

  // --- Lost promises

  #lose(): void {
    const { self, terms, startedAt, random } = this.#init
    if (this.#voter === undefined) return
    this.#voter.lose()
    const from = startedAt + terms.leaseTime
    this.#lost = new LostPromises({ self, voters: terms.voters, from, sequence: Math.floor(random() * 2 ** 32) })
  }

  /** Asks the other voters for their promises, if this voter has lost its own. */
  #findLost(): void {
    const lost = this.#lost
    if (lost === undefined || this.#isRecovering) return
    const { monotonic } = this.#times
    const { leaseTime } = this.#init.terms
    if (lost.missing <= 0) {
      this.#found()
      return
    }
    if (lost.wait(leaseTime, monotonic) === 0) {
      if (lost.wasAsked)
        this.#effects.push({ type: 'promisesMissing', missing: lost.missing, incomplete: lost.incomplete })
      const { sequence, to } = lost.ask(monotonic)
      for (const voter of to) this.#send(voter, { type: 'promiseQuery', sequence })
    }
    this.#timer('lease-promises', lost.wait(leaseTime, monotonic))
  }

  #onQuery(from: PeerIdString, sequence: number): void {
    if (this.#voter === undefined || !this.#init.terms.voters.includes(from)) return
    const { promised, hasLost } = this.#voter
    this.#send(from, { type: 'promiseAnswer', sequence, promised, isIncomplete: hasLost })
  }

  /** Writes the newest promise of the others before this voter gives new ones. */
  #found(): void {
    if (this.#isRecovering || this.#voter!.isWriting) return
    const newest = this.#lost!.newest
    if (newest === undefined || newest.epoch <= (this.#voter!.promised?.epoch ?? 0)) {
      this.#recovered(undefined)
      return
    }
    this.#isRecovering = true
    this.#effects.push({ type: 'persist', promised: newest })
  }

  #recovered(promised: Promised | undefined): void {
    this.#voter!.recover(promised)
    this.#lost = undefined
    this.#timer('lease-promises', undefined)
    this.#effects.push({ type: 'promisesFound' })
  }

  #onPersisted(isOnDisk: boolean): void {
    if (this.#isRecovering) {
      this.#isRecovering = false
      if (isOnDisk) this.#recovered(this.#lost!.newest)
      else this.#findLost()
      return
    }
    const grant = this.#voter?.written(isOnDisk, this.#times.monotonic)
    if (grant === undefined) return
    if (grant.to !== this.#init.self) this.#send(grant.to, { type: 'grant', request: grant.request })
    else if (this.#state === 'seeking' && this.#lease.epoch === grant.request.epoch) this.#ask(grant.request.epoch)
  }

  #onDenial(from: PeerIdString, denial: Extract<LeaseMessage, { type: 'denial' }>): void {
    const { request, promised } = denial
    if (promised === undefined || !this.#init.terms.voters.includes(from) || !this.#lease.awaits(request)) return
    // A malicious voter must not use up the epochs.
    if (promised.epoch > this.#newestEpoch() + MAX_EPOCH_STEP) return
    // A voter never grants an epoch to two peers, so this peer needs an epoch above one that another peer holds.
    const isTaken = promised.epoch === request.epoch && promised.holder !== this.#init.self
    if (isTaken || promised.epoch > request.epoch) this.#roundWithin(denial.wait)
    else this.#waitFor(denial)
    this.#above = Math.max(this.#above, isTaken ? promised.epoch + 1 : promised.epoch)
  }

  /** The newest epoch that this peer knows. */
  #newestEpoch(): number {
    return Math.max(this.#above, this.#voter?.promised?.epoch ?? 0, this.#init.acceptedEpoch())
  }

  #vote(from: PeerIdString, request: LeaseRequest): Vote | undefined {
    // Without this limit, one request for the highest epoch would use up all epochs.
    if (request.epoch > Math.min(MAX_EPOCH, this.#newestEpoch() + MAX_EPOCH_STEP)) return undefined
    const vote = this.#voter?.ask(from, request, this.#times.monotonic)
    if (vote?.type === 'write') this.#effects.push({ type: 'persist', promised: vote.promised })
    return vote
  }

  /** Asks again when the voter will be free, so that this peer gets the lease as soon as the lease of a dead holder has ended. */
  #waitFor({ wait }: { wait: number }): void {
    if (wait > 0) this.#roundWithin(wait)
  }

  /** Begins the next round within `ms`, but not before FIRST_PAUSE has passed, so that other answers can arrive first. */
  #roundWithin(ms: number): void {
    const pause = Math.max(FIRST_PAUSE, ms + 1)
    if (this.#state === 'seeking' && this.#times.elapsed + pause < this.#roundDue) this.#timeRound(pause)
  }

  #timeRound(delay: number): void {
    this.#roundDue = this.#times.elapsed + delay
    this.#timer('lease-round', delay)
  }

  #checkMajority(): void {
    const { validUntil, epoch } = this.#lease
    if (this.#state !== 'seeking' || epoch === undefined) return
    if (validUntil === undefined || validUntil <= this.#times.elapsed) return
    this.#state = 'held'
    this.#timeRound(this.#init.terms.leaseTime / RENEWALS)
    this.#timeEnd()
    this.#effects.push({ type: 'held', epoch })
  }

  #timeEnd(): void {
    this.#timer('lease-end', Math.max(0, (this.#lease.validUntil ?? 0) - this.#times.elapsed))
  }

  /** Ends the lease at the first event after its end, because the timer may be late. */
  #checkEnd(): void {
    const ago = this.#times.elapsed - (this.#lease.validUntil ?? this.#times.elapsed)
    if (this.#state !== 'held' || ago < 0) return
    // Sends no release to the voters, whose promises end by themselves. Another peer must not lead before this peer's work has ended.
    this.#lease.release()
    this.#stop()
    this.#effects.push({ type: 'lost', ago })
  }

  #release(): void {
    if (this.#state === 'idle') return
    this.#stop()
  }

  #stop(): void {
    this.#state = 'idle'
    this.#giveBack()
    this.#timer('lease-round', undefined)
    this.#timer('lease-end', undefined)
  }

  #giveBack(): void {
    const { self, terms } = this.#init
    const request = this.#lease.release()
    this.#partSince = undefined
    if (request === undefined) return
    this.#voter?.release(self, request, this.#times.monotonic)
    for (const voter of terms.voters) if (voter !== self) this.#send(voter, { type: 'release', request })
  }

  #send(to: PeerIdString, message: LeaseMessage): void {
    this.#effects.push({ type: 'send', to, message })
  }

  #timer(name: QuorumTimer, delay: number | undefined): void {
    this.#effects.push({ type: 'timer', name, delay })
  }
}
