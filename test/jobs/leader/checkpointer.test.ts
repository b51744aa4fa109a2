import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Checkpointer } from '../../../src/jobs/leader/checkpointer.ts'
import type { JobCheckpoint } from '../../../src/journal/checkpoint.ts'
import { isWhole, merged, resumeFrom, since } from '../../../src/journal/checkpoint.ts'
import type { Checkpoint } from '../../../src/tasks/execute/checkpoint.ts'
import { pack } from '../../../src/tasks/values/pack.ts'

const digest = new Uint8Array(32)
const partial = (index: number): Uint8Array => new Uint8Array([index])

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A checkpointer whose checkpoints take `cost` ms until they are replicated, and `driver.tookMs` of the thread's time. */
function start(kind: 'folded' | 'appended', cost = 0, from?: JobCheckpoint, mostBytes = 1_000) {
  const written: JobCheckpoint[] = []
  const driver = { next: from?.next ?? 0, bytes: 10, tookMs: 0, size: 1 }
  const checkpointer = new Checkpointer({
    from,
    mostBytes,
    take: async () => {
      const { next, size, tookMs } = driver
      const accumulator = new Uint8Array(size).fill(next)
      const checkpoint: Checkpoint = kind === 'appended' ? { kind, next, digest } : { kind, next, digest, accumulator }
      return { checkpoint, tookMs }
    },
    write: (checkpoint, held) => {
      written.push(checkpoint)
      setTimeout(held, cost)
    }
  })
  const fold = (count: number, peer = 'a'): void => {
    const partials = Array.from({ length: count }, (_, i) => partial(driver.next + i))
    driver.next += count
    const state = { kind, next: driver.next, bytes: driver.bytes }
    checkpointer.folded(state, { count, perPeer: new Map([[peer, count]]), partials: () => pack(partials) })
  }
  return { checkpointer, driver, fold, written, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

describe('checkpoints', () => {
  it('checkpoints cover the folded partials, with their counts by peer', async () => {
    const { fold, written, pass } = start('folded')
    fold(3)
    fold(2, 'b')
    await pass(249)
    expect(written).toEqual([])
    await pass(2)
    expect(written).toMatchObject([{ kind: 'folded', next: 5, accumulator: partial(5), perPeer: { a: 3, b: 2 } }])
    await pass(10_000)
    expect(written.length, 'and not again while nothing is folded').toBe(1)
  })

  it('checkpoints cost at most a twentieth of the time', async () => {
    const { fold, driver, written, pass } = start('folded')
    driver.tookMs = 100
    fold(1)
    await pass(250)
    expect(written.length).toBe(1)
    fold(1)
    await pass(1_990)
    expect(written.length).toBe(1)
    await pass(20)
    expect(written.length).toBe(2)
  })

  it('large checkpoints include the time to send them in their cost', async () => {
    const { fold, driver, written, pass } = start('folded', 100, undefined, 2e9)
    fold(1)
    await pass(250)
    // Waiting for others costs nothing, so the next checkpoint comes as soon as after an immediate answer.
    fold(1)
    await pass(100 + 251)
    expect(written.length).toBe(2)
    driver.size = 200_000
    fold(1)
    await pass(100 + 251)
    expect(written.length).toBe(3)
    fold(1)
    await pass(100 + 1_990)
    expect(written.length).toBe(3)
    await pass(20)
    expect(written.length).toBe(4)
  })

  it('large checkpoints wait longer at first', async () => {
    const { fold, driver, written, pass } = start('folded', 0, undefined, 2e9)
    driver.bytes = 1e8
    fold(1)
    await pass(19_990)
    expect(written.length).toBe(0)
    await pass(20)
    expect(written.length).toBe(1)
  })

  it('checkpoints that are too large for a message are not taken', async () => {
    const { fold, driver, written, pass } = start('folded')
    driver.bytes = 1_001
    fold(1)
    await pass(60_000)
    expect(written).toEqual([])
  })

  it('checkpoints do not include partials folded meanwhile, which the next one includes', async () => {
    const { fold, written, pass } = start('folded', 1)
    fold(1)
    await pass(250)
    fold(4)
    await pass(300)
    expect(written.map(({ next }) => next)).toEqual([1, 5])
  })

  it('checkpoints can be requested at once', async () => {
    const { checkpointer, fold, written, pass } = start('folded', 5)
    fold(7)
    const flushed = checkpointer.flush()
    await pass(6)
    await flushed
    expect(written.map(({ next }) => next)).toEqual([7])
    await checkpointer.flush()
    expect(written.length).toBe(1)
  })

  it('checkpoints stop when the job has ended, and pending requests resolve', async () => {
    const { checkpointer, fold, written, pass } = start('folded', 5)
    fold(7)
    const flushed = checkpointer.flush()
    checkpointer.stop()
    await flushed
    await pass(1_000)
    expect(written).toEqual([])
  })

  it('checkpoints of a task without reduce contain all partials, and only new ones are sent', async () => {
    const { fold, written, pass } = start('appended')
    fold(2)
    fold(1)
    await pass(251)
    fold(2)
    await pass(251)
    const [first, second] = written as [JobCheckpoint, JobCheckpoint]
    const indices = (checkpoint: JobCheckpoint) =>
      (resumeFrom(checkpoint) as { partials: readonly Uint8Array[] }).partials.map(bytes => bytes[0])
    expect(indices(first)).toEqual([0, 1, 2])
    expect(indices(second)).toEqual([0, 1, 2, 3, 4])
    const lacking = since(second, first.next) as JobCheckpoint & { kind: 'appended' }
    expect(lacking.partials.map(({ first, lengths }) => [first, lengths.length])).toEqual([[3, 2]])
    expect(merged(first, lacking)).toEqual(second)
    expect(merged(undefined, lacking), 'what it follows on is missing').toBeUndefined()
    expect(isWhole(lacking.partials, second.next)).toBe(false)
  })

  it('checkpoints continue from the checkpoint of an earlier leader', async () => {
    const earlier = start('appended')
    earlier.fold(3, 'b')
    await earlier.pass(251)
    const { fold, written, pass } = start('appended', 0, earlier.written[0])
    fold(1)
    await pass(251)
    expect(written[0]).toMatchObject({ next: 4, perPeer: { a: 1, b: 3 } })
    expect(isWhole((written[0] as JobCheckpoint & { kind: 'appended' }).partials, 4)).toBe(true)
  })
})

describe('the age of unreplicated folds', () => {
  it('the age of unreplicated folds is 0 before anything is folded, and when others store everything folded', async () => {
    const { checkpointer, fold, pass } = start('folded', 10)
    await pass(5_000)
    expect(checkpointer.age).toBe(0)
    fold(3)
    await pass(5)
    expect(checkpointer.age).toBe(5)
    await pass(10)
    expect(checkpointer.age).toBe(0)
    await pass(60_000)
    expect(checkpointer.age).toBe(0)
  })

  it('the age of unreplicated folds counts from the first fold during the last checkpoint', async () => {
    const { checkpointer, fold, pass } = start('folded', 100)
    fold(1)
    await pass(260)
    expect(checkpointer.age).toBe(260)
    fold(1)
    await pass(95)
    expect(checkpointer.age).toBe(95)
    await pass(1_000)
    expect(checkpointer.age).toBe(0)
  })

  it('the age of unreplicated folds continues if the state is too large for a checkpoint', async () => {
    const { checkpointer, fold, driver, pass } = start('folded')
    driver.bytes = 1_001
    fold(1)
    await pass(60_000)
    fold(1)
    await pass(1_000)
    expect(checkpointer.age).toBe(61_000)
    const appended = start('appended')
    appended.driver.bytes = 1_001
    appended.fold(1)
    await pass(1_000)
    appended.fold(1)
    expect(appended.checkpointer.age).toBe(1_000)
    const taken = start('folded')
    taken.driver.size = 1_001
    taken.fold(1)
    await pass(500)
    taken.fold(1)
    await pass(500)
    expect(taken.written).toEqual([])
    expect(taken.checkpointer.age).toBe(1_000)
  })
})
