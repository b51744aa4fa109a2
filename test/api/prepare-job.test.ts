import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { prepareJob, prepareStream } from '../../src/api/prepare-job.ts'
import { InvalidOptionError, type SubmitOptions } from '../../src/index.ts'

test.each<[string, SubmitOptions, RegExp]>([
  ['an id with a slash', { id: 'a/b' }, /`id`.*1 to 128 characters/],
  ['negative retries', { retries: -1 }, /`retries`.*from 0 to 1000/],
  ['too many retries', { retries: 1_001 }, /`retries`.*from 0 to 1000/],
  ['fractional retries', { retries: 0.5 }, /`retries`/],
  ['a `speculate` other than true or false', { speculate: 'no' as unknown as boolean }, /`speculate`.*true or false/],
  ['a `detach` other than true or false', { detach: 1 as unknown as boolean }, /`detach`.*true or false/],
  ['an outcome kept for more than a week', { keep: 604_800_001 }, /`keep`.*from 0 to 604800000/],
  ['a negative `keep`', { keep: -1 }, /`keep`/],
  ['a chunk timeout of 0 ms', { chunkTimeout: 0 }, /`chunkTimeout`.*from 1 to 2147483647/],
  ['a chunk timeout beyond the range of timers', { chunkTimeout: 2 ** 31 }, /`chunkTimeout`.*from 1 to 2147483647/],
  ['a chunk timeout of half a millisecond', { chunkTimeout: 0.5 }, /`chunkTimeout`/],
  ['a priority above 100', { priority: 101 }, /`priority`.*from -100 to 100/],
  ['a fractional priority', { priority: 0.5 }, /`priority`/],
  ['a list of required tags', { requires: ['gpu=a100'] as unknown as Record<string, string> }, /`requires`.*object/],
  ['a required tag without a name', { requires: { '': 'x' } }, /`requires`.*1 to 64 characters/],
  ['a required tag that is a number', { requires: { cores: 4 as unknown as string } }, /`requires`.*"cores"/],
  [
    'more than 32 required tags',
    { requires: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`tag${i}`, ''])) },
    /`requires`.*at most 32/
  ]
])('a job with %s is refused before anything is bundled', async (_, options, message) => {
  const error = await prepareJob('/nowhere/task.ts', 1, options).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(InvalidOptionError)
  expect((error as Error).message).toMatch(message)
})

test('prepareStream() refuses an option out of range before it reads the input', async () => {
  await expect(prepareStream((x: number) => x, { retries: -1 })).rejects.toThrow(InvalidOptionError)
})

test('prepareStream() refuses an iteration as the task of a stream', async () => {
  const kMeans = fileURLToPath(new URL('../../examples/k-means.ts', import.meta.url))
  await expect(prepareStream(kMeans, {})).rejects.toThrow(/k-means is an iteration/)
})
