import type { PeerIdString } from '../../network/types.ts'

export interface LockLimits {
  locks: number
  lockSessions: number
  lockSessionsPerClient: number
}

/** Counts the sessions, and refuses more of them than the limits allow. */
export class SessionLimits {
  readonly #limits: LockLimits
  readonly #counts = new Map<PeerIdString, number>()
  #sum = 0

  constructor(limits: LockLimits) {
    this.#limits = limits
  }

  /** The number of all sessions. */
  get sum(): number {
    return this.#sum
  }

  count(client: PeerIdString, change: 1 | -1): void {
    this.#sum += change
    const count = (this.#counts.get(client) ?? 0) + change
    if (count === 0) this.#counts.delete(client)
    else this.#counts.set(client, count)
  }

  /** Returns why a client may not begin one more session. `locks`: the number of other locks in use. */
  refusal(client: PeerIdString, locks: number): string | undefined {
    const { locks: mostLocks, lockSessions, lockSessionsPerClient } = this.#limits
    if ((this.#counts.get(client) ?? 0) >= lockSessionsPerClient)
      return `this client holds and waits for ${lockSessionsPerClient} locks, which is the most (lockSessionsPerClient)`
    if (this.#sum >= lockSessions)
      return `all clients hold and wait for ${lockSessions} locks, which is the most (lockSessions)`
    return locks >= mostLocks ? `${mostLocks} locks are in use, which is the most (locks)` : undefined
  }
}
