import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import type { Entry } from '../../src/journal/core/entry.ts'
import { FollowerLink } from '../../src/journal/follower-link.ts'
import type { JournalMessage } from '../../src/journal/messages.ts'
import type { JobRecord, JournalRecord } from '../../src/journal/record.ts'
import type { ScheduleRecord } from '../../src/journal/schedule-record.ts'
import { pendingBytes } from '../../src/lib/pending-bytes.ts'
import type { Channel, Protocol } from '../../src/network/types.ts'
import { IDS } from '../jobs/fake-cluster.ts'

const [leader, to] = IDS as [string, string]

function lock(name: string, version: number): Entry<JournalRecord> {
  const stamp = { epoch: 1, rank: { priority: 0, id: leader }, version }
  const record = { limit: 1, token: version, holders: [] }
  return {
    job: `lock/${name}`,
    stamp,
    submissionId: 'lock',
    end: undefined,
    hasOutcome: false,
    next: 0,
    durable: 0,
    record
  }
}

/** A running job with an input of some bytes, and with a checkpoint before the chunk `next`. */
function job(name: string, version: number, { bytes = 10, next = 0 } = {}): Entry<JournalRecord> {
  const submission = { code: new Uint8Array(), input: new Uint8Array(bytes) } as unknown as JobRecord['submission']
  const folded = {
    kind: 'folded',
    next,
    digest: new Uint8Array(32),
    accumulator: new Uint8Array(1),
    perPeer: {}
  } as const
  const checkpoint = next === 0 ? undefined : folded
  const record = { submission, leaders: [], checkpoint } as unknown as JobRecord
  return { ...lock(name, version), job: name, next, record }
}

function definition(name: string, version: number, { bytes = 10 } = {}): Entry<JournalRecord> {
  const submission = { code: new Uint8Array(), input: new Uint8Array(bytes) }
  const record = { kind: 'definition', id: name, submission } as unknown as ScheduleRecord
  return { ...lock(name, version), job: `schedule/${name}`, submissionId: 'schedule', record }
}

function removal(name: string, version: number): Entry<JournalRecord> {
  return { ...definition(name, version), record: { kind: 'removed', id: name, removedAt: version } }
}

/** Returns a link to a follower that has answered nothing yet, and the entries of each message that the link sends. */
async function linked() {
  const batches: string[][] = []
  let reads = 0
  const send = async (message: JournalMessage): Promise<void> => {
    if (message.type === 'read') reads += 1
    if (message.type === 'put') batches.push(message.entries.map(({ job, stamp }) => `${job} ${stamp.version}`))
    if (message.type === 'update') batches.push([`update of ${message.head.job} ${message.head.stamp.version}`])
    if (message.type === 'copy') batches.push([`copy of ${message.entry.job}`])
    if (message.type === 'holders') batches.push(['holders'])
  }
  const channel = { send, pendingBytes: 0, closed: new AbortController().signal, abort: () => {} }
  const protocol = { channel: async () => channel as unknown as Channel<JournalMessage> }
  const link = new FollowerLink({
    ...{ to, epoch: 1, priority: 0, all: new Map(), onUnreachable: () => {} },
    protocol: protocol as unknown as Protocol<JournalMessage>
  })
  link.open()
  await turn()
  return { link, batches, reads: () => reads }
}

afterEach(() => {
  vi.useRealTimers()
})

test('a leader sends the locks of one turn together, and the next locks once the follower has confirmed these', async () => {
  const { link, batches } = await linked()
  link.put(lock('a', 1))
  link.put(lock('b', 2))
  await turn()
  expect(batches).toEqual([['lock/a 1', 'lock/b 2']])
  link.put(lock('c', 3))
  link.put(lock('a', 4))
  link.put(lock('c', 5))
  await turn()
  expect(batches).toHaveLength(1)
  // The answer to an earlier message confirms its own entry.
  expect(link.confirmed({ job: 'night', version: 0 })).toEqual([{ job: 'night', version: 0 }])
  expect(link.confirmed({ job: 'lock/b', version: 2 })).toEqual([
    { job: 'lock/a', version: 1 },
    { job: 'lock/b', version: 2 }
  ])
  await turn()
  expect(batches.slice(1)).toEqual([['lock/a 4', 'lock/c 5']])
})

test('a leader sends the small jobs of one turn together, and a large one at once', async () => {
  const { link, batches } = await linked()
  link.put(job('a', 1))
  link.put(job('large', 2, { bytes: 70_000 }))
  expect(batches).toEqual([['large 2']])
  link.put(job('b', 3))
  await turn()
  expect(batches.slice(1)).toEqual([['a 1', 'b 3']])
  link.put(job('c', 4))
  await turn()
  expect(batches).toHaveLength(2)
  link.confirmed({ job: 'large', version: 2 })
  await turn()
  expect(batches).toHaveLength(2)
  link.confirmed({ job: 'b', version: 3 })
  await turn()
  expect(batches.slice(2)).toEqual([['c 4']])
})

test('a leader sends a checkpoint with the entry of its job if the entry still waits, and else as an update', async () => {
  const { link, batches } = await linked()
  link.put(job('a', 1))
  await turn()
  link.put(job('b', 2))
  link.put(job('b', 3, { next: 5 }))
  link.put(job('a', 4, { next: 5 }))
  await turn()
  expect(batches).toEqual([['a 1'], ['update of a 4']])
  link.confirmed({ job: 'a', version: 1 })
  await turn()
  expect(batches.slice(2)).toEqual([['b 3']])
})

