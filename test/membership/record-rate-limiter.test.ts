import { afterEach, expect, test, vi } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import type { SwimMessage } from '../../src/membership/core/messages.ts'
import { RecordRateLimiter } from '../../src/membership/record-rate-limiter.ts'
import { TokenBuckets } from '../../src/network/guard/token-buckets.ts'
import type { Channel } from '../../src/network/types.ts'
import { accusation, entry, selfRecord, sync } from './bench.ts'

/** A ping that carries one record. */
const ping = { type: 'ping', seq: 1, accusations: [accusation('a', 'm', 'silent')] } satisfies SwimMessage

afterEach(() => {
  vi.useRealTimers()
})

/** Returns a limiter with a burst of 10 records and a rate of one record a second, and a channel. */
function limited() {
  vi.useFakeTimers()
  const limit = () => new TokenBuckets({ burst: 10, perSecond: 1 }, () => Date.now())
  const limiter = new RecordRateLimiter(limit())
  const closing = new AbortController()
  const channel = { remote: 'a', closed: closing.signal, abort: vi.fn() } as unknown as Channel<SwimMessage>
  const handled: SwimMessage[] = []
  const admit = (message: SwimMessage, members = 0) =>
    limiter.admit(message, channel, members, () => void handled.push(message))
  return { limiter, channel, closing, handled, admit }
}

test('the limiter handles a message within the rate at once, and delays a message beyond the rate until the rate allows the message', async () => {
  const { admit, handled } = limited()
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

test('a message costs one record for each record that it carries, and a push-pull also for each record of the reply', () => {
  const records = (count: number) => Array.from({ length: count }, (_, i) => entry(selfRecord(`m${i}`)))
  expect(limited().admit(sync(records(10)))).toBeUndefined()
  expect(limited().admit(sync(records(11)))).toBeInstanceOf(Promise)
  expect(limited().admit(sync([], false), 11)).toBeInstanceOf(Promise)
  expect(limited().admit(sync([], true), 11)).toBeUndefined()
  const accused = entry(selfRecord('m'), [accusation('a', 'm', 'silent')])
  expect(limited().admit(sync(Array.from({ length: 6 }, () => accused)))).toBeInstanceOf(Promise)
  const accusations = Array.from({ length: 11 }, () => accusation('a', 'm', 'silent'))
  expect(limited().admit({ ...ping, accusations })).toBeInstanceOf(Promise)
  expect(limited().admit({ type: 'records', records: accusations })).toBeInstanceOf(Promise)
})

test('the limiter drops a waiting message when the channel of the message closes', async () => {
  const { admit, handled, closing } = limited()
  for (let i = 0; i < 10; i++) admit(ping)
  const later = admit(ping)
  closing.abort()
  await later
  await vi.advanceTimersByTimeAsync(60_000)
  expect(handled).toHaveLength(10)
})

test('the limiter refuses the message of a peer far beyond its rate, and closes each new channel of the peer for a while', async () => {
  const { admit, limiter, channel, handled } = limited()
  for (let i = 0; i < 30; i++) void admit(ping)
  expect(() => admit(ping)).toThrow(InvalidMessageError)
  limiter.opened(channel)
  expect(channel.abort).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(11_000)
  limiter.opened(channel)
  expect(channel.abort).toHaveBeenCalledTimes(1)
  expect(handled.length).toBeGreaterThan(10)
})

test('a peer has a backlog while at least one of its messages is being decoded', () => {
  const { limiter } = limited()
  const [first, second] = [limiter.addWaiting('a'), limiter.addWaiting('a')]
  first()
  expect(limiter.hasBacklog('a')).toBe(true)
  second()
  expect(limiter.hasBacklog('a')).toBe(false)
})
