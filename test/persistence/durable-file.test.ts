import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoppedError } from '../../src/common/errors.ts'
import { DurableFile } from '../../src/persistence/durable-file.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('a closed file is not written any more, even when the write that hung during close() ends', async () => {
  const path = join(folder, 'state.json')
  const file = new DurableFile(path)
  await file.replace('old')
  // Nobody reads from this pipe, so the thread that opens it for writing waits.
  const fifo = `${path}.tmp`
  execFileSync('mkfifo', [fifo])
  const hung = file.replace('hangs')
  await file.close()
  closeSync(openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK))
  await expect(hung).rejects.toThrow()
  await expect(file.replace('new')).rejects.toThrow(StoppedError)
  expect(await readFile(path, 'utf8')).toBe('old')
})