test('a leader reads the contents of an entry before it sends the entry, one entry after the other', async () => {
  const { link, batches } = await linked()
  const fills: (() => void)[] = []
  const pending = (name: string, version: number): Entry<JournalRecord> => {
    const entry = job(name, version)
    const input = pendingBytes(10, () => new Promise<void>(resolve => fills.push(resolve)))
    return { ...entry, record: { submission: { code: new Uint8Array(), input }, leaders: [] } as unknown as JobRecord }
  }
  link.put(pending('a', 1))
  link.put(pending('b', 2))
  link.put(pending('c', 3))
  link.forget(pending('b', 2))
  // The end of a job needs no input.
  link.put({ ...job('c', 4), end: 'cancelled', record: {} as JobRecord })
  link.copy(pending('d', 5))
  await turn()
  expect([batches, fills.length]).toEqual([[['c 4']], 1])
  link.confirmed({ job: 'c', version: 4 })
  fills.shift()!()
  await vi.waitFor(() => expect(fills).toHaveLength(1))
  await turn()
  expect(batches.slice(1)).toEqual([['a 1']])
  fills.shift()!()
  await vi.waitFor(() => expect(batches.slice(2)).toEqual([['copy of d']]))
})

test('a leader whose disk cannot read an entry sends the others first, tries again, and stops with the link', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { link, batches } = await linked()
  let fails = true
  let fills = 0
  const pending = (name: string, version: number, fill: () => Promise<void>): Entry<JournalRecord> => {
    const submission = { code: new Uint8Array(), input: pendingBytes(70_000, fill) }
    return { ...job(name, version), record: { submission, leaders: [] } as unknown as JobRecord }
  }
  const fill = async (): Promise<void> => {
    fills += 1
    if (fails) throw new Error('the disk cannot be read')
  }
  link.put(pending('a', 1, fill))
  link.put(pending('b', 2, async () => {}))
  expect(link.isSending).toBe(true)
  await vi.waitFor(() => expect(batches).toEqual([['b 2']]))
  expect([link.isSending, fills]).toEqual([true, 1])
  fails = false
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.waitFor(() => expect(batches).toEqual([['b 2'], ['a 1']]))
  expect(link.isSending).toBe(false)
  fails = true
  link.put(pending('c', 3, fill))
  await vi.waitFor(() => expect(fills).toBe(3))
  link.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([fills, link.isSending]).toEqual([3, false])
})

test('a leader sends a list of holders behind the entries that it has written before', async () => {
  const { link, batches } = await linked()
  const list = { stamp: lock('a', 1).stamp, holders: [], inMemory: [], behind: [] }
  link.put(job('a', 1))
  await turn()
  link.put(job('b', 2))
  link.tell(list)
  link.put(job('c', 3))
  await turn()
  expect(batches).toEqual([['a 1'], ['b 2'], ['holders']])
  for (const [name, version] of [
    ['b', 2],
    ['a', 1]
  ] as const)
    link.confirmed({ job: name, version })
  await turn()
  expect(batches.slice(3)).toEqual([['c 3']])
})

test('a leader sends at most a hundred locks in one message', async () => {
  const { link, batches } = await linked()
  for (let i = 1; i <= 150; i++) link.put(lock(`${i}`, i))
  await turn()
  link.confirmed({ job: 'lock/100', version: 100 })
  await turn()
  expect(batches.map(batch => batch.length)).toEqual([100, 50])
})

test('a leader does not send a lock that it forgets before', async () => {
  const { link, batches } = await linked()
  link.put(lock('a', 1))
  link.put(lock('b', 2))
  link.forget(lock('a', 1))
  await turn()
  expect(batches).toEqual([['lock/b 2']])
})

test('on a new channel a leader waits for no confirmation of the old one', async () => {
  const { link, batches, reads } = await linked()
  link.put(lock('a', 1))
  await turn()
  link.lost()
  link.open()
  await vi.waitFor(() => expect(reads()).toBe(2))
  link.put(lock('a', 1))
  await turn()
  expect(batches).toEqual([['lock/a 1'], ['lock/a 1']])
})

test('a leader sends the definition of a schedule and its removal in the order in which it wrote them, whatever their sizes', async () => {
  const { link, batches } = await linked()
  link.put(definition('night', 1, { bytes: 70_000 }))
  link.put(removal('night', 2))
  await turn()
  expect(batches.splice(0)).toEqual([['schedule/night 1'], ['schedule/night 2']])
  // The follower has not confirmed the removal, so the next small entry waits. A large one overtakes it, and nothing older follows.
  link.put(removal('day', 3))
  link.put(definition('day', 4, { bytes: 70_000 }))
  link.put(removal('dusk', 5))
  link.put(definition('dusk', 6))
  link.put(removal('dusk', 7))
  await turn()
  expect(batches.splice(0)).toEqual([['schedule/day 4']])
  link.confirmed({ job: 'schedule/night', version: 2 })
  await turn()
  expect(batches).toEqual([['schedule/dusk 7']])
})
