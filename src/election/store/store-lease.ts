/**
 * This peer's part in the race for the lease of a store, as a pure state machine. It asks for the lease when the election wants to
 * lead, and renews the lease while this peer leads. The lease of this peer ends before the store can grant it to another peer,
 * as long as the clocks of both run within the drift bound (after Gray and Cheriton, "Leases", 1989, §5).
 */
import type { Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import { type LeaseTime, RENEWALS, validity } from '../quorum/lease.ts'
import type { LeaseState } from './lease-store.ts'

export type StoreEvent =
  /** Get the lease, with an epoch above `above`. */
  | { type: 'seek'; above: number }
  /** Release the lease that is held or sought. `heir`: the peer to which it goes. */
  | { type: 'release'; heir: PeerIdString | undefined }
  /** The end of an `acquire` effect. `epoch` is undefined if the store has not granted the lease, or has not answered. */
  | { type: 'acquired'; request: number; epoch: number | undefined }
  /** The end of a `renew` effect: whether this peer still holds the lease. Undefined if the store has not answered. */
  | { type: 'renewed'; request: number; isHeld: boolean | undefined }
  /** This peer has joined, and neither seeks nor holds the lease. */
  | { type: 'start' }
  /** The end of a `probe` effect: whether the store has answered. */
  | { type: 'probed'; isReached: boolean }
  /** The state of the lease, as the store reports it. */
  | { type: 'state'; state: Omit<LeaseState, 'record'> }
  /** This peer reaches fewer than half of its members. Another peer should lead. */
  | { type: 'cutOff' }
  | { type: 'timer'; name: string }

export type StoreTimer = 'lease-round' | 'lease-end' | 'lease-rest' | 'lease-probe'

export type StoreEffect =
  /** Ask the store for the lease. `lease` numbers the leases of this peer: one session each. */
  | { type: 'acquire'; request: number; lease: number; above: number }
  | { type: 'renew'; request: number; lease: number }
  /** Release the lease, or reserve it for the heir. */
  | { type: 'give'; lease: number; heir: PeerIdString | undefined }
  /** Find out whether the store answers. */
  | { type: 'probe' }
  /** Whether this peer reaches the store has changed. Before the first such effect it does. */
  | { type: 'reach'; isReached: boolean }
  /** Begin or stop to watch the state of the lease. */
  | { type: 'watch'; isOn: boolean }
  | { type: 'timer'; name: StoreTimer; delay: number | undefined }
  /** The store granted the lease with `epoch`, so this peer may lead with this epoch. */
  | { type: 'held'; epoch: number }
  /** The lease ended `ago` ms ago, because it was not renewed in time. */
  | { type: 'lost'; ago: number }

/** The rules of the holder, one function each. A test breaks a rule, and checks that the simulation fails. */
export const storeRules = {
  /** The time from which a grant counts: when its request was sent, not when the answer arrived. */
  countsFrom: (sentAt: number, _now: number) => sentAt,
  /** How long a grant is valid for its holder, in ms. */
  validity,
  /** Whether an answer belongs to the present lease. */
  isCurrent: (lease: number, present: number) => lease === present,
  /** Returns the epoch of a new lease. `recorded`: the epoch of the last lease. `above`: an epoch that the peer has accepted. */
  epochAfter: (recorded: number, above: number) => Math.max(recorded, above) + 1,
  /** Whether this peer may ask for the lease. `restsUntil`: when the rest ends that follows when this peer was cut off. */
  mayAsk: (now: number, restsUntil: number) => now >= restsUntil,
  /** Whether this peer renews its lease. `isCutOff`: this peer reaches fewer than half of its members. */
  renews: (isCutOff: boolean) => !isCutOff
}

/** See {@link storeRules}. */
export type StoreRules = typeof storeRules

export interface StoreLeaseInit {
  self: PeerIdString
  terms: LeaseTime
  random: Random
  rules?: StoreRules | undefined
}

/** The first pause between two requests for the lease, in ms. */
const FIRST_PAUSE = 50
/** How long after the end of the lease the next request is sent, in ms. */
const AFTER_END = 5

export class StoreLease {
  readonly #self: PeerIdString
  readonly #terms: LeaseTime
  readonly #random: Random
  readonly #rules: StoreRules
  #state: 'idle' | 'resting' | 'seeking' | 'held' = 'idle'
  /** The number of the present lease. */
  #lease = 0
  #requests = 0
  /** When each unanswered request was sent, and for which lease. */
  readonly #sent = new Map<number, { at: number; lease: number }>()
  /** The unanswered request for the lease. */
  #asking: number | undefined
  /** Whether this peer has asked for the present lease. */
  #hasAsked = false
  /** Whether the lease became free after the unanswered request was sent. */
  #isFree = false
  #above = 0
  #epoch = 0
  #pause = FIRST_PAUSE
  #validUntil: number | undefined
  #isCutOff = false
  #isReached = true
  #restsUntil = Number.NEGATIVE_INFINITY
  #now = 0
  #effects: StoreEffect[] = []

  constructor({ self, terms, random, rules = storeRules }: StoreLeaseInit) {
    this.#self = self
    this.#terms = terms
    this.#random = random
    this.#rules = rules
  }

  /** The time until which this peer certainly holds the lease, by the clock of `now`. Undefined without a lease. */
  get heldUntil(): number | undefined {
    return this.#state === 'held' ? this.#validUntil : undefined
  }

  /** The epoch of the lease that this peer holds. Undefined without a lease. */
  get heldEpoch(): number | undefined {
    return this.#state === 'held' ? this.#epoch : undefined
  }

  /** @param now - a clock that goes on while the machine is suspended (see lease-clock.ts), in ms */
  handle(event: StoreEvent, now: number): StoreEffect[] {
    this.#now = now
    this.#effects = []
    this.#checkEnd()
    switch (event.type) {
      case 'seek':
        this.#seek(event.above)
        break
      case 'release':
        this.#release(event.heir)
        break
      case 'acquired':
        this.#onAcquired(event.request, event.epoch)
        break
      case 'renewed':
        this.#onRenewed(event.request, event.isHeld)
        break
      case 'start':
        this.#probe()
        break
      case 'probed':
        this.#onProbed(event.isReached)
        break
      case 'state':
        this.#onState(event.state)
        break
      case 'cutOff':
        this.#isCutOff ||= this.#state === 'held'
        break
      case 'timer':
        this.#onTimer(event.name as StoreTimer)
        break
    }
    return this.#effects
  }

  #seek(above: number): void {
    this.#above = Math.max(this.#above, above)
    if (this.#state !== 'idle' && this.#state !== 'resting') return
    this.#state = 'resting'
    if (this.#rules.mayAsk(this.#now, this.#restsUntil)) this.#race()
    else this.#timer('lease-rest', this.#restsUntil - this.#now)
  }

  #race(): void {
    this.#state = 'seeking'
    this.#timer('lease-probe', undefined)
    this.#lease += 1
    this.#hasAsked = false
    this.#pause = FIRST_PAUSE
    this.#effects.push({ type: 'watch', isOn: true })
    this.#ask()
  }

  #ask(): void {
    if (this.#asking !== undefined) return
    this.#hasAsked = true
    this.#isFree = false
    this.#timer('lease-round', undefined)
    this.#asking = this.#request()
    this.#effects.push({ type: 'acquire', request: this.#asking, lease: this.#lease, above: this.#above })
  }

  #renew(): void {
    this.#timer('lease-round', this.#terms.leaseTime / RENEWALS)
    if (!this.#rules.renews(this.#isCutOff)) return
    this.#effects.push({ type: 'renew', request: this.#request(), lease: this.#lease })
  }

  #request(): number {
    this.#requests += 1
    this.#sent.set(this.#requests, { at: this.#now, lease: this.#lease })
    return this.#requests
  }

  #onAcquired(request: number, epoch: number | undefined): void {
    // The end of this request is known already.
    if (!this.#sent.has(request)) return
    if (request === this.#asking) this.#asking = undefined
    const sentAt = this.#take(request)
    if (this.#state !== 'seeking') return
    if (sentAt !== undefined && epoch !== undefined) this.#onGranted(sentAt, epoch)
    // The lease became free after the store had denied the request, or the request was for an earlier lease.
    else if (this.#isFree || sentAt === undefined) this.#ask()
    else this.#pauseThenAsk()
  }

  #onGranted(sentAt: number, epoch: number): void {
    const validUntil = this.#rules.countsFrom(sentAt, this.#now) + this.#rules.validity(this.#terms)
    if (validUntil <= this.#now) {
      // The answer came too late. This session still holds the lease, so the next request renews it.
      this.#pauseThenAsk()
      return
    }
    this.#state = 'held'
    this.#epoch = epoch
    this.#validUntil = validUntil
    this.#isCutOff = false
    this.#effects.push({ type: 'watch', isOn: false })
    this.#timer('lease-round', Math.max(0, sentAt + this.#terms.leaseTime / RENEWALS - this.#now))
    this.#timeEnd()
    this.#effects.push({ type: 'held', epoch })
  }

  #onRenewed(request: number, isHeld: boolean | undefined): void {
    const sentAt = this.#take(request)
    if (sentAt === undefined || isHeld === undefined || this.#state !== 'held') return
    if (!isHeld) {
      this.#lose(0)
      return
    }
    const validUntil = this.#rules.countsFrom(sentAt, this.#now) + this.#rules.validity(this.#terms)
    this.#validUntil = Math.max(this.#validUntil ?? 0, validUntil)
    this.#timeEnd()
  }

  /** Returns when a request of the present lease was sent. Undefined for a request of an earlier lease. */
  #take(request: number): number | undefined {
    const sent = this.#sent.get(request)
    this.#sent.delete(request)
    return sent !== undefined && this.#rules.isCurrent(sent.lease, this.#lease) ? sent.at : undefined
  }

  #pauseThenAsk(): void {
    this.#timer('lease-round', this.#pause * (0.5 + this.#random()))
    this.#pause = Math.min(2 * this.#pause, this.#terms.leaseTime / RENEWALS)
  }

  #onState({ holder, heir, endsIn }: Omit<LeaseState, 'record'>): void {
    if (this.#state !== 'seeking') return
    const isFree = holder === undefined && (heir === undefined || heir === this.#self)
    if (isFree && this.#asking !== undefined) this.#isFree = true
    else if (isFree) this.#ask()
    else if (endsIn !== undefined && this.#asking === undefined) this.#timer('lease-round', endsIn + AFTER_END)
  }

  #onTimer(name: StoreTimer): void {
    if (name === 'lease-rest' && this.#state === 'resting') this.#seek(this.#above)
    else if (name === 'lease-round' && this.#state === 'seeking') this.#ask()
    else if (name === 'lease-round' && this.#state === 'held') this.#renew()
    else if (name === 'lease-probe' && this.#state === 'idle') this.#probe()
    // The timer `lease-end` fired early.
    else if (name === 'lease-end' && this.#state === 'held') this.#timeEnd()
  }

  #timeEnd(): void {
    this.#timer('lease-end', Math.max(0, this.#validUntil! - this.#now))
  }

  /** Ends the lease at the first event after its end, because the timer may be late. */
  #checkEnd(): void {
    if (this.#state === 'held' && this.#now >= this.#validUntil!) this.#lose(this.#now - this.#validUntil!)
  }

  /** The lease is not given back: while the store still keeps it, the work of this leadership ends. */
  #lose(ago: number): void {
    if (this.#isCutOff) this.#restsUntil = this.#now + this.#terms.leaseTime
    this.#stop()
    this.#effects.push({ type: 'lost', ago })
  }

  #release(heir: PeerIdString | undefined): void {
    const hasLease = this.#state === 'held' || (this.#state === 'seeking' && this.#hasAsked)
    if (this.#state !== 'idle') this.#stop()
    if (hasLease) this.#effects.push({ type: 'give', lease: this.#lease, heir })
  }

  #stop(): void {
    if (this.#state === 'seeking') this.#effects.push({ type: 'watch', isOn: false })
    this.#state = 'idle'
    this.#validUntil = undefined
    for (const name of ['lease-round', 'lease-end', 'lease-rest'] as const) this.#timer(name, undefined)
    this.#probe()
  }

  /** Looks whether this peer reaches the store. Otherwise it must not take over from a leader that does. */
  #probe(): void {
    this.#timer('lease-probe', this.#terms.leaseTime)
    this.#effects.push({ type: 'probe' })
  }

  #onProbed(isReached: boolean): void {
    if (isReached === this.#isReached) return
    this.#isReached = isReached
    this.#effects.push({ type: 'reach', isReached })
  }

  #timer(name: StoreTimer, delay: number | undefined): void {
    this.#effects.push({ type: 'timer', name, delay })
  }
}
