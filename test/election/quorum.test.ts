import { expect, test } from 'vitest'
import type { Promised } from '../../src/election/grantor.ts'
import { MAX_EPOCH, MAX_EPOCH_STEP } from '../../src/election/messages.ts'
import { type LeaseMessage, Quorum, type QuorumEffect, type QuorumEvent } from '../../src/election/quorum.ts'

const terms = { voters: ['a', 'b', 'c'], leaseTime: 1_000, drift: 0.01 }
/** Past the time for which a voter grants nothing after its start. */
const LATER = 2_000

function voter(self: string, accepted = 0) {
  const kept: Promised[] = []
  const quorum = new Quorum({
    self,
    terms,
    random: () => 0.5,
    startedAt: 0,
    promised: undefined,
    persist: promised => kept.push(promised) > 0,
    isHigher: () => false,
    acceptedEpoch: () => accepted
  })
  const handle = (event: QuorumEvent, at = LATER): QuorumEffect[] =>
    quorum.handle(event, { monotonic: at, elapsed: at })
  return { kept, handle, quorum }
}

const told = (effects: QuorumEffect[]): LeaseMessage[] =>
  effects.flatMap(effect => (effect.type === 'send' && effect.to === 'b' ? [effect.message] : []))
const asked = (effects: QuorumEffect[]): number[] =>
  told(effects).flatMap(message => (message.type === 'lease' ? [message.request.epoch] : []))

function denial(epoch: number, promised: Promised, sequence = 1): LeaseMessage {
  return { type: 'denial', request: { epoch, sequence }, promised, wait: 0 }
}

test('a candidate seeks a majority for an epoch above all it knows of, and holds the lease with that', () => {
  const { handle, quorum, kept } = voter('a')
  expect(asked(handle({ type: 'seek', above: 6 }))).toEqual([7])
  expect(kept).toEqual([{ epoch: 7, holder: 'a' }])
  expect(quorum.heldUntil).toBeUndefined()
  const effects = handle({ type: 'message', from: 'c', message: { type: 'grant', request: { epoch: 7, sequence: 1 } } })
  expect(effects).toContainEqual({ type: 'held', epoch: 7 })
})

test('an epoch that a voter has promised to somebody else is given up at once', () => {
  const { handle } = voter('a')
  handle({ type: 'seek', above: 6 })
  handle({ type: 'message', from: 'b', message: denial(7, { epoch: 7, holder: 'c' }) })
  const [next] = asked(handle({ type: 'timer', name: 'lease-round' }, LATER + 20))
  expect(next).toBeGreaterThan(7)
})

test('what is said to be promised counts only from a voter, for a request that was sent, and within reach', () => {
  const unmoved = (from: string, message: LeaseMessage): void => {
    const { handle } = voter('a')
    handle({ type: 'seek', above: 6 })
    handle({ type: 'message', from, message })
    expect(asked(handle({ type: 'timer', name: 'lease-round' }, LATER + 20)), `${from} ${message.type}`).toEqual([7])
  }
  unmoved('stranger', denial(7, { epoch: 500, holder: 'c' }))
  unmoved('b', denial(7, { epoch: 500, holder: 'c' }, 99))
  unmoved('b', denial(7, { epoch: 8 + MAX_EPOCH_STEP, holder: 'c' }))
})

test('a voter grants no epoch that would leave no numbers to the others', () => {
  const ask = (from: string, epoch: number, accepted = 0) => {
    const { handle, kept } = voter('a', accepted)
    const answers = handle({ type: 'message', from, message: { type: 'lease', request: { epoch, sequence: 1 } } })
    return { granted: told(answers).some(({ type }) => type === 'grant'), kept: kept.length }
  }
  expect(ask('b', MAX_EPOCH)).toEqual({ granted: false, kept: 0 })
  expect(ask('b', MAX_EPOCH_STEP + 1)).toEqual({ granted: false, kept: 0 })
  expect(ask('b', MAX_EPOCH_STEP)).toEqual({ granted: true, kept: 1 })
  // A voter that was admitted to a cluster of great age.
  expect(ask('b', MAX_EPOCH_STEP + 6, 5)).toEqual({ granted: false, kept: 0 })
  expect(ask('b', MAX_EPOCH_STEP + 5, 5)).toEqual({ granted: true, kept: 1 })
  expect(ask('b', MAX_EPOCH + 1, MAX_EPOCH)).toEqual({ granted: false, kept: 0 })
})
