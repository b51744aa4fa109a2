import { TypedEventEmitter } from 'main-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ClusterEvents } from '../../../src/api/types.ts'
import { tellWaiting } from '../../../src/cli/jobs/waiting.ts'

let said: string
const client = (): TypedEventEmitter<ClusterEvents> => new TypedEventEmitter<ClusterEvents>()

beforeEach(() => {
  said = ''
  vi.useFakeTimers()
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    said += text
    return true
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('a job that waits some seconds for room is reported on stderr', () => {
  const source = client()
  tellWaiting(source)
  source.dispatchEvent(new CustomEvent('waiting', { detail: { reason: '256 of 256 jobs are under way' } }))
  vi.advanceTimersByTime(2_000)
  expect(said).toBe('')
  vi.advanceTimersByTime(2_000)
  expect(said).toBe('waiting: the leader has no room for more jobs: 256 of 256 jobs are under way\n')
})

it('no message is printed for a job that the leader accepts soon', () => {
  const source = client()
  const end = tellWaiting(source)
  source.dispatchEvent(new CustomEvent('waiting', { detail: { reason: 'full' } }))
  vi.advanceTimersByTime(2_000)
  end()
  vi.advanceTimersByTime(60_000)
  expect(said).toBe('')
})
