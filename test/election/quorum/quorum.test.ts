import { expect, test } from 'vitest'
import { MAX_EPOCH, MAX_EPOCH_STEP } from '../../../src/election/core/messages.ts'
import { type LeaseMessage, Quorum, type QuorumEffect, type QuorumEvent } from '../../../src/election/quorum/quorum.ts'
import type { Promised } from '../../../src/election/quorum/voter.ts'
import { randomFrom } from '../../simulation/world.ts'

const terms = { voters: ['a', 'b', 'c'], leaseTime: 1_000, drift: 0.01 }
/** A time in ms at which a started voter already grants leases. */
const LATER = 2_000

function voter(self: string, accepted = 0) {
  const kept: Promised[] = []
  const quorum = new Quorum({
    self,
    terms,
    random: () => 0.5,
    startedAt: 0,
    promised: undefined,
    isHigher: () => false,
    acceptedEpoch: () => accepted
  })
  /** Handles an event, and immediately completes each write. */
  const handle = (event: QuorumEvent, at = LATER): QuorumEffect[] =>
    quorum.handle(event, { monotonic: at, elapsed: at }).flatMap(effect => {
      if (effect.type !== 'persist') return [effect]
      kept.push(effect.promised)
      return handle({ type: 'persisted', isOnDisk: true }, at)
    })
  return { kept, handle, quorum }
}

const told = (effects: QuorumEffect[], to = 'b'): LeaseMessage[] =>
  effects.flatMap(effect => (effect.type === 'send' && effect.to === to ? [effect.message] : []))
const asked = (effects: QuorumEffect[]): number[] =>
  told(effects).flatMap(message => (message.type === 'lease' ? [message.request.epoch] : []))

function denial(epoch: number, promised: Promised, sequence = 1): LeaseMessage {
  return { type: 'denial', request: { epoch, sequence }, promised, wait: 0 }
}

test('a candidate asks for an epoch above all epochs that it knows, and holds the lease with a majority of grants', () => {
  const { handle, quorum, kept } = voter('a')
  expect(asked(handle({ type: 'seek', above: 6 }))).toEqual([7])
  expect(kept).toEqual([{ epoch: 7, holder: 'a' }])
  expect(quorum.heldUntil).toBeUndefined()
  const effects = handle({ type: 'message', from: 'c', message: { type: 'grant', request: { epoch: 7, sequence: 1 } } })
  expect(effects).toContainEqual({ type: 'held', epoch: 7 })
})

test('a candidate asks for a higher epoch when a voter has promised the requested epoch to another peer', () => {
  const { handle } = voter('a')
  handle({ type: 'seek', above: 6 })
  handle({ type: 'message', from: 'b', message: denial(7, { epoch: 7, holder: 'c' }) })
  const [next] = asked(handle({ type: 'timer', name: 'lease-round' }, LATER + 20))
  expect(next).toBeGreaterThan(7)
})

test('a candidate counts a denial only if it comes from a voter, answers a request of this candidate, and is within MAX_EPOCH_STEP', () => {
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

test('a voter refuses an epoch that is more than MAX_EPOCH_STEP above its newest epoch, or that is above MAX_EPOCH', () => {
  const ask = (from: string, epoch: number, accepted = 0) => {
    const { handle, kept } = voter('a', accepted)
    const answers = handle({ type: 'message', from, message: { type: 'lease', request: { epoch, sequence: 1 } } })
    return { granted: told(answers).some(({ type }) => type === 'grant'), kept: kept.length }
  }
  expect(ask('b', MAX_EPOCH)).toEqual({ granted: false, kept: 0 })
  expect(ask('b', MAX_EPOCH_STEP + 1)).toEqual({ granted: false, kept: 0 })
  expect(ask('b', MAX_EPOCH_STEP)).toEqual({ granted: true, kept: 1 })
  // The voter has accepted epoch 5.
  expect(ask('b', MAX_EPOCH_STEP + 6, 5)).toEqual({ granted: false, kept: 0 })
  expect(ask('b', MAX_EPOCH_STEP + 5, 5)).toEqual({ granted: true, kept: 1 })
  expect(ask('b', MAX_EPOCH + 1, MAX_EPOCH)).toEqual({ granted: false, kept: 0 })
})

/** Returns the time from the last renewal of a holder that then dies until a or b holds the lease, in ms. a and b seek the lease. */
function takeover(seed: number): number {
  const random = randomFrom(seed)
  const parts = { terms, random, startedAt: 0, promised: undefined, acceptedEpoch: () => 1 }
  const peers = new Map([
    ['a', new Quorum({ ...parts, self: 'a', isHigher: id => id === 'b' })],
    ['b', new Quorum({ ...parts, self: 'b', isHigher: () => false })]
  ])
  const died = LATER
  let now = died
  /** The pending timers and messages. A message takes 1 ms, so that the requests of a and b cross. */
  let due: Array<{ at: number; self: string; event: QuorumEvent }> = []
  const later = (ms: number, self: string, event: QuorumEvent): void => void due.push({ at: now + ms, self, event })
  const handle = (self: string, event: QuorumEvent): void => {
    for (const effect of peers.get(self)!.handle(event, { monotonic: now, elapsed: now })) {
      if (effect.type === 'persist') handle(self, { type: 'persisted', isOnDisk: true })
      else if (effect.type === 'timer' && effect.name === 'lease-round') {
        due = due.filter(waiting => waiting.self !== self || waiting.event.type !== 'timer')
        if (effect.delay !== undefined) later(effect.delay, self, { type: 'timer', name: 'lease-round' })
      } else if (effect.type === 'send' && peers.has(effect.to))
        later(1, effect.to, { type: 'message', from: self, message: effect.message })
    }
  }
  const renewal: LeaseMessage = { type: 'lease', request: { epoch: 1, sequence: 1 } }
  for (const self of peers.keys()) handle(self, { type: 'message', from: 'c', message: renewal })
  later(30, 'b', { type: 'seek', above: 1 })
  // At this time the lower-ranked peer a no longer waits for b.
  later(850 + 150 * random(), 'a', { type: 'seek', above: 1 })
  while ([...peers.values()].every(({ heldUntil }) => heldUntil === undefined)) {
    due.sort((one, other) => one.at - other.at)
    const { at, self, event } = due.shift()!
    now = at
    handle(self, event)
  }
  return now - died
}

test('when the lease of a dead holder ends, a candidate soon holds a new lease, even if another candidate seeks it at the same time', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const time = takeover(seed)
    expect(time, `seed ${seed}`).toBeGreaterThanOrEqual(terms.leaseTime)
    expect(time, `seed ${seed}`).toBeLessThan(terms.leaseTime + 100)
  }
})
