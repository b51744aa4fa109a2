import pDefer from 'p-defer'
import { expect, it } from 'vitest'
import { Semaphore } from '../../src/lib/semaphore.ts'

const signal = new AbortController().signal

it('a semaphore with one place runs calls one at a time and in order, even if a call fails', async () => {
  const semaphore = new Semaphore(1)
  const done: number[] = []
  const first = pDefer<void>()
  const results = [
    semaphore.run(signal, async () => {
      await first.promise
      done.push(1)
      throw new Error('no')
    }),
    semaphore.run(signal, async () => done.push(2)),
    semaphore.run(signal, async () => done.push(3))
  ]
  first.resolve()
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled'
  ])
  expect(done).toEqual([1, 2, 3])
})

it('a call that waits for a semaphore rejects at once when its signal aborts, and the next call gets the place', async () => {
  const semaphore = new Semaphore(1)
  const first = pDefer<void>()
  const waits = new AbortController()
  const held = semaphore.run(signal, () => first.promise)
  const given = semaphore.run(waits.signal, async () => expect.unreachable())
  const last = semaphore.run(signal, async () => 'done')
  waits.abort(new Error('no more'))
  await expect(given).rejects.toThrow('no more')
  await expect(semaphore.run(waits.signal, async () => expect.unreachable())).rejects.toThrow('no more')
  first.resolve()
  await held
  expect(await last).toBe('done')
  expect(await semaphore.run(signal, async () => 'the next')).toBe('the next')
})

it('the `gap` of a call delays the next call on the semaphore', async () => {
  const semaphore = new Semaphore(1)
  const began: number[] = []
  const now = async (): Promise<number> => began.push(performance.now())
  await Promise.all([semaphore.run(signal, now, 30), semaphore.run(signal, now, 30)])
  // A timer may fire a millisecond early.
  expect(began[1]! - began[0]!).toBeGreaterThan(28)
})

const MINUTE = 60_000

/** Records the names of the callers that have entered. */
function crowd(semaphore: Semaphore) {
  const inside: string[] = []
  const enter = async (name: string, given = signal) => {
    const leave = await semaphore.acquire(given)
    inside.push(name)
    return leave
  }
  return { inside, enter }
}

/** Resolves when all pending microtasks have run. */
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

it('each release of a semaphore admits exactly one caller, in the order of the calls', async () => {
  const { inside, enter } = crowd(new Semaphore(1, MINUTE))
  const leaveFirst = await enter('first')
  const second = enter('second')
  const third = enter('third')
  leaveFirst()
  // A caller that comes directly after the release waits behind the earlier callers.
  const fourth = enter('fourth')
  await settled()
  expect(inside).toEqual(['first', 'second'])
  leaveFirst()
  await settled()
  expect(inside).toEqual(['first', 'second'])
  for (const leave of [second, third, fourth]) (await leave)()
  expect(inside).toEqual(['first', 'second', 'third', 'fourth'])
})

it('an aborted caller takes no place of a semaphore, even if a place becomes free at the moment of the abort', async () => {
  const { inside, enter } = crowd(new Semaphore(1, MINUTE))
  const abort = new AbortController()
  const leave = await enter('first')
  const givenUp = expect(enter('second', abort.signal)).rejects.toThrow('enough')
  const third = enter('third')
  abort.abort(new Error('enough'))
  leave()
  await givenUp
  const leaveThird = await third
  leaveThird()
  expect(inside).toEqual(['first', 'third'])
  await expect(enter('fourth', abort.signal)).rejects.toThrow('enough')
  await enter('fifth')
  expect(inside).toEqual(['first', 'third', 'fifth'])
})

it('a semaphore frees the place of a holder that exceeds the longest time', async () => {
  const { enter } = crowd(new Semaphore(1, 1))
  await enter('first')
  await enter('second')
})
