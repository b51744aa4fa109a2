import { expect, test } from 'vitest'
import { Turnstile } from '../../src/lib/backoff.ts'

const MINUTE = 60_000
const forever = new AbortController().signal

/** Notes the names of those that have entered. */
function crowd(turnstile: Turnstile) {
  const inside: string[] = []
  const enter = async (name: string, signal = forever) => {
    const leave = await turnstile.enter(signal)
    inside.push(name)
    return leave
  }
  return { inside, enter }
}

/** Everything that is ready to run has run. */
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

test('who leaves lets exactly one in, in the order in which they came', async () => {
  const { inside, enter } = crowd(new Turnstile(1, MINUTE))
  const leaveFirst = await enter('first')
  const second = enter('second')
  const third = enter('third')
  leaveFirst()
  // Somebody who comes at this very moment waits behind those that came before.
  const fourth = enter('fourth')
  await settled()
  expect(inside).toEqual(['first', 'second'])
  leaveFirst()
  await settled()
  expect(inside).toEqual(['first', 'second'])
  for (const leave of [second, third, fourth]) (await leave)()
  expect(inside).toEqual(['first', 'second', 'third', 'fourth'])
})

test('who gives up waiting takes no place, not even at the moment when one comes free', async () => {
  const { inside, enter } = crowd(new Turnstile(1, MINUTE))
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

test('who holds a place for too long makes room for the next', async () => {
  const { enter } = crowd(new Turnstile(1, 1))
  await enter('first')
  await enter('second')
})
