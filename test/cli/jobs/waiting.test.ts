import { TypedEventEmitter } from 'main-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ClusterEvents, ClusterStatus } from '../../../src/api/types.ts'
import { tellDisks, tellWaiting } from '../../../src/cli/jobs/waiting.ts'
import { job, status } from '../top/fixtures.ts'

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

/** A client whose leader gives each answer for 3 s, the last one for ever, and counts the questions. */
function asked(...answers: (ClusterStatus | Error)[]): { count: number; status(): Promise<ClusterStatus> } {
  return {
    count: 0,
    async status() {
      const answer = answers[Math.min(this.count++, answers.length - 1)]!
      if (answer instanceof Error) throw answer
      return answer
    }
  }
}

const onDisks = (disk: number, durable = 2): ClusterStatus =>
  status({ jobs: [job('night', { durable, durability: { memory: 3, disk } })] })
const outcomeWaits = (held: string): string =>
  `waiting: the outcome of the job waits for 2 disks, and ${held} it: start more peers with --data-dir, or those that are gone\n`

it('a job that too few disks hold is reported once on stderr, and again when their number changes', async () => {
  tellDisks(asked(onDisks(1), onDisks(1), onDisks(0), onDisks(2), onDisks(1)), 'night', new AbortController().signal)
  const told = [outcomeWaits('1 has'), '', outcomeWaits('none has'), '', outcomeWaits('1 has'), '']
  for (const expected of told) {
    said = ''
    await vi.advanceTimersByTimeAsync(3_000)
    expect(said).toBe(expected)
  }
})

it('a job that too few disks hold is reported once, also if no leader answers for a while', async () => {
  const none = status({ leader: undefined })
  tellDisks(asked(new Error('none'), onDisks(1), none, onDisks(1)), 'night', new AbortController().signal)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(said).toBe(outcomeWaits('1 has'))
})

it('the leader is asked once about a job that needs no disk, and not any more about a job that nobody waits for', async () => {
  const free = asked(onDisks(0, 0))
  tellDisks(free, 'night', new AbortController().signal)
  const [left, leaves] = [asked(onDisks(2)), new AbortController()]
  tellDisks(left, 'night', leaves.signal)
  await vi.advanceTimersByTimeAsync(6_000)
  leaves.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([free.count, left.count, said]).toEqual([1, 2, ''])
})
