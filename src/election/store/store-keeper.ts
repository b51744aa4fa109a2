/** Connects the core of the lease (store-lease.ts) to a store, and to real clocks and timers. */
import { randomUUID } from 'node:crypto'
import { ElectionStoreError, StoppedError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import { allowManyListeners, atMost, eitherSignal, orAborted, signalAfter } from '../../lib/abort.ts'
import { Backoff } from '../../lib/backoff.ts'
import { CoreTimers } from '../../lib/core-timers.ts'
import type { Membership } from '../../membership/types.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { CoreEvent } from '../core/events.ts'
import type { Lease } from '../lease.ts'
import { LeaseClock } from '../lease-clock.ts'
import type { HolderRecord } from '../types.ts'
import { CutOff } from './cut-off.ts'
import { type OpenStore, presentState } from './open-store.ts'
import { readRecord, type StoreRecord, writeRecord } from './record.ts'
import { type StoreEffect, type StoreEvent, StoreLease, storeRules } from './store-lease.ts'

export interface StoreKeeperInit {
  self: PeerIdString
  opened: OpenStore
  membership: Membership
  /** How long this leader may reach fewer than half of its members, in ms. */
  patience: number
  logger: Logger | undefined
  told: (event: Extract<CoreEvent, { type: 'held' | 'lost' | 'reach' }>) => void
}

/** The pauses between two attempts to watch the store, in ms. */
const PAUSES = { first: 100, last: 2_000 } as const

/** The longest time for which a peer that leaves waits for the release of its lease, in ms. */
const LONGEST_GIVE = 2_000

export class StoreKeeper implements Lease {
  readonly #init: StoreKeeperInit
  readonly #clock = new LeaseClock()
  readonly #core: StoreLease
  readonly #timers = new CoreTimers(event => this.#handle(event))
  readonly #cutOff: CutOff
  readonly #stopping = new AbortController()
  /** The session and the requests of the newest lease. */
  #lease = { number: 0, session: '', requests: new Set<Promise<unknown>>(), ended: new AbortController() }
  #watching: AbortController | undefined
  /** The releases that the store has not answered yet. */
  readonly #giving = new Set<Promise<void>>()
  #isAnswering = true
  /** The last grant of the store. */
  #granted: { record: StoreRecord; number: string | undefined } | undefined
  /** How often this leader has asked the store to name other holders. */
  #changes = 0

  constructor(init: StoreKeeperInit) {
    const { self, opened, membership, patience } = init
    this.#init = init
    this.#core = new StoreLease({ self, terms: opened, random: Math.random })
    this.#cutOff = new CutOff({
      membership,
      patience,
      onCutOff: () => {
        init.logger?.warn({}, 'this leader reaches fewer than half of its members: it renews its lease no longer')
        this.#handle({ type: 'cutOff' })
      }
    })
    this.#handle({ type: 'start' })
  }

  remaining(epoch: number): number {
    const { heldUntil, heldEpoch } = this.#core
    return heldUntil === undefined || heldEpoch !== epoch ? 0 : Math.max(0, heldUntil - this.#clock.times().elapsed)
  }

  /** The store's own number of the lease that this peer holds. Undefined without a lease, and if the store has no such number. */
  get number(): string | undefined {
    return this.#core.heldEpoch === undefined ? undefined : this.#granted?.number
  }

  get holders(): HolderRecord | undefined {
    const { heldEpoch } = this.#core
    if (heldEpoch === undefined || this.#granted === undefined) return undefined
    return { named: this.#granted.record.holders, name: holders => this.#name(heldEpoch, holders) }
  }

  seek(above: number): void {
    this.#handle({ type: 'seek', above })
  }

  release(heir: PeerIdString | undefined): void {
    this.#handle({ type: 'release', heir })
  }

  async flush(): Promise<void> {
    await Promise.all(this.#giving)
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#timers.stop()
    this.#cutOff.end()
    this.#stopping.abort(new StoppedError('the election was stopped'))
    this.#watching?.abort(this.#stopping.signal.reason)
    this.#lease.ended.abort(this.#stopping.signal.reason)
    await atMost(Promise.allSettled([...this.#lease.requests, ...this.#giving]), LONGEST_GIVE)
  }

  #handle(event: StoreEvent): void {
    if (this.#stopping.signal.aborted) return
    for (const effect of this.#core.handle(event, this.#clock.times().elapsed)) this.#perform(effect)
  }

  #perform(effect: StoreEffect): void {
    switch (effect.type) {
      case 'acquire':
        void this.#acquire(effect)
        break
      case 'renew':
        void this.#renew(effect.request)
        break
      case 'give':
        this.#track(this.#giving, this.#give(effect.heir))
        break
      case 'probe':
        void this.#probe()
        break
      case 'watch':
        this.#watching?.abort(new StoppedError('this peer no longer seeks the lease'))
        this.#watching = effect.isOn ? new AbortController() : undefined
        if (this.#watching !== undefined) void this.#watch(this.#watching.signal)
        break
      case 'timer':
        this.#timers.set({ ...effect, delay: effect.delay && Math.ceil(effect.delay) })
        break
      case 'reach':
        this.#init.told(effect)
        break
      case 'held':
        this.#cutOff.begin()
        this.#init.told(effect)
        break
      case 'lost':
        this.#cutOff.end()
        this.#init.told(effect)
        break
    }
  }

  async #acquire({ request, lease, above }: Extract<StoreEffect, { type: 'acquire' }>): Promise<void> {
    if (lease !== this.#lease.number) {
      this.#lease = { number: lease, session: randomUUID(), requests: new Set(), ended: new AbortController() }
    }
    const { session } = this.#lease
    const { self: holder, opened } = this.#init
    const { store, leaseTime } = opened
    const record = (recorded: string | undefined): string => this.#record(recorded, above)
    const granted = await this.#ask(async signal => {
      const lease = await store.acquire({ holder, session, leaseTime, record, signal })
      return lease && { record: readRecord(lease.record), number: lease.number }
    })
    if (granted?.answer !== undefined) this.#granted = granted.answer
    this.#handle({ type: 'acquired', request, epoch: granted?.answer?.record.epoch })
  }

  /** The record of a new lease: with an epoch above the epochs of all earlier leases. */
  #record(recorded: string | undefined, above: number): string {
    const { id, store } = this.#init.opened
    const before: StoreRecord =
      recorded === undefined ? { id, epoch: 0, holders: [], changes: 0 } : readRecord(recorded)
    if (before.id !== id) {
      throw new ElectionStoreError(
        `the store ${store.name} holds the lease of another cluster, or its data was replaced: restart all peers of this cluster`
      )
    }
    return writeRecord({ ...before, epoch: storeRules.epochAfter(before.epoch, above), changes: 0 })
  }

  /** Names the holders in the record. A request that the store carries out late must not undo a later one. */
  async #name(epoch: number, holders: readonly PeerIdString[]): Promise<boolean> {
    const { session } = this.#lease
    const { store, leaseTime } = this.#init.opened
    this.#changes += 1
    const changes = this.#changes
    let written: StoreRecord | undefined
    const record = (recorded: string): string => {
      const before = readRecord(recorded)
      const isLate = before.epoch < epoch || before.changes >= changes
      written = isLate ? undefined : { ...before, holders, changes }
      return written === undefined ? recorded : writeRecord(written)
    }
    if (this.#core.heldEpoch !== epoch) return false
    const named = await this.#ask(signal => store.renew({ session, leaseTime, record, signal }))
    if (named === undefined || (named.answer && written === undefined))
      throw new ElectionStoreError(`the store ${store.name} has not named the holders of the journal`)
    // The journal may begin anew in this leadership, after a hand-off that failed.
    if (named.answer && written !== undefined && this.#granted !== undefined)
      this.#granted = { ...this.#granted, record: written }
    return named.answer
  }

  async #renew(request: number): Promise<void> {
    const { session } = this.#lease
    const { store, leaseTime } = this.#init.opened
    const renewed = await this.#ask(signal => store.renew({ session, leaseTime, signal }))
    this.#handle({ type: 'renewed', request, isHeld: renewed?.answer })
  }

  /** Sends a request of the present lease. Resolves with undefined if the store does not answer within the lease time. */
  async #ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<{ answer: T } | undefined> {
    const { requests, ended } = this.#lease
    const { signal, release } = eitherSignal(ended.signal, signalAfter(this.#init.opened.leaseTime))
    const answer = (async () => await request(allowManyListeners(signal)))()
    // The request may go on in the store when this peer no longer waits.
    this.#track<unknown>(requests, answer)
    try {
      const value = await orAborted(answer, signal)
      this.#answers()
      return { answer: value }
    } catch (error) {
      if (!ended.signal.aborted) this.#answersNot(error)
      return undefined
    } finally {
      release()
    }
  }

  /** Releases the lease when its requests have ended, because the store might carry out a request after the release. */
  async #give(heir: PeerIdString | undefined): Promise<void> {
    const { session, requests, ended } = this.#lease
    const { store, leaseTime } = this.#init.opened
    this.#cutOff.end()
    ended.abort(new StoppedError('this peer gives the lease up'))
    const longest = Math.min(leaseTime, LONGEST_GIVE)
    await atMost(Promise.allSettled(requests), longest / 2)
    const signal = allowManyListeners(signalAfter(longest))
    try {
      const given =
        heir === undefined ? store.release({ session, signal }) : store.transfer({ session, heir, leaseTime, signal })
      await orAborted(given, signal)
    } catch (error) {
      this.#answersNot(error)
    }
  }

  async #probe(): Promise<void> {
    const { store, leaseTime } = this.#init.opened
    const { signal, release } = eitherSignal(this.#stopping.signal, signalAfter(leaseTime / 2))
    try {
      await orAborted(presentState(store, allowManyListeners(signal)), signal)
      this.#answers()
      this.#handle({ type: 'probed', isReached: true })
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#answersNot(error)
      this.#handle({ type: 'probed', isReached: false })
    } finally {
      release()
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(PAUSES.first, PAUSES.last)
    while (!signal.aborted) {
      try {
        for await (const state of this.#init.opened.store.watch({ signal: allowManyListeners(signal) })) {
          if (signal.aborted) return
          backoff.reset()
          this.#handle({ type: 'state', state })
        }
      } catch (error) {
        if (!signal.aborted) this.#answersNot(error)
      }
      await backoff.wait(signal).catch(() => {})
    }
  }

  #track<T>(set: Set<Promise<T>>, promise: Promise<T>): void {
    set.add(promise)
    const forget = (): unknown => set.delete(promise)
    promise.then(forget, forget)
  }

  /** Logs the first failure of the store, and its recovery. */
  #answersNot(error: unknown): void {
    const { logger, opened } = this.#init
    if (this.#isAnswering)
      logger?.warn(
        { error, store: opened.store.name },
        'the store of the election does not answer: without it no peer leads'
      )
    this.#isAnswering = false
  }

  #answers(): void {
    if (!this.#isAnswering)
      this.#init.logger?.info({ store: this.#init.opened.store.name }, 'the store of the election answers again')
    this.#isAnswering = true
  }
}
