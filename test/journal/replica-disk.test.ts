import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { silent } from '../../src/common/logger.ts'
import type { Entry } from '../../src/journal/core/entry.ts'
import { contentsOf, type JobRecord, type JournalRecord } from '../../src/journal/record.ts'
import { ReplicaDisk } from '../../src/journal/replica-disk.ts'
import type { ScheduleDefinition } from '../../src/journal/schedule-record.ts'
import { arePending, filled } from '../../src/lib/pending-bytes.ts'
import type { LogChange } from '../../src/persistence/log/batch.ts'
import { DurableLog, type FailureListener } from '../../src/persistence/log/durable-log.ts'
import type { Lane } from '../../src/persistence/log/log-thread.ts'
import { IDS } from '../jobs/fake-cluster.ts'

/** A log whose writes end when the test says so. The keys of locks whose names begin with `large` are in a lane of their own. */
class FakeLog {
  readonly damage = { damaged: 0, isCut: false }
  isClosed = false
  readonly #pending: { lane: Lane; keys: string[]; done: (() => void)[] }[] = []
  readonly #failures: Partial<Record<Lane, Error>> = {}
  #listener: FailureListener = () => {}

  async *values(): AsyncGenerator<never> {}

  hasLost(): boolean {
    return false
  }

  onFailure(listener: FailureListener): void {
    this.#listener = listener
  }

  failure(lane: Lane): Error | undefined {
    return this.#failures[lane]
  }

  write(changes: readonly LogChange[]): void {
    for (const { key } of changes)
      this.#pending.push({ lane: key.includes('large') ? 'large' : 'bulk', keys: [key], done: [] })
  }

  lanesOf(keys?: readonly string[]): Lane[] {
    return this.#waitingFor(keys).map(({ lane }) => lane)
  }

  afterWrites(done: () => void, keys?: readonly string[]): void {
    const last = this.#waitingFor(keys).at(-1)
    if (last === undefined) done()
    else last.done.push(done)
  }

  fail(lane: Lane): void {
    this.#failures[lane] = new Error('no space left on device')
    this.#listener(lane, this.#failures[lane])
  }

  /** The disk takes the writes of a lane. */
  take(lane: Lane): void {
    delete this.#failures[lane]
    const taken = this.#pending.filter(write => write.lane === lane)
    for (const write of taken) this.#pending.splice(this.#pending.indexOf(write), 1)
    for (const { done } of taken) for (const tell of done) tell()
  }

  #waitingFor(keys: readonly string[] | undefined) {
    return this.#pending.filter(write => keys === undefined || write.keys.some(key => keys.includes(key)))
  }
}

let log: FakeLog
let disk: ReplicaDisk
let told: string[]

beforeEach(async () => {
  log = new FakeLog()
  disk = await ReplicaDisk.open(log as unknown as DurableLog, silent)
  told = []
})

function put(job: string): void {
  const stamp = { epoch: 1, rank: { priority: 0, id: 'a' }, version: 1 }
  const record: JournalRecord = { limit: 1, token: 1, holders: [] }
  const entry: Entry<JournalRecord> = {
    ...{ job, stamp, submissionId: 'lock', end: undefined, hasOutcome: false, next: 0, durable: 0 },
    record
  }
  disk.put(entry)
  disk.whenSynced(isOnDisk => told.push(`${job} ${isOnDisk ? 'on disk' : 'in memory'}`), [job])
}

test('an entry is on disk when its lane has taken it, and waits for no other lane', () => {
  put('lock/large')
  put('lock/small')
  log.take('bulk')
  expect(told).toEqual(['lock/small on disk'])
  log.take('large')
  expect(told).toEqual(['lock/small on disk', 'lock/large on disk'])
})

test('an entry is in memory while its lane takes no writes, and on disk when it has taken the entry after all', () => {
  put('lock/large')
  put('lock/first')
  log.fail('bulk')
  put('lock/second')
  expect(told).toEqual(['lock/first in memory', 'lock/second in memory'])
  log.take('bulk')
  expect(told.slice(2)).toEqual(['lock/first on disk', 'lock/second on disk'])
})

test('nothing is on disk that comes after the end of the log', () => {
  log.isClosed = true
  disk.whenSynced(isOnDisk => told.push(String(isOnDisk)))
  expect(told).toEqual(['false'])
})

const INPUT = 300_000
const submission = (fill: number) => ({
  ...{ task: 'a', sha256: '00'.repeat(32), inputSha256: '00'.repeat(32), code: new Uint8Array() },
  ...{ retries: 0, speculate: false, requires: {}, chunkTimeout: undefined, priority: 0, detach: true, keep: 0 },
  ...{ durable: 0, partials: false, stream: undefined, input: new Uint8Array(INPUT).fill(fill) }
})

function entryOf(job: string, record: JournalRecord): Entry<JournalRecord> {
  const stamp = { epoch: 1, rank: { priority: 0, id: IDS[0]! }, version: 1 }
  return { job, stamp, submissionId: job, end: undefined, hasOutcome: false, next: 0, durable: 0, record }
}

