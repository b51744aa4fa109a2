import { expect, test } from 'vitest'
import { limitsWith } from '../../src/limits.ts'
import { FloodGate } from '../../src/network/flood-gate.ts'
import { RATES } from '../../src/network/rate-limit.ts'
import { Refusals } from '../../src/network/refusals.ts'
import type { ProtocolSpec } from '../../src/network/types.ts'
import { connected, pair, textCodec, until } from './support.ts'

const LIMITS = limitsWith({ overviewBurst: 10, overviewRate: 1, floodTolerance: 20, floodPauseMs: 1_000 })

function gated() {
  const clock = { now: 1_000 }
  const refusals = new Refusals()
  const shut: string[] = []
  const gate = new FloodGate(
    LIMITS,
    refusals,
    peer => shut.push(peer),
    () => clock.now
  )
  /** How many of so many messages are taken. */
  const send = (count: number, peer = 'flooder') => {
    let taken = 0
    for (let i = 0; i < count; i++) if (gate.admits('overview', peer)) taken += 1
    return taken
  }
  return { clock, refusals, shut, gate, send }
}

test('within its rate every message is taken; beyond it each is dropped and counted', () => {
  const { clock, refusals, gate, send } = gated()
  expect(send(10)).toBe(10)
  expect(refusals.counts().rate).toBe(0)
  expect(send(5)).toBe(0)
  expect(refusals.counts().rate).toBe(5)
  expect(send(10, 'other')).toBe(10)
  clock.now += 3_000
  expect(send(5)).toBe(3)
  expect(gate.isShut('flooder')).toBe(false)
})

test('each protocol has a rate of its own', () => {
  const { gate, send } = gated()
  send(100)
  expect(gate.admits('history', 'flooder')).toBe(true)
})

test('whoever goes on is shut out for a while, and then begins anew', () => {
  const { clock, shut, gate, send } = gated()
  send(30)
  expect(shut).toEqual([])
  send(1)
  expect(shut).toEqual(['flooder'])
  expect(gate.isShut('flooder')).toBe(true)
  send(100)
  expect(shut).toEqual(['flooder'])
  expect(gate.isShut('other')).toBe(false)
  clock.now += 1_000
  expect(gate.isShut('flooder')).toBe(false)
  clock.now += 10_000
  expect(send(10)).toBe(10)
})

test('every protocol that a peer speaks has a rate', () => {
  expect(Object.keys(RATES.protocols).sort()).toEqual(
    ['swim', 'election', 'work', 'submit', 'journal', 'overview', 'history', 'attach'].sort()
  )
})

test('what is beyond the rate is not even decoded, and the flooder loses its connections and gets them back', async () => {
  const [a, b] = await pair({ limits: LIMITS })
  const decoded: string[] = []
  const spec: ProtocolSpec<string> = {
    name: 'overview',
    codec: {
      encode: textCodec.encode,
      decode: bytes => {
        const text = textCodec.decode(bytes)
        decoded.push(text)
        return text
      }
    },
    maxMessageBytes: 1_000
  }
  a.register(spec, { onMessage: () => {} })
  const flooder = b.register(spec, { onMessage: () => {} })
  const channel = await flooder.channel(a.self)
  // The stream counts as well.
  const sent = Array.from({ length: 500 }, (_, i) => channel.send(`${i}`))
  await Promise.allSettled(sent)
  await until(() => channel.closed.aborted)
  expect(decoded).toEqual(Array.from({ length: 9 }, (_, i) => `${i}`))
  expect(a.refusals.counts().rate).toBeGreaterThanOrEqual(21)
  expect(a.refusals.counts().message).toBe(0)
  await until(() => !a.isConnected(b.self))
  // It dials again, is let in when its time is over, and nobody had to do anything.
  await connected(a, b)
})
