import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SubmissionQueue, type Turn } from '../../../src/jobs/client/submission-queue.ts'

const FULL = { reason: 'full', ms: 200, places: 0 }
const TOO_FAST = { reason: 'too fast', ms: 100, places: 20 }

let queue: SubmissionQueue
let told: string[]
/** The numbers of the submissions in the order of sending; a repeated one occurs again. */
let sent: number[]
const turns = new Map<number, Turn>()

beforeEach(() => {
  vi.useFakeTimers()
  told = []
  sent = []
  turns.clear()
  queue = new SubmissionQueue(reason => told.push(reason))
})

afterEach(() => {
  queue.stop(new Error('the test is over'))
  vi.useRealTimers()
})

/** Submits `count` jobs, numbered from `first` on. */
async function submit(count: number, first = 0, bytes = 0): Promise<void> {
  for (let i = first; i < first + count; i++) {
    queue.take(bytes, undefined).then(
      turn => {
        turns.set(i, turn)
        sent.push(i)
      },
      () => {}
    )
  }
  await vi.advanceTimersByTimeAsync(0)
}

async function accept(...numbers: number[]): Promise<void> {
  for (const i of numbers) queue.accepted(turns.get(i)!)
  await vi.advanceTimersByTimeAsync(0)
}

async function end(i: number): Promise<void> {
  queue.over(turns.get(i)!)
  await vi.advanceTimersByTimeAsync(0)
}

function busy(i: number, why = FULL): void {
  queue.busy(turns.get(i)!, why, () => sent.push(i))
}

const range = (first: number, end: number): number[] => Array.from({ length: end - first }, (_, i) => first + i)

describe('submissions', () => {
  it('submissions are sent in order, with at most 32 unanswered', async () => {
    await submit(100)
    expect(sent).toEqual(range(0, 32))
    await accept(0, 1)
    expect(sent).toEqual(range(0, 34))
  })

  it('submissions wait while there is no room, and are sent in the order of submission', async () => {
    await submit(40)
    await accept(0)
    for (const i of [2, 1, ...range(3, 33)]) busy(i)
    expect(sent).toHaveLength(33)
    await vi.advanceTimersByTimeAsync(250)
    expect(sent.slice(33)).toEqual([1])
    await accept(1)
    expect(sent.slice(33)).toEqual([1, 2, 3])
    await accept(2, 3)
    expect(sent.slice(33)).toEqual(range(1, 8))
  })

  it('submissions are sent one by one as jobs end, if the leader has no room before', async () => {
    await submit(40)
    await accept(0, 1)
    for (const i of range(2, 34)) busy(i)
    sent = []
    await end(0)
    await end(1)
    expect(sent).toEqual([2, 3])
    await accept(2)
    expect(sent).toEqual([2, 3])
    await end(2)
    expect(sent).toEqual([2, 3, 4])
  })

  it('submissions are sent in batches of the size that the leader allows after a rate limit', async () => {
    await submit(80)
    await accept(0)
    for (const i of range(1, 33)) busy(i, TOO_FAST)
    sent = []
    await end(0)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(125)
    expect(sent).toEqual(range(1, 21))
  })

  it('submissions are retried less and less often while there is no room', async () => {
    await submit(1)
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      const before = Date.now()
      const count = sent.length
      busy(0)
      while (sent.length === count) await vi.advanceTimersByTimeAsync(10)
      waits.push(Date.now() - before)
    }
    expect(waits[0]).toBeLessThanOrEqual(260)
    expect(waits[7]).toBeGreaterThanOrEqual(2_000)
    expect(waits[7]).toBeLessThanOrEqual(2_510)
  })

  it('submissions wait longer if they are larger', async () => {
    await submit(1, 0, 100 * 2 ** 20)
    busy(0)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toEqual([0])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent).toEqual([0, 0])
  })

  it('waiting submissions cause one event until all have been accepted', async () => {
    await submit(2)
    busy(0)
    busy(1)
    expect(told).toEqual(['full'])
    await accept(0, 1)
    await submit(1, 2)
    await vi.advanceTimersByTimeAsync(250)
    busy(2)
    expect(told).toEqual(['full', 'full'])
  })

  it('submissions cause another waiting event when the earlier ones were given up', async () => {
    await submit(1)
    busy(0)
    queue.over(turns.get(0)!)
    await vi.advanceTimersByTimeAsync(250)
    await submit(1, 1)
    busy(1)
    expect(told).toEqual(['full', 'full'])
  })

  it('submissions are not sent again after a next leader has accepted them', async () => {
    await submit(2)
    busy(0)
    busy(1)
    sent = []
    await accept(0)
    await vi.advanceTimersByTimeAsync(250)
    expect(sent).toEqual([1])
  })

  it('cancelled submissions make room for the next ones', async () => {
    await submit(33)
    await end(0)
    expect(sent).toEqual(range(0, 33))
  })

  it('submissions are given up together if they were never sent', async () => {
    await submit(32)
    const waiting = queue.take(0, undefined)
    queue.giveUp(new Error('no leader'))
    await expect(waiting).rejects.toThrow('no leader')
  })

  it('submissions are all sent, each once, when 20,000 are made together and the leader has room for 200 at a time', async () => {
    await submit(20_000)
    const underWay: number[] = []
    const results: number[] = []
    for (let next = 0; results.length < 20_000; ) {
      for (; next < sent.length; next++) {
        const i = sent[next]!
        if (underWay.length === 200) busy(i)
        else {
          underWay.push(i)
          await accept(i)
        }
      }
      const ended = underWay.shift()
      if (ended === undefined) await vi.advanceTimersByTimeAsync(250)
      else {
        results.push(ended)
        await end(ended)
      }
    }
    expect(results).toEqual(range(0, 20_000))
  })

  it('submissions leave the queue when their signal aborts', async () => {
    await submit(32)
    const over = new AbortController()
    const waiting = queue.take(0, over.signal)
    over.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await submit(1, 33)
    await accept(0)
    expect(sent.at(-1)).toBe(33)
  })
})
