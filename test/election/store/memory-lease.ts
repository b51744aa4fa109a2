import { EventEmitter, on } from 'node:events'
import type { LeaseState, LeaseStore } from '../../../src/election/store/lease-store.ts'

/** A store in memory. The test can read and change its state, and let it fail. */
export class MemoryLease {
  readonly state: LeaseState & { session: string | undefined; until: number } = {
    holder: undefined,
    heir: undefined,
    record: undefined,
    endsIn: undefined,
    session: undefined,
    until: 0
  }
  /** The error with which each request rejects. Undefined: the store answers. */
  failure: Error | undefined
  /** The names of the methods that were called, in order. */
  readonly calls: string[] = []
  readonly #changes = new EventEmitter().setMaxListeners(0)
  #timer: NodeJS.Timeout | undefined

  /** Returns a client of the store. */
  client(): LeaseStore {
    const call = (name: string, signal: AbortSignal): void => {
      this.calls.push(name)
      signal.throwIfAborted()
      if (this.failure !== undefined) throw this.failure
    }
    const { state } = this
    return {
      name: 'memory',
      acquire: async ({ holder, session, leaseTime, record, signal }) => {
        call('acquire', signal)
        const isReserved = state.heir !== undefined && state.heir !== holder
        if (isReserved || (state.session !== undefined && state.session !== session)) return undefined
        this.change({ session, holder, heir: undefined, record: record(state.record) }, leaseTime)
        return { record: state.record!, number: '7' }
      },
      renew: async ({ session, leaseTime, record, signal }) => {
        call('renew', signal)
        if (state.session !== session) return false
        this.change({ record: record?.(state.record!) ?? state.record }, leaseTime)
        return true
      },
      transfer: async ({ session, heir, leaseTime, signal }) => {
        call('transfer', signal)
        if (state.session === session) this.change({ session: undefined, holder: undefined, heir }, leaseTime)
      },
      release: async ({ session, signal }) => {
        call('release', signal)
        if (state.session === session) this.change({ session: undefined, holder: undefined, heir: undefined }, 0)
      },
      watch: ({ signal }) => this.#watch(signal)
    }
  }

  /** Changes the state. A lease or a reservation ends after `leaseTime` ms. */
  change(changes: Partial<typeof this.state>, leaseTime: number): void {
    Object.assign(this.state, changes)
    clearTimeout(this.#timer)
    if (this.state.session !== undefined || this.state.heir !== undefined) {
      this.#timer = setTimeout(
        () => this.change({ session: undefined, holder: undefined, heir: undefined }, 0),
        leaseTime
      ).unref()
    }
    this.#changes.emit('change')
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<LeaseState> {
    this.calls.push('watch')
    if (this.failure !== undefined) throw this.failure
    const changes = on(this.#changes, 'change', { signal })
    yield { ...this.state }
    try {
      for await (const _ of changes) yield { ...this.state }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
