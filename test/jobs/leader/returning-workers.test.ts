import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ReturningWorkers } from '../../../src/jobs/leader/returning-workers.ts'
import type { Member } from '../../../src/membership/core/member.ts'
import type { Membership } from '../../../src/membership/types.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Starts to wait for a, b and c, and counts the changes. */
function start(members: Record<string, Partial<Member>> = {}) {
  let changes = 0
  const workers = new ReturningWorkers({
    workers: ['a', 'b', 'c'],
    since: performance.now(),
    membership: { get: (id: string) => members[id] } as unknown as Membership,
    onChanged: () => {
      changes += 1
    }
  })
  const waiting = (): string[] => ['j', 'k'].filter(job => workers.isAwaiting(job))
  return { workers, waiting, changes: () => changes }
}

describe('workers that come back after the end of all peers', () => {
  it('a job whose chunks one of them offers waits until all are back', () => {
    const { workers, waiting, changes } = start()
    workers.joined('a')
    workers.offered('j')
    workers.offered('j')
    vi.advanceTimersByTime(2_000)
    expect([waiting(), changes()]).toEqual([['j'], 2])
    workers.joined('b')
    workers.joined('b')
    expect(waiting()).toEqual(['j'])
    workers.joined('c')
    workers.offered('k')
    expect([waiting(), changes()]).toEqual([[], 3])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a job of which nobody offers chunks waits for two seconds, and again when somebody offers one', () => {
    const { workers, waiting } = start()
    vi.advanceTimersByTime(1_999)
    expect(waiting()).toEqual(['j', 'k'])
    vi.advanceTimersByTime(1)
    expect(waiting()).toEqual([])
    workers.offered('k')
    expect(waiting()).toEqual(['k'])
  })

  it('a job waits for ten seconds at most', () => {
    const { workers, waiting, changes } = start()
    workers.offered('j')
    vi.advanceTimersByTime(9_999)
    expect(waiting()).toEqual(['j'])
    vi.advanceTimersByTime(1)
    expect([waiting(), changes()]).toEqual([[], 3])
  })

  it('nobody waits for workers that are known to be gone, or that run no chunks', () => {
    const { workers } = start({
      a: { state: 'dead', role: 'auto' },
      b: { state: 'left', role: 'auto' },
      c: { state: 'alive', role: 'leader' }
    })
    expect(workers.areAwaited).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a leader that stops waits for nobody any more', () => {
    const { workers, changes } = start()
    workers.stop()
    vi.advanceTimersByTime(20_000)
    expect(changes()).toBe(0)
  })
})
