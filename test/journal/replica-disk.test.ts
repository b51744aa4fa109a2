import { beforeEach, expect, test } from 'vitest'
import { silent } from '../../src/common/logger.ts'
import type { Entry } from '../../src/journal/core/entry.ts'
import type { JournalRecord } from '../../src/journal/record.ts'
import { ReplicaDisk } from '../../src/journal/replica-disk.ts'
import type { LogChange } from '../../src/persistence/log/batch.ts'
import type { DurableLog, FailureListener } from '../../src/persistence/log/durable-log.ts'
import type { Lane } from '../../src/persistence/log/log-thread.ts'

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
