import { expect, it } from 'vitest'
import { Turns } from '../../src/http/turns.ts'
import { deferred } from '../../src/lib/deferred.ts'

const signal = new AbortController().signal

it('does one thing after another, in order, whether they succeed or not', async () => {
  const turns = new Turns(0)
  const done: number[] = []
  const first = deferred<void>()
  const results = [
    turns.take(signal, async () => {
      await first.promise
      done.push(1)
      throw new Error('no')
    }),
    turns.take(signal, async () => done.push(2)),
    turns.take(signal, async () => done.push(3))
  ]
  first.resolve()
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled'
  ])
  expect(done).toEqual([1, 2, 3])
})

it('lets go of who gives up waiting at once, though what is before it never ends, and passes it over', async () => {
  const turns = new Turns(0)
  const first = deferred<void>()
  const waits = new AbortController()
  const held = turns.take(signal, () => first.promise)
  const given = turns.take(waits.signal, async () => expect.unreachable())
  const last = turns.take(signal, async () => 'done')
  waits.abort(new Error('no more'))
  await expect(given).rejects.toThrow('no more')
  await expect(turns.take(waits.signal, async () => expect.unreachable())).rejects.toThrow('no more')
  first.resolve()
  await held
  expect(await last).toBe('done')
  expect(await turns.take(signal, async () => 'the next')).toBe('the next')
})

it('leaves some time between two', async () => {
  const turns = new Turns(30)
  const began: number[] = []
  const now = async (): Promise<number> => began.push(performance.now())
  await Promise.all([turns.take(signal, now), turns.take(signal, now)])
  // A timer may be a millisecond early.
  expect(began[1]! - began[0]!).toBeGreaterThan(28)
})
