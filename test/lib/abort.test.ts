import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { atMost, delay, eitherSignal, orAborted, signalAfter } from '../../src/lib/abort.ts'

it('a signal of signalAfter() aborts a combined signal of AbortSignal.any even after a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const never = new AbortController()
  const waits = Array.from(
    { length: 50 },
    () =>
      new Promise<unknown>(resolve => {
        const either = AbortSignal.any([never.signal, signalAfter(100)])
        either.addEventListener('abort', () => resolve(either.reason), { once: true })
      })
  )
  collect()
  // The timer of signalAfter() does not keep the process alive. This interval keeps the process alive.
  const alive = setInterval(collect, 10)
  const reasons = await Promise.all(waits)
  clearInterval(alive)
  expect(reasons.every(reason => (reason as Error).name === 'TimeoutError')).toBe(true)
})

const never = new Promise<never>(() => {})

it('orAborted() and delay() reject with the reason of the signal if the signal aborts before or during the wait', async () => {
  const over = new AbortController()
  const waits = [orAborted(never, over.signal), delay(60_000, over.signal)]
  over.abort(new Error('enough'))
  for (const wait of [...waits, orAborted(never, over.signal), delay(1, over.signal)])
    await expect(wait).rejects.toThrow('enough')
})

it('atMost() returns whether the promise fulfilled in time', async () => {
  expect(await atMost(Promise.resolve(), 60_000)).toBe(true)
  expect(await atMost(Promise.reject(new Error('no')), 60_000)).toBe(false)
  expect(await atMost(never, 1)).toBe(false)
})

it('a signal of eitherSignal() aborts with either of two signals until it is released', () => {
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
  const followed = eitherSignal(first.signal, second.signal)
  const released = eitherSignal(first.signal, third.signal)
  released.release()
  first.abort(new Error('one'))
  expect(followed.signal.reason).toMatchObject({ message: 'one' })
  expect(released.signal.aborted).toBe(false)
  expect(eitherSignal(undefined, first.signal).signal.aborted).toBe(true)
})
