import { expect, test } from 'vitest'
import { StoppedError } from '../../../src/common/errors.ts'
import { LaterContents, UnreadableContentError } from '../../../src/persistence/log/later-contents.ts'

test('a content that cannot be read is told once as long as the disk may read it later, and again when it is damaged', async () => {
  const contents = new LaterContents(id => contents.onLoaded({ type: 'loaded', id, bytes: undefined, error }))
  const told: [Uint8Array, boolean][] = []
  contents.onUnreadable = (bytes, { isDamaged }) => void told.push([bytes, isDamaged])
  const bytes = new Uint8Array(2)
  const read = (): Promise<void> => contents.fill(1, bytes)
  let error: Error | undefined = new Error('EIO: i/o error, read')
  await expect(read()).rejects.toThrow('the disk of the data folder cannot be read (EIO: i/o error, read)')
  await expect(read()).rejects.toBeInstanceOf(UnreadableContentError)
  expect(told).toEqual([[bytes, false]])
  expect(told[0]![0]).toBe(bytes)
  error = undefined
  await expect(read()).rejects.toThrow('damaged')
  expect(told.slice(1)).toEqual([[bytes, true]])
})

test('reads under way end with the log', async () => {
  const contents = new LaterContents(() => {})
  const reading = contents.fill(1, new Uint8Array(1))
  contents.end()
  await expect(reading).rejects.toBeInstanceOf(StoppedError)
})
