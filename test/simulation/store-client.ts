/** A simulated peer's side of the store: runs the lease core, like src/election/store/store-keeper.ts. */
import type { CoreEvent } from '../../src/election/core/events.ts'
import type { LeaseTime } from '../../src/election/quorum/lease.ts'
import type { LeaseTimes } from '../../src/election/quorum/quorum.ts'
import { type StoreEffect, type StoreEvent, StoreLease, type StoreRules } from '../../src/election/store/store-lease.ts'
import { STORE, type StoreReply, type StoreRequest } from './store.ts'
import type { Host } from './world.ts'

/** The id of the store in the world. */
export const STORE_ID = 'store'
/** The interval at which a watch that may have been lost is repeated, in ms. */
const WATCH_EVERY = 1_000

export interface SimulatedStoreClientInit {
  host: Host
  terms: LeaseTime
  rules?: StoreRules | undefined
  times: () => LeaseTimes
  /** The prefix of the timers of this client. */
  prefix: string
  told: (event: Extract<CoreEvent, { type: 'held' | 'lost' | 'reach' }>) => void
}

let sessions = 0

export class SimulatedStoreClient {
  readonly lease: StoreLease
  readonly #init: SimulatedStoreClientInit
  /** The session of the last probe. */
  #probe = ''
  /** The session of each lease of this peer. */
  readonly #sessions = new Map<number, string>()

  constructor(init: SimulatedStoreClientInit) {
    const { host, terms, rules } = init
    this.#init = init
    this.lease = new StoreLease({ self: host.id, terms, rules, random: () => host.random() })
  }

  start(): void {
    this.handle({ type: 'start' })
  }

  handle(event: StoreEvent): void {
    for (const effect of this.lease.handle(event, this.#init.times().elapsed)) this.#perform(effect)
  }

  receive(reply: StoreReply): void {
    if (reply.type === 'probed') this.#onProbed(reply.session)
    else if (reply.type === 'state') this.handle({ type: 'state', state: reply })
    // A process that has restarted gets no answer to a request of the process before it.
    else if ([...this.#sessions.values()].includes(reply.session)) this.handle(reply)
  }

  timer(name: string): void {
    if (name === 'watch') this.#watch()
    else if (name === 'unanswered') this.handle({ type: 'probed', isReached: false })
    else if (name.startsWith('acquire-')) this.handle({ type: 'acquired', request: requestOf(name), epoch: undefined })
    else if (name.startsWith('renew-')) this.handle({ type: 'renewed', request: requestOf(name), isHeld: undefined })
    else this.handle({ type: 'timer', name })
  }

  #perform(effect: StoreEffect): void {
    const { host, terms } = this.#init
    const { leaseTime } = terms
    switch (effect.type) {
      case 'acquire': {
        const { request, above } = effect
        const session = this.#sessionOf(effect.lease)
        this.#send({ type: 'acquire', request, session, holder: host.id, leaseTime, above })
        this.#timer(`acquire-${request}`, leaseTime)
        break
      }
      case 'renew':
        this.#send({
          type: 'renew',
          request: effect.request,
          session: this.#sessionOf(effect.lease),
          leaseTime
        })
        this.#timer(`renew-${effect.request}`, leaseTime)
        break
      case 'give':
        this.#send({ type: 'give', session: this.#sessionOf(effect.lease), heir: effect.heir, leaseTime })
        break
      case 'probe':
        this.#probe = `${host.id}-${++sessions}`
        this.#send({ type: 'probe', session: this.#probe })
        this.#timer('unanswered', leaseTime / 2)
        break
      case 'watch':
        if (effect.isOn) this.#watch()
        else this.#timer('watch', undefined)
        break
      case 'timer':
        this.#timer(effect.name, effect.delay)
        break
      case 'reach':
        this.#init.told(effect)
        break
      case 'held':
        host.trace(`holds the lease @${effect.epoch}`)
        this.#init.told(effect)
        break
      case 'lost':
        host.trace('has lost the lease')
        this.#init.told(effect)
        break
    }
  }

  #onProbed(session: string): void {
    if (session !== this.#probe) return
    this.#timer('unanswered', undefined)
    this.handle({ type: 'probed', isReached: true })
  }

  #watch(): void {
    this.#send({ type: 'watch' })
    this.#timer('watch', WATCH_EVERY)
  }

  #sessionOf(lease: number): string {
    const session = this.#sessions.get(lease) ?? `${this.#init.host.id}-${++sessions}`
    this.#sessions.set(lease, session)
    return session
  }

  #send(request: StoreRequest): void {
    this.#init.host.trace(`-> store  ${request.type}${'session' in request ? ` ${request.session}` : ''}`)
    this.#init.host.send(STORE_ID, STORE, request)
  }

  #timer(name: string, delay: number | undefined): void {
    this.#init.host.timer(`${this.#init.prefix}${name}`, delay)
  }
}

function requestOf(timer: string): number {
  return Number(timer.slice(timer.indexOf('-') + 1))
}
