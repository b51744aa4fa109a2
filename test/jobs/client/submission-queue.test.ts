import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SubmissionQueue, type Turn } from '../../../src/jobs/client/submission-queue.ts'

const FULL = { reason: 'full', ms: 200, places: 0 }
const TOO_FAST = { reason: 'too fast', ms: 100, places: 20 }

let queue: SubmissionQueue
let told: string[]
/** The numbers of the submissions in the order in which they were sent. A submission that was sent twice occurs twice. */
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

/** Submits `count` jobs. The number of the first job is `first`. */
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
  it('the queue sends submissions in order, with at most 32 unanswered submissions', async () => {
    await submit(100)
    expect(sent).toEqual(range(0, 32))
    await accept(0, 1)
    expect(sent).toEqual(range(0, 34))
  })

  it('when the leader has no room, the queue waits and then sends the submissions in their original order', async () => {
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

  it('while the leader has no room, the queue sends one submission for each job that ends', async () => {
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

  it('after a rate limit, the queue sends as many submissions together as the leader allows', async () => {
    await submit(80)
    await accept(0)
    for (const i of range(1, 33)) busy(i, TOO_FAST)
    sent = []
    await end(0)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(125)
    expect(sent).toEqual(range(1, 21))
  })

  it('the queue waits longer before each retry of a submission while the leader has no room', async () => {
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

  it('the queue waits longer before it retries a larger submission', async () => {
    await submit(1, 0, 100 * 2 ** 20)
    busy(0)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toEqual([0])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent).toEqual([0, 0])
  })

  it('the queue reports waiting submissions with one event until the leader has accepted all of them', async () => {
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

  it('the queue reports a waiting submission again after all earlier waiting submissions were cancelled', async () => {
    await submit(1)
    busy(0)
    queue.over(turns.get(0)!)
    await vi.advanceTimersByTimeAsync(250)
    await submit(1, 1)
    busy(1)
    expect(told).toEqual(['full', 'full'])
  })

  it('the queue does not send a submission again that a leader has accepted while the submission waited', async () => {
    await submit(2)
    busy(0)
    busy(1)
    sent = []
    await accept(0)
    await vi.advanceTimersByTimeAsync(250)
    expect(sent).toEqual([1])
  })

  it('the queue sends the next submission when an unanswered submission is cancelled', async () => {
    await submit(33)
    await end(0)
    expect(sent).toEqual(range(0, 33))
  })

  it('giving up rejects a submission that the queue has never sent', async () => {
    await submit(32)
    const waiting = queue.take(0, undefined)
    queue.giveUp(new Error('no leader'))
    await expect(waiting).rejects.toThrow('no leader')
  })

  it('the queue submits 20,000 jobs in order to a leader that has room for 200 jobs at a time', async () => {
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

  it('a submission leaves the queue when its signal aborts', async () => {
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
