import { afterEach, expect, test, vi } from 'vitest'
import { arePending, filled, filledAtLast, pendingBytes } from '../../src/lib/pending-bytes.ts'

test('pending bytes are filled once, when they are needed first', async () => {
  let fills = 0
  const bytes = pendingBytes(3, async into => {
    fills += 1
    into.set([1, 2, 3])
  })
  const others = new Uint8Array(1)
  expect([bytes.byteLength, fills, arePending(others, bytes), filled(others)]).toEqual([3, 0, true, undefined])
  await Promise.all([filled(bytes), filled(others, bytes)])
  expect([...bytes, fills]).toEqual([1, 2, 3, 1])
  expect([arePending(bytes), filled(bytes)]).toEqual([false, undefined])
})

test('bytes whose fill fails are pending, and the next caller tries again', async () => {
  let fails = true
  const bytes = pendingBytes(1, async into => {
    if (fails) throw new Error('the disk hangs')
    into.fill(7)
  })
  await expect(filled(bytes)).rejects.toThrow('the disk hangs')
  expect(arePending(bytes)).toBe(true)
  fails = false
  await filled(bytes)
  expect([...bytes]).toEqual([7])
})

afterEach(() => {
  vi.useRealTimers()
})

test('bytes are filled at last when their fill has failed for some time, and nobody waits for them after an abort', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  const { signal } = controller
  let failures = 3
  const bytes = pendingBytes(1, async into => {
    if (failures-- > 0) throw new Error('the disk fails')
    into.fill(7)
  })
  const filling = filledAtLast(signal, bytes)
  await vi.advanceTimersByTimeAsync(3_000)
  await filling
  expect([...bytes]).toEqual([7])
  expect(filledAtLast(signal, bytes)).toBeUndefined()
  const failing = filledAtLast(
    signal,
    pendingBytes(1, () => Promise.reject(new Error('the disk fails')))
  )
  const hanging = filledAtLast(
    signal,
    pendingBytes(1, () => new Promise(() => {}))
  )
  const over = Promise.all([failing, hanging].map(each => expect(each).rejects.toThrow('over')))
  await vi.advanceTimersByTimeAsync(0)
  controller.abort(new Error('over'))
  await over
  expect(vi.getTimerCount()).toBe(0)
})
