import { expect, test } from 'vitest'
import { arePending, filled, pendingBytes } from '../../src/lib/pending-bytes.ts'

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