/** Keeps entries in a folder, and returns the folder. */
async function folderWith(...entries: Entry<JournalRecord>[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-replica-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const log = await DurableLog.open(folder)
  const disk = await ReplicaDisk.open(log, silent)
  for (const entry of entries) disk.put(entry)
  await log.close()
  return folder
}

async function opened(folder: string) {
  const log = await DurableLog.open(folder)
  onTestFinished(async () => void (await log.close()))
  const errors: { jobs?: string[] }[] = []
  const { replica } = await ReplicaDisk.open(log, { ...silent, error: data => void errors.push(data) })
  const inputOf = (job: string) => contentsOf(replica.get(job)!.record).submission[1]!
  return { log, replica, errors, inputOf }
}

function jobOf(name: string, fill: number): Entry<JournalRecord> {
  const { sha256, inputSha256, ...rest } = submission(fill)
  const begun = { slots: 1, keep: 0, checkpoint: undefined, leaders: [], outcome: undefined }
  const record: JobRecord = { task: 'a', sha256, inputSha256, ...begun, submission: { sha256, inputSha256, ...rest } }
  return entryOf(name, record)
}

/** Damages the input of a job in its file. */
function damageInput(folder: string, fill: number): void {
  const file = join(folder, '00000001.log')
  const all = readFileSync(file)
  all[all.indexOf(Buffer.alloc(1_000, fill))]! ^= 1
  writeFileSync(file, all)
}

test('a job whose input is damaged after the folder was opened is dropped, and the replica is incomplete, also after a restart', async () => {
  const folder = await folderWith(jobOf('damaged', 3), jobOf('whole', 4))
  const { log, replica, errors, inputOf } = await opened(folder)
  let losses = 0
  replica.onLost = () => {
    losses += 1
  }
  expect([replica.isIncomplete, arePending(inputOf('damaged'), inputOf('whole'))]).toEqual([false, true])
  damageInput(folder, 3)
  await expect(filled(inputOf('damaged'))).rejects.toThrow('damaged')
  expect([replica.get('damaged'), replica.isIncomplete, losses]).toEqual([undefined, true, 1])
  expect(errors.map(({ jobs }) => jobs)).toEqual([['damaged']])
  await filled(inputOf('whole'))
  expect(inputOf('whole').every(byte => byte === 4)).toBe(true)
  await log.close()
  const again = await opened(folder)
  expect([again.replica.size, again.replica.isIncomplete]).toEqual([1, true])
})

test('damage is told at each start until the replica is whole, and not afterwards', async () => {
  const folder = await folderWith(jobOf('damaged', 3), jobOf('whole', 4))
  const file = join(folder, '00000001.log')
  const all = readFileSync(file)
  all[all.indexOf('v/entry/damaged') + 20]! ^= 1
  writeFileSync(file, all)
  const told: number[] = []
  for (const isWhole of [false, true, true]) {
    const { log, replica, errors } = await opened(folder)
    told.push(errors.length)
    expect(replica.entries().map(({ job }) => job)).toEqual(['whole'])
    const leader = { epoch: 2, rank: { priority: 0, id: IDS[0]! } }
    replica.read(leader)
    if (isWhole) replica.markWhole(leader)
    await log.close()
  }
  expect(told).toEqual([1, 1, 0])
})

test('of jobs whose damage shows when the log is rewritten, one in memory is written again, the other is dropped, and both are told', async () => {
  const folder = await folderWith(jobOf('dropped', 3), jobOf('kept', 4), jobOf('whole', 5))
  const { log, replica, errors, inputOf } = await opened(folder)
  let losses = 0
  replica.onLost = () => {
    losses += 1
  }
  await filled(inputOf('kept'))
  damageInput(folder, 3)
  damageInput(folder, 4)
  for (let i = 0; existsSync(join(folder, '00000001.log')); i++) {
    log.write([{ key: 'other', value: new Uint8Array(70_000).fill(i) }])
    await new Promise<void>(resolve => log.afterWrites(resolve))
  }
  expect(errors.flatMap(({ jobs }) => jobs).sort()).toEqual(['dropped', 'kept'])
  expect([replica.get('dropped'), replica.size, replica.isIncomplete]).toEqual([undefined, 2, true])
  expect(losses).toBe(errors.length)
  log.write([{ key: 'other', value: undefined }])
  await log.close()
  const again = await opened(folder)
  expect([again.replica.size, again.replica.isIncomplete]).toEqual([2, true])
  await filled(again.inputOf('kept'), again.inputOf('whole'))
  expect(again.inputOf('kept').every(byte => byte === 4)).toBe(true)
})

test('code and input of a schedule are read when the folder is opened, because each due time writes them under another key', async () => {
  const terms = { missed: 'skip', overlap: 'skip', catchUp: 1, jitter: 0 } as const
  const times = { type: 'once', at: 1 } as const
  const record: ScheduleDefinition = {
    ...{ kind: 'definition', id: 'a', addedAt: 1, ...terms, times },
    submission: submission(5)
  }
  const { replica } = await opened(await folderWith(entryOf('schedule/nightly', record)))
  const [entry] = replica.entries()
  const { input } = (entry!.record as ScheduleDefinition).submission
  expect([arePending(input), input.every(byte => byte === 5)]).toEqual([false, true])
})
