import { expect, test } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { accusation, Bench } from './bench.ts'

const { period, probeTimeout } = profiles.lan

/** Lets `ms` pass and returns the times, relative to now, at which the peer sent a probe (the first ping of a period). */
function probesWithin(bench: Bench, ms: number, answer: boolean): number[] {
  const began = bench.now
  const times: number[] = []
  for (let at = 0; at < ms; at += 10) {
    bench.clear()
    bench.pass(10)
    for (const effect of bench.effects) {
      if (effect.type !== 'send' || effect.message.type !== 'ping' || effect.message.accusations.length > 0) continue
      times.push(bench.now - began)
      if (answer) bench.message(effect.to, { type: 'ack', seq: effect.message.seq })
    }
  }
  return times
}

test('a peer whose probes are all answered keeps the probe period of its profile', () => {
  const times = probesWithin(new Bench(['a', 'b', 'c']), 20 * period, true)
  expect(times.length).toBeGreaterThanOrEqual(19)
})

test('a peer that gets no answers lowers its local health and makes its probe period up to nine times as long', () => {
  const names = Array.from({ length: 40 }, (_, i) => `m${i}`)
  const times = probesWithin(new Bench(names), 40 * period, false)
  const gaps = times.slice(1).map((time, i) => time - times[i]!)
  expect(gaps.at(-1)).toBeGreaterThan(5 * period)
  expect(gaps.at(-1)).toBeLessThanOrEqual(9 * period + 10)
})

/** Measures the time between a ping and the moment when the peer asks other members to ping the target. */
function patience(bench: Bench): number {
  const until = (type: 'ping' | 'ping-req'): number => {
    for (let waited = 0; bench.sent(type).length === 0; waited += 10) {
      if (waited > 20 * period) throw new Error(`no ${type} was sent`)
      bench.pass(10)
    }
    return bench.now
  }
  bench.clear()
  const pinged = until('ping')
  return until('ping-req') - pinged
}

test('a peer that had to refute an accusation waits twice as long for an answer to a ping', () => {
  expect(patience(new Bench(['a', 'b', 'c', 'd']))).toBeCloseTo(probeTimeout, -2)
  const bench = new Bench(['a', 'b', 'c', 'd'])
  bench.message('a', { type: 'ping', seq: 1, accusations: [accusation('a', 'me', 'silent')] })
  expect(patience(bench)).toBeCloseTo(2 * probeTimeout, -2)
})

test('a peer whose event loop ran late waits twice as long for an answer to a ping', () => {
  const bench = new Bench(['a', 'b', 'c', 'd'])
  bench.give({ type: 'lag' })
  expect(patience(bench)).toBeCloseTo(2 * probeTimeout, -2)
})

test('a pause lowers local health only once if the late event itself is the lag report', () => {
  const bench = new Bench(['a', 'b', 'c', 'd'])
  bench.now += 20_000
  bench.give({ type: 'lag' })
  expect(patience(bench)).toBeCloseTo(2 * probeTimeout, -2)
})

test('a lag report directly after a pause does not count the pause again, but a later lag report counts', () => {
  const probes = (tell: (bench: Bench) => void): number => {
    const bench = new Bench(['a', 'b', 'c', 'd'])
    for (const id of ['a', 'b', 'c', 'd']) bench.answering.add(id)
    bench.freeze(20_000)
    tell(bench)
    bench.clear()
    bench.pass(4 * period)
    return bench.sent('ping').length
  }
  const untold = probes(() => {})
  expect(probes(bench => void bench.give({ type: 'lag' }))).toBe(untold)
  const later = (bench: Bench): void => {
    bench.pass(3 * period)
    bench.give({ type: 'lag' })
  }
  expect(probes(later)).toBeLessThan(probes(bench => bench.pass(3 * period)))
})

test('a peer that gets answers in time returns to the probe period of its profile', () => {
  const bench = new Bench(['a', 'b', 'c'])
  for (let incarnation = 0; incarnation < 12; incarnation++) {
    bench.message('a', { type: 'ping', seq: 1, accusations: [accusation('a', 'me', 'silent', incarnation)] })
  }
  probesWithin(bench, 60 * period, true)
  expect(probesWithin(bench, 20 * period, true).length).toBeGreaterThanOrEqual(19)
})

test('a peer whose relays answer with nacks keeps its probe period, even if every target is silent', () => {
  const names = Array.from({ length: 12 }, (_, i) => `m${i}`)
  const bench = new Bench(names)
  const times: number[] = []
  for (let at = 0; at < 12 * period; at += 5) {
    bench.clear()
    bench.pass(5)
    for (const effect of bench.effects) {
      if (effect.type !== 'send') continue
      if (effect.message.type === 'ping' && effect.message.accusations.length === 0) times.push(bench.now)
      if (effect.message.type === 'ping-req') bench.message(effect.to, { type: 'nack', seq: effect.message.seq })
    }
  }
  expect(times.length).toBeGreaterThanOrEqual(11)
})

test('a nack from a peer that was not asked as a relay does not improve local health', () => {
  const names = Array.from({ length: 40 }, (_, i) => `m${i}`)
  const bench = new Bench(names)
  const times: number[] = []
  for (let at = 0; at < 40 * period; at += 10) {
    bench.clear()
    bench.pass(10)
    for (const effect of bench.effects) {
      if (effect.type !== 'send') continue
      if (effect.message.type === 'ping' && effect.message.accusations.length === 0) times.push(bench.now)
      if (effect.message.type !== 'ping-req') continue
      const { seq, target } = effect.message
      // None of these three peers was asked as a relay: two are strangers, and the third is the silent target itself.
      for (const other of ['stranger', 'another', target]) bench.message(other, { type: 'nack', seq })
    }
  }
  expect(times.at(-1)! - times.at(-2)!).toBeGreaterThan(5 * period)
})

test('each silent relay lowers local health, so three silent relays make the next probe period four times as long', () => {
  const bench = new Bench(['a', 'b', 'c', 'd'])
  const pings = (ms: number): number[] => {
    const times: number[] = []
    for (let at = 0; at < ms; at += 10) {
      bench.clear()
      bench.pass(10)
      const isProbe = bench.sent('ping').some(({ accusations }) => accusations.length === 0)
      if (isProbe) times.push(bench.now)
    }
    return times
  }
  // The first probe fails when its period ends, so the second period is the longer period.
  const [, second, third] = pings(8 * period)
  expect(third! - second!).toBeGreaterThan(3.5 * period)
  expect(third! - second!).toBeLessThan(4.5 * period)
})
