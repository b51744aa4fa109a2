import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openFolder } from '../../src/api/open-folder.ts'
import { builtFile } from '../../src/common/built-file.ts'
import { InvalidOptionError, StoppedError } from '../../src/common/errors.ts'
import { type Logger, silent } from '../../src/common/logger.ts'
import { NO_STATS } from '../../src/jobs/protocol/submit-messages.ts'
import type { Entry } from '../../src/journal/core/entry.ts'
import type { JobRecord, JournalRecord } from '../../src/journal/record.ts'
import { ReplicaDisk } from '../../src/journal/replica-disk.ts'
import { DataDir } from '../../src/persistence/data-dir.ts'
import { IDS } from '../jobs/fake-cluster.ts'
import { LAB } from '../persistence/folders.ts'

vi.mock(import('../../src/common/built-file.ts'), async original => {
  const { builtFile } = await original()
  return { builtFile: vi.fn(builtFile) }
})

/** The bytes of a content that is read when the folder is opened. */
const LARGE = 300_000

let folder: string
let errors: string[]
let logger: Logger

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
  errors = []
  logger = { ...silent, error: (_, text) => void errors.push(text) }
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Keeps a job whose outcome is read when the folder is opened, and not before. */
async function keepJob(): Promise<void> {
  const result = new Uint8Array(LARGE).fill(3)
  const record: JobRecord = {
    ...{ task: 'a', sha256: '00'.repeat(32), inputSha256: '00'.repeat(32), slots: 1, keep: 0, leaders: [] },
    ...{ submission: undefined, checkpoint: undefined },
    outcome: { type: 'completed', result, stats: NO_STATS }
  }
  const stamp = { epoch: 1, rank: { priority: 0, id: IDS[0]! }, version: 1 }
  const entry: Entry<JournalRecord> = {
    ...{ job: 'a', stamp, submissionId: 'a', end: 'completed', hasOutcome: true, next: 0, durable: 0 },
    record
  }
  const dataDir = await DataDir.open({ folder, cluster: LAB })
  const disk = await ReplicaDisk.open(dataDir.log, silent)
  disk.put(entry)
  await dataDir.close()
}

test('a folder that is closed while its journal is read is not damaged', async () => {
  await keepJob()
  const reading = await openFolder({ folder, cluster: LAB, logger })
  await reading.close()
  const { disk } = await reading.opened
  expect({ jobs: disk.replica?.size, isIncomplete: disk.replica?.isIncomplete, errors }).toEqual({
    jobs: 1,
    isIncomplete: false,
    errors: []
  })
})

test('a journal whose log is closed while it is read is not damaged', async () => {
  await keepJob()
  const { log } = await DataDir.open({ folder, cluster: LAB })
  const reading = expect(ReplicaDisk.open(log, logger)).rejects.toThrow(StoppedError)
  await log.close()
  await reading
  expect(errors).toEqual([])
})

/** Lets the disk of the next log fail in all large reads but the first ones. */
function failReads(first: number): void {
  const file = join(folder, 'failing-thread.cjs')
  const real = builtFile('persistence/log/thread-entry.cjs')
  writeFileSync(
    file,
    `const fs = require('node:fs')
    const read = fs.readSync
    let left = ${first}
    fs.readSync = (...args) => {
      if (args[3] >= ${LARGE} && left-- <= 0) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
      return read(...args)
    }
    require('node:module').syncBuiltinESMExports()
    require(${JSON.stringify(real)})`
  )
  vi.mocked(builtFile).mockReturnValueOnce(file)
}

test.each([
  ['when its journal is scanned', 0],
  ['when an outcome is read', 1]
])('a folder whose disk fails %s is refused with what to do, and not called damaged', async (_, reads) => {
  await keepJob()
  failReads(reads)
  const reading = await openFolder({ folder, cluster: LAB, logger })
  const error = await reading.opened.catch((reason: unknown) => reason)
  await reading.close()
  expect(error).toBeInstanceOf(InvalidOptionError)
  expect((error as Error).message).toBe(
    `the data folder ${folder} cannot be used: the disk of the data folder cannot be read (EIO: i/o error, read); repair its disk, or name another folder`
  )
  expect(errors).toEqual([])
})
