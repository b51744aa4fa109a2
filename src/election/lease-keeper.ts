import type { Logger } from '../common/logger.ts'
import type { PeerIdString } from '../network/types.ts'
import type { CoreEvent } from './core/events.ts'
import type { Lease } from './lease.ts'
import { LeaseClock } from './lease-clock.ts'
import type { LeaseTerms } from './quorum/lease.ts'
import { type LeaseMessage, Quorum, type QuorumEffect, type QuorumEvent } from './quorum/quorum.ts'
import type { ElectionStore } from './types.ts'

export interface LeaseKeeperInit {
  self: PeerIdString
  terms: LeaseTerms
  store: Pick<ElectionStore, 'promised' | 'keepPromise' | 'hasLostPromises' | 'foundPromises' | 'onLostPromises'>
  logger?: Logger | undefined
  /** Whether a peer ranks above this peer. */
  isHigher: (peer: PeerIdString) => boolean
  /** Returns the newest epoch that this peer has accepted, or 0 if it has accepted none. */
  acceptedEpoch: () => number
  send: (to: PeerIdString, message: LeaseMessage) => void
  /** Called when a majority has granted the lease, and when the lease has ended. */
  told: (event: Extract<CoreEvent, { type: 'held' | 'lost' }>) => void
}

/** Connects the lease core (quorum.ts) to real clocks and timers. */
export class LeaseKeeper implements Lease {
  readonly #init: LeaseKeeperInit
  readonly #clock = new LeaseClock()
  readonly #quorum: Quorum
  readonly #timers = new Map<string, NodeJS.Timeout>()
  #stopped = false

  constructor(init: LeaseKeeperInit) {
    this.#init = init
    const { self, terms, store, isHigher, acceptedEpoch } = init
    this.#quorum = new Quorum({
      self,
      terms,
      isHigher,
      acceptedEpoch,
      random: Math.random,
      startedAt: this.#clock.times().monotonic,
      promised: store.promised,
      hasLost: store.hasLostPromises
    })
    if (store.hasLostPromises) this.#handle({ type: 'timer', name: 'lease-promises' })
    store.onLostPromises(() => this.#handle({ type: 'lostPromises' }))
  }

  /** The time for which this peer certainly still holds the lease of this epoch, in ms; 0 without this lease. */
  remaining(epoch: number): number {
    const { heldUntil, heldEpoch } = this.#quorum
    return heldUntil === undefined || heldEpoch !== epoch ? 0 : Math.max(0, heldUntil - this.#clock.times().elapsed)
  }

  seek(above: number): void {
    this.#handle({ type: 'seek', above })
  }

  /** The voters grant the lease to any peer next. The heir seeks it first, because it has the go-ahead. */
  release(_heir: PeerIdString | undefined): void {
    this.#handle({ type: 'release' })
  }

  onMessage(from: PeerIdString, message: LeaseMessage): void {
    this.#handle({ type: 'message', from, message })
  }

  async flush(): Promise<void> {}

  #handle(event: QuorumEvent): void {
    if (this.#stopped) return
    for (const effect of this.#quorum.handle(event, this.#clock.times())) this.#perform(effect)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #perform(effect: QuorumEffect): void {
    switch (effect.type) {
      case 'persist':
        void this.#init.store
          .keepPromise(effect.promised)
          .then(isOnDisk => this.#handle({ type: 'persisted', isOnDisk }))
        break
      case 'send':
        this.#init.send(effect.to, effect.message)
        break
      case 'timer':
        this.#time(effect.name, effect.delay)
        break
      case 'promisesFound':
        this.#init.store.foundPromises()
        this.#init.logger?.info({}, 'this voter votes again: others have told it what it may have promised')
        break
      case 'promisesMissing': {
        const { missing, incomplete } = effect
        this.#init.logger?.error(
          { missing, incomplete },
          'this voter gives no vote: its data folder has lost what it promised, and more voters must tell what they did that have lost nothing. Start those. docs/operations.md says what to do if they are lost'
        )
        break
      }
      case 'held':
      case 'lost':
        this.#init.told(effect)
        break
    }
  }

  #time(name: string, delay: number | undefined): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
    if (delay === undefined) return
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      this.#handle({ type: 'timer', name })
    }, Math.ceil(delay))
    this.#timers.set(name, timer)
  }
}
