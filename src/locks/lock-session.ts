import { randomUUID } from 'node:crypto'
import pDefer from 'p-defer'
import { InvalidOptionError, LockLostError } from '../common/errors.ts'
import { RENEWALS } from '../election/quorum/lease.ts'
import { Holding } from './core/holding.ts'
import type { KeepRequest, LockAnswer, LockId, Ticket } from './core/types.ts'

export interface LockSessionInit extends LockId {
  limit: number
  ttl: number
  owner: string
  /** The time of a clock that goes on while the machine is suspended, in ms. */
  now(): number
  /** Sends a request to the present leader, if there is one. */
  say(request: KeepRequest | { type: 'release'; session: string; kind: LockId['kind']; name: string }): void
  /** Called when the session has to wait, and when the number of sessions before it has changed. */
  onWaiting?: ((ahead: number) => void) | undefined
  isLent?: boolean | undefined
  isPatient?: boolean | undefined
  /** Called when the session is over, and needs no leader any more. */
  onOver(): void
}

/** One attempt of this process to hold one lock, from the first request until the lock is released or lost. */
export class LockSession {
  readonly id = randomUUID()
  readonly #init: LockSessionInit
  readonly #holding: Holding
  readonly #held = pDefer<void>()
  readonly #queued = pDefer<void>()
  readonly #over = pDefer<void>()
  readonly #lost = new AbortController()
  readonly #yields = new AbortController()
  readonly #renewing: NodeJS.Timeout
  #state: 'waiting' | 'held' | 'releasing' | 'over' = 'waiting'
  #ticket: Ticket | undefined
  #ahead: number | undefined
  #token = 0

  constructor(init: LockSessionInit) {
    this.#init = init
    this.#holding = new Holding(init.ttl)
    this.#held.promise.catch(() => {})
    this.#renewing = setInterval(() => this.#say(), init.ttl / RENEWALS)
  }

  /** Resolves when the session holds the lock. */
  get held(): Promise<void> {
    return this.#held.promise
  }

  /** Resolves when a leader has answered for the first time. */
  get answered(): Promise<void> {
    return this.#queued.promise
  }

  get isHeld(): boolean {
    return this.#state === 'held'
  }

  get isAnswered(): boolean {
    return this.#ticket !== undefined || this.#token > 0
  }

  get isLent(): boolean {
    return this.#init.isLent === true
  }

  get isPatient(): boolean {
    return this.#init.isPatient === true
  }

  get lock(): LockId {
    return { kind: this.#init.kind, name: this.#init.name }
  }

  get token(): number {
    return this.#token
  }

  /** Aborts when the session has lost the lock. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Aborts when the leader wants the leadership to go to another peer. */
  get yields(): AbortSignal {
    return this.#yields.signal
  }

  get remaining(): number {
    return this.#state === 'held' || this.#state === 'releasing' ? this.#holding.remaining(this.#init.now()) : 0
  }

  /** Returns the request that the session has for a leader. Undefined if the session is over. */
  request(): Parameters<LockSessionInit['say']>[0] | undefined {
    const { kind, name, limit, ttl, owner, now } = this.#init
    const { id: session } = this
    if (this.#state === 'over') return undefined
    if (this.#state === 'releasing') return { type: 'release', session, kind, name }
    const sequence = this.#holding.ask(now())
    const isHeld = this.#state === 'held'
    return { type: 'keep', session, kind, name, sequence, limit, ttl, owner, ticket: this.#ticket, isHeld }
  }

  handle(answer: LockAnswer): void {
    switch (answer.type) {
      case 'queued':
        this.#ticket = answer.ticket
        this.#queued.resolve()
        if (answer.ahead !== this.#ahead) this.#tellWaiting(answer.ahead)
        break
      case 'held':
        this.#onHeld(answer.sequence, answer.token)
        break
      case 'lost':
        // A waiting session asks again, and keeps its place.
        if (this.#state === 'held') this.lose('its time was over before a renewal arrived')
        break
      case 'released':
        if (this.#state === 'releasing') this.#end()
        break
      case 'yield':
        this.#yields.abort(new LockLostError(`another peer is to lead ${JSON.stringify(this.#init.name)}`))
        break
      case 'refused':
        if (this.#state === 'waiting') this.fail(new InvalidOptionError(answer.reason))
        break
    }
  }

  /** Ends a session that does not hold the lock. */
  fail(reason: Error): void {
    if (this.#state !== 'waiting') return
    this.#held.reject(reason)
    this.#queued.resolve()
    this.#init.say({ type: 'release', session: this.id, ...this.lock })
    this.#end()
  }

  /** Releases the lock. Resolves when enough peers know it, or when the lock has ended. */
  release(): Promise<void> {
    if (this.#state === 'held') {
      this.#state = 'releasing'
      this.#say()
    }
    return this.#over.promise
  }

  /** Looks whether the session still holds the lock. */
  look(): void {
    if (this.#state !== 'held' && this.#state !== 'releasing') return
    if (this.#holding.remaining(this.#init.now()) > 0) return
    if (this.#state === 'releasing') this.#end()
    else this.lose('no leader has renewed it in time')
  }

  lose(why: string, cause?: Error): void {
    if (this.#state !== 'held') return
    const { kind, name } = this.#init
    this.#end()
    const what = `the ${kind} ${JSON.stringify(name)} is lost: ${why}`
    this.#lost.abort(new LockLostError(what, cause && { cause }))
  }

  /** An error of the caller's own function ends the wait, and not the channel to the leader. */
  #tellWaiting(ahead: number): void {
    this.#ahead = ahead
    try {
      this.#init.onWaiting?.(ahead)
    } catch (error) {
      this.fail(error as Error)
    }
  }

  #onHeld(sequence: number, token: number): void {
    if (this.#state === 'over') return
    this.#token = token
    const now = this.#init.now()
    this.#holding.held(sequence, now)
    if (this.#state !== 'waiting') return
    if (this.#holding.remaining(now) <= 0) {
      this.#say()
      return
    }
    this.#state = 'held'
    this.#queued.resolve()
    this.#held.resolve()
  }

  #say(): void {
    const request = this.request()
    if (request !== undefined) this.#init.say(request)
  }

  #end(): void {
    this.#state = 'over'
    clearInterval(this.#renewing)
    this.#over.resolve()
    this.#init.onOver()
  }
}
