import { afterEach, expect, test, vi } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import type { SwimMessage } from '../../src/membership/core/messages.ts'
import { FloodGuard } from '../../src/membership/flood-guard.ts'
import { TokenBuckets } from '../../src/network/guard/token-buckets.ts'
import type { Channel } from '../../src/network/types.ts'
import { accusation, entry, selfRecord, sync } from './bench.ts'

/** A message of one record. */
const ping = { type: 'ping', seq: 1, accusations: [accusation('a', 'm', 'silent')] } satisfies SwimMessage

afterEach(() => {
  vi.useRealTimers()
})

/** A guard that lets 10 records through at once and one a second, its clock, and a channel. */
function guarded() {
  vi.useFakeTimers()
  const limit = () => new TokenBuckets({ burst: 10, perSecond: 1 }, () => Date.now())
  const guard = new FloodGuard(limit())
  const closing = new AbortController()
  const channel = { remote: 'a', closed: closing.signal, abort: vi.fn() } as unknown as Channel<SwimMessage>
  const handled: SwimMessage[] = []
  const admit = (message: SwimMessage, members = 0) =>
    guard.admit(message, channel, members, () => void handled.push(message))
  return { guard, channel, closing, handled, admit }
}

test('within its rate a message is handled at once, beyond it later, and reading waits for it', async () => {
  const { admit, handled } = guarded()
  for (let i = 0; i < 10; i++) expect(admit(ping)).toBeUndefined()
  expect(handled).toHaveLength(10)
  const later = admit(ping)
  expect(later).toBeInstanceOf(Promise)
  await vi.advanceTimersByTimeAsync(999)
  expect(handled).toHaveLength(10)
  await vi.advanceTimersByTimeAsync(1)
  await later
  expect(handled).toHaveLength(11)
})

test('the records that a message carries count, and those that a push-pull asks for', () => {
  const records = (count: number) => Array.from({ length: count }, (_, i) => entry(selfRecord(`m${i}`)))
  expect(guarded().admit(sync(records(10)))).toBeUndefined()
  expect(guarded().admit(sync(records(11)))).toBeInstanceOf(Promise)
  expect(guarded().admit(sync([], false), 11)).toBeInstanceOf(Promise)
  expect(guarded().admit(sync([], true), 11)).toBeUndefined()
  const accused = entry(selfRecord('m'), [accusation('a', 'm', 'silent')])
  expect(guarded().admit(sync(Array.from({ length: 6 }, () => accused)))).toBeInstanceOf(Promise)
  const accusations = Array.from({ length: 11 }, () => accusation('a', 'm', 'silent'))
  expect(guarded().admit({ ...ping, accusations })).toBeInstanceOf(Promise)
  expect(guarded().admit({ type: 'records', records: accusations })).toBeInstanceOf(Promise)
})

test('a message that waits when its channel ends is not handled', async () => {
  const { admit, handled, closing } = guarded()
  for (let i = 0; i < 10; i++) admit(ping)
  const later = admit(ping)
  closing.abort()
  await later
  await vi.advanceTimersByTimeAsync(60_000)
  expect(handled).toHaveLength(10)
})

test('whoever is far beyond its rate loses its channel, and gets no other until that is made good', async () => {
  const { admit, guard, channel, handled } = guarded()
  for (let i = 0; i < 30; i++) void admit(ping)
  expect(() => admit(ping)).toThrow(InvalidMessageError)
  guard.opened(channel)
  expect(channel.abort).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(11_000)
  guard.opened(channel)
  expect(channel.abort).toHaveBeenCalledTimes(1)
  expect(handled.length).toBeGreaterThan(10)
})

test('while something of a peer is being decoded, what it may have answered is behind it', () => {
  const { guard } = guarded()
  const [first, second] = [guard.hold('a'), guard.hold('a')]
  first()
  expect(guard.isHolding('a')).toBe(true)
  second()
  expect(guard.isHolding('a')).toBe(false)
})
