import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NoClusterError } from '../../src/common/errors.ts'
import { LockClient } from '../../src/locks/lock-client.ts'

const LOCK = {
  kind: 'lock',
  name: 'night',
  limit: 1,
  ttl: 10_000,
  owner: 'test',
  wait: Infinity,
  signal: undefined
} as const

let client: LockClient

beforeEach(() => {
  vi.useFakeTimers()
  client = new LockClient({
    leaderSource: { leader: () => undefined, subscribe: () => () => {} },
    open: () => Promise.reject(new Error('there is no leader to call'))
  })
})

afterEach(async () => {
  await client.stop()
  vi.useRealTimers()
})

test('a client that finds no leader for 10 s gets no lock, and a patient one goes on waiting', async () => {
  const ends: string[] = []
  const failed = client.acquire(LOCK).catch((error: unknown) => {
    ends.push('client')
    return error
  })
  const stop = new AbortController()
  const patient = client.acquire({ ...LOCK, isPatient: true, signal: stop.signal }).catch(() => ends.push('patient'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ends).toEqual(['client'])
  expect(await failed).toBeInstanceOf(NoClusterError)
  stop.abort()
  await patient
  expect(ends).toEqual(['client', 'patient'])
})
