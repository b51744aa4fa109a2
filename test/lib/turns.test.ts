import { expect, it } from 'vitest'
import { deferred } from '../../src/lib/deferred.ts'
import { Turns } from '../../src/lib/turns.ts'

const signal = new AbortController().signal

it('turns run one thing after another in order, whether they succeed or not', async () => {
  const turns = new Turns(1)
  const done: number[] = []
  const first = deferred<void>()
  const results = [
    turns.run(signal, async () => {
      await first.promise
      done.push(1)
      throw new Error('no')
    }),
    turns.run(signal, async () => done.push(2)),
    turns.run(signal, async () => done.push(3))
  ]
  first.resolve()
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled'
  ])
  expect(done).toEqual([1, 2, 3])
})

it('a waiting turn is given up at once when its signal aborts, and the next one follows', async () => {
  const turns = new Turns(1)
  const first = deferred<void>()
  const waits = new AbortController()
  const held = turns.run(signal, () => first.promise)
  const given = turns.run(waits.signal, async () => expect.unreachable())
  const last = turns.run(signal, async () => 'done')
  waits.abort(new Error('no more'))
  await expect(given).rejects.toThrow('no more')
  await expect(turns.run(waits.signal, async () => expect.unreachable())).rejects.toThrow('no more')
  first.resolve()
  await held
  expect(await last).toBe('done')
  expect(await turns.run(signal, async () => 'the next')).toBe('the next')
})

it('a turn with a gap delays the next one', async () => {
  const turns = new Turns(1)
  const began: number[] = []
  const now = async (): Promise<number> => began.push(performance.now())
  await Promise.all([turns.run(signal, now, 30), turns.run(signal, now, 30)])
  // A timer may be a millisecond early.
  expect(began[1]! - began[0]!).toBeGreaterThan(28)
})
