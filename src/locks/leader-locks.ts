/** The locks of one leadership of this peer: connects their core to the journal, the channels and the clock. */
import type { Limits } from '../common/limits.ts'
import type { Election } from '../election/types.ts'
import type { LedLocks, LockJournal } from '../journal/lock-keeper.ts'
import type { LockRecord } from '../journal/record.ts'
import type { TimerEvent } from '../lib/core.ts'
import { CoreTimers } from '../lib/core-timers.ts'
import type { Channel } from '../network/types.ts'
import type { LockEffect, LockEvent } from './core/events.ts'
import { LockTable } from './core/lock-table.ts'
import { keyOf, type LockRequest, type LockState } from './core/types.ts'
import { LOCKS_A_MESSAGE, type LockMessage } from './messages.ts'

type LockChannel = Channel<LockMessage>

/** A list of locks ends with the lock at which it has more sessions, so that it fits into one message. */
const SESSIONS_A_MESSAGE = 1_000

export interface LeaderLocksInit {
  journal: LockJournal
  election: Election
  limits: Limits
  nextTicket(): number
  onStop(): void
}

export class LeaderLocks implements LedLocks {
  readonly #init: LeaderLocksInit
  readonly #table: LockTable<LockChannel>
  readonly #timers = new CoreTimers(event => this.#onTimer(event))
  /** The events that arrived while the effects of an earlier event were carried out. They are handled next. */
  readonly #events: LockEvent<LockChannel>[] = []
  #isBusy = false
  #isReady = false
  #isStopped = false

  constructor(init: LeaderLocksInit) {
    const { journal, election, limits, nextTicket } = init
    this.#init = init
    this.#table = new LockTable({
      epoch: journal.epoch,
      nextTicket,
      wall: Date.now,
      lasts: () => election.isLeader && election.leader?.epoch === journal.epoch && election.remaining > 0,
      isStored: key => journal.isStored(key),
      limits
    })
  }

  counts(): { held: number; waiting: number } {
    return this.#table.counts()
  }

  adopted(key: string, record: LockRecord): void {
    this.#handle({ type: 'adopted', key, record })
  }

  ready(age: number): void {
    this.#isReady = true
    this.#handle({ type: 'ready', age })
  }

  stop(): void {
    this.#isStopped = true
    this.#timers.stop()
    this.#init.onStop()
  }

  onRequest(request: LockRequest, channel: LockChannel): void {
    this.#handle({ type: 'request', from: channel, client: channel.remote, request })
  }

  onClose(from: LockChannel): void {
    this.#handle({ type: 'closed', from })
  }

  /** Answers with the next locks in the order of their keys. Answers nothing while this leader does not know all locks. */
  list(session: string, after: string): LockMessage {
    if (!this.#isReady) return { session, type: 'not-leader' }
    const states = this.#table
      .states()
      .map(state => ({ key: keyOf(state), state }))
      .filter(({ key }) => key > after)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
    const locks: LockState[] = []
    let sessions = 0
    for (const { state } of states) {
      if (locks.length === LOCKS_A_MESSAGE || sessions > SESSIONS_A_MESSAGE) break
      locks.push(state)
      sessions += state.holders.length + state.waiters.length
    }
    return { session, type: 'locks', locks, more: states.length > locks.length }
  }

  /** If this process was paused, the messages that have arrived are read first, because they may renew what is due. */
  #onTimer(event: TimerEvent): void {
    setImmediate(() => setImmediate(() => this.#handle(event)))
  }

  #handle(event: LockEvent<LockChannel>): void {
    this.#events.push(event)
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
        if (this.#isStopped) return
        for (const effect of this.#table.handle(next, performance.now())) this.#do(effect)
      }
    } finally {
      this.#isBusy = false
    }
  }

  #do(effect: LockEffect<LockChannel>): void {
    const { journal } = this.#init
    if (this.#isStopped) return
    switch (effect.type) {
      case 'write':
        journal.write(effect.key, effect.record, () => this.#handle({ type: 'replicated', key: effect.key }))
        break
      case 'forget':
        journal.forget(effect.key)
        break
      case 'send':
        effect.to.send(effect.answer).catch(() => {})
        break
      case 'timer':
        this.#timers.set(effect)
        break
    }
  }
}
