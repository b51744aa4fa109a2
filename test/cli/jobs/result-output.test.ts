import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readInput } from '../../../src/cli/jobs/input.ts'
import { writeResult } from '../../../src/cli/jobs/result-output.ts'
import { JsonTooLargeError, P2pWorkerError } from '../../../src/common/errors.ts'
import { stopEach } from '../../../src/lib/stop-each.ts'

test('the error names the file and the reason when a result cannot be written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  const file = join(folder, 'gone', 'result.json')
  const error = await writeResult(file, { a: 1 }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(P2pWorkerError)
  expect((error as Error).message).toContain(file)
  expect((error as Error).message).toContain('ENOENT')
  await rm(folder, { recursive: true })
})

test('a result that is too large as JSON is not written, and the error states the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  let value: unknown = 'end'
  for (let level = 0; level < 30; level++) value = [value, value]
  await expect(writeResult(join(folder, 'result.json'), value)).rejects.toThrow(JsonTooLargeError)
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

test('an interruption stops the reading of the input', async () => {
  const reason = new Error('interrupted')
  await expect(readInput({ inputFile: '/dev/zero' }, AbortSignal.abort(reason))).rejects.toBe(reason)
})

test('all stop functions run even if one fails, and the first error is thrown', async () => {
  const stopped: string[] = []
  const stop = (name: string, fails: boolean) => async (): Promise<void> => {
    stopped.push(name)
    if (fails) throw new Error(`${name} failed`)
  }
  await expect(stopEach([stop('a', false), stop('b', true), stop('c', true), stop('d', false)])).rejects.toThrow(
    'b failed'
  )
  expect(stopped).toEqual(['a', 'b', 'c', 'd'])
})
