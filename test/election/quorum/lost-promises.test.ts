import { describe, expect, it } from 'vitest'
import { MAX_EPOCH_STEP } from '../../../src/election/core/messages.ts'
import { type LeaseMessage, Quorum, type QuorumEffect, type QuorumEvent } from '../../../src/election/quorum/quorum.ts'
import type { Promised } from '../../../src/election/quorum/voter.ts'

const terms = { voters: ['a', 'b', 'c'], leaseTime: 1_000, drift: 0.01 }

/** The voter a, which has an old promise, and has lost later ones. */
class Voter {
  readonly kept: Promised[] = []
  readonly quorum: Quorum
  #effects: QuorumEffect[] = []

  constructor(hasLost = true) {
    this.quorum = new Quorum({
      self: 'a',
      terms,
      random: () => 0,
      startedAt: 0,
      promised: { epoch: 3, holder: 'b' },
      hasLost,
      isHigher: () => false,
      acceptedEpoch: () => 0
    })
  }

  do(event: QuorumEvent, at: number): this {
    for (const effect of this.quorum.handle(event, { monotonic: at, elapsed: at })) {
      this.#effects.push(effect)
      if (effect.type !== 'persist') continue
      this.kept.push(effect.promised)
      this.do({ type: 'persisted', isOnDisk: true }, at)
    }
    return this
  }

  hears(from: string, message: LeaseMessage, at: number): this {
    return this.do({ type: 'message', from, message }, at)
  }

  asks(from: string, epoch: number, at: number): this {
    return this.hears(from, { type: 'lease', request: { epoch, sequence: 1 } }, at)
  }

  answer(from: string, epoch: number, at: number, rest: { isIncomplete?: boolean; sequence?: number } = {}): this {
    const { isIncomplete = false, sequence = 1 } = rest
    return this.hears(from, { type: 'promiseAnswer', sequence, promised: { epoch, holder: 'c' }, isIncomplete }, at)
  }

  wake(at: number): this {
    return this.do({ type: 'timer', name: 'lease-promises' }, at)
  }

  /** The messages since the last call. */
  told(): { to: string; type: LeaseMessage['type'] }[] {
    return this.take().flatMap(effect => (effect.type === 'send' ? [{ to: effect.to, type: effect.message.type }] : []))
  }

  take(): QuorumEffect[] {
    return this.#effects.splice(0)
  }
}

describe('a voter that has lost promises', () => {
  it('asks the other voters when its lost promises hold no longer, and not before', () => {
    const a = new Voter().wake(0)
    expect(a.take()).toEqual([{ type: 'timer', name: 'lease-promises', delay: 1_000 }])
    expect(a.wake(1_000).told()).toEqual([
      { to: 'b', type: 'promiseQuery' },
      { to: 'c', type: 'promiseQuery' }
    ])
  })

  it('gives no promise until a majority of voters that have lost nothing has told theirs, and then only for a later epoch', () => {
    const a = new Voter().wake(1_000)
    expect(a.asks('c', 7, 1_010).told()).toContainEqual({ to: 'c', type: 'denial' })
    a.answer('b', 7, 1_020).take()
    expect(a.asks('c', 8, 1_030).told()).toContainEqual({ to: 'c', type: 'denial' })
    expect(a.answer('c', 9, 1_040).take()).toContainEqual({ type: 'promisesFound' })
    expect(a.kept).toEqual([{ epoch: 9, holder: 'c' }])
    expect(a.asks('b', 9, 1_050).told()).toContainEqual({ to: 'b', type: 'denial' })
    expect(a.asks('b', 10, 1_060).told()).toContainEqual({ to: 'b', type: 'grant' })
    expect(a.kept.at(-1)).toEqual({ epoch: 10, holder: 'b' })
  })

  it('does not count answers of voters that have lost promises themselves, and says how many are missing', () => {
    const a = new Voter().wake(1_000).answer('b', 7, 1_010, { isIncomplete: true }).answer('c', 7, 1_010)
    a.take()
    const effects = a.wake(2_000).take()
    expect(effects).toContainEqual({ type: 'promisesMissing', missing: 1, incomplete: ['b'] })
    expect(effects).toContainEqual({ type: 'send', to: 'b', message: { type: 'promiseQuery', sequence: 2 } })
    expect(a.answer('b', 7, 2_010, { sequence: 2 }).take()).toContainEqual({ type: 'promisesFound' })
  })

  it('counts only answers to its last question, of voters, and within reach', () => {
    const a = new Voter().wake(1_000)
    a.answer('b', 7, 1_010).take()
    a.answer('c', 7, 1_010, { sequence: 9 }).answer('stranger', 7, 1_010).answer('a', 7, 1_010)
    a.answer('c', 4 + MAX_EPOCH_STEP, 1_010)
    expect(a.take().filter(({ type }) => type !== 'timer')).toEqual([])
    expect(a.answer('c', 3 + MAX_EPOCH_STEP, 1_010).take()).toContainEqual({ type: 'promisesFound' })
  })

  it('says so to others that ask, and tells its promise when it has lost nothing', () => {
    const answer = (voter: Voter): QuorumEffect | undefined =>
      voter
        .hears('b', { type: 'promiseQuery', sequence: 5 }, 10)
        .take()
        .find(({ type }) => type === 'send')
    const promised = { epoch: 3, holder: 'b' }
    const message = { type: 'promiseAnswer', sequence: 5, promised, isIncomplete: false }
    expect(answer(new Voter(false))).toEqual({ type: 'send', to: 'b', message })
    expect(answer(new Voter())).toEqual({ type: 'send', to: 'b', message: { ...message, isIncomplete: true } })
  })

  it('that learns of the loss while it runs gives no new promise from then on', () => {
    const a = new Voter(false)
    expect(a.asks('b', 4, 2_000).told()).toEqual([{ to: 'b', type: 'grant' }])
    expect(a.do({ type: 'lostPromises' }, 2_100).told()).toContainEqual({ to: 'b', type: 'promiseQuery' })
    expect(a.asks('c', 5, 4_000).told()).toContainEqual({ to: 'c', type: 'denial' })
  })
})
