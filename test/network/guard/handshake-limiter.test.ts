import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HANDSHAKE_RATE, HandshakeLimiter } from '../../../src/network/guard/handshake-limiter.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Begins `count` handshakes at the same time. The result counts the handshakes that are admitted (`in`), closed (`away`) and failed. */
function connectAll(
  limiter: HandshakeLimiter,
  host: string,
  count: number
): { in: number; away: number; failed: number } {
  const come = { in: 0, away: 0, failed: 0 }
  for (let i = 0; i < count; i++) {
    limiter.admits(host).then(
      isIn => {
        if (isIn) come.in += 1
        else come.away += 1
      },
      () => {
        come.failed += 1
      }
    )
  }
  return come
}

test('the limiter admits all handshakes of a host without a limit at once', async () => {
  const limiter = new HandshakeLimiter()
  limiter.limit('192.0.2.7', 60_000)
  const come = connectAll(limiter, '192.0.2.8', 1_000)
  await vi.advanceTimersByTimeAsync(0)
  expect(come).toEqual({ in: 1_000, away: 0, failed: 0 })
})

test('the limiter admits handshakes of a limited host at a low rate, and closes connections that would wait longer than 5 s', async () => {
  const limiter = new HandshakeLimiter()
  limiter.limit('192.0.2.7', 60_000)
  const come = connectAll(limiter, '192.0.2.7', 1_000)
  await vi.advanceTimersByTimeAsync(0)
  const { burst, perSecond } = HANDSHAKE_RATE
  expect(come).toEqual({ in: burst, away: 1_000 - burst - 5 * perSecond, failed: 0 })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(come.in).toBe(burst + 2 * perSecond)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(come.in).toBe(burst + 5 * perSecond)
})

test('the limiter admits the handshakes of a host at once again when the limit of the host has ended', async () => {
  const limiter = new HandshakeLimiter()
  limiter.limit('192.0.2.7', 60_000)
  // The second limit is shorter and does not end the first limit.
  limiter.limit('192.0.2.7', 1_000)
  await vi.advanceTimersByTimeAsync(59_000)
  const early = connectAll(limiter, '192.0.2.7', 100)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(early.away).toBeGreaterThan(0)
  const come = connectAll(limiter, '192.0.2.7', 100)
  await vi.advanceTimersByTimeAsync(0)
  expect(come.in).toBe(100)
})

test('stopping the limiter rejects the handshakes that wait', async () => {
  const limiter = new HandshakeLimiter()
  limiter.limit('192.0.2.7', 60_000)
  const come = connectAll(limiter, '192.0.2.7', HANDSHAKE_RATE.burst + 2)
  limiter.stop()
  await vi.advanceTimersByTimeAsync(0)
  expect(come).toEqual({ in: HANDSHAKE_RATE.burst, away: 0, failed: 2 })
  expect(vi.getTimerCount()).toBe(0)
})
