import { expect, test } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import { journalProtocol } from '../../src/journal/messages.ts'
import { JournalMessage as Wire } from '../../src/wire/jobs.gen.ts'
import { IDS } from '../jobs/fake-cluster.ts'
import { testCodec } from '../jobs/messages.ts'
import { message } from './drawn.ts'

const { codec } = journalProtocol
testCodec(journalProtocol, message)

const stampOf = { epoch: 1, leader: IDS[0]!, priority: 0, version: 1 }
const headOf = {
  job: 'night',
  stamp: stampOf,
  submissionId: 'b',
  end: '',
  hasOutcome: false,
  next: 0,
  durable: 0,
  isSuspended: false
}
const none = new Uint8Array()
const submit = { task: '', sha256: new Uint8Array(32), code: none, input: none, inputSha256: new Uint8Array(32) }
const whole = {
  head: headOf,
  task: '',
  sha256: new Uint8Array(32),
  inputSha256: new Uint8Array(32),
  slots: 1,
  leaders: []
}
const terms = { retries: 0, speculate: true, requires: new Map<string, string>(), priority: 0, detach: false }
const hello = { seen: 0, partials: false, got: 0, durable: 0 }
const runs = { ...whole, submission: { ...submit, ...terms, ...hello } }
const locked = { ...whole, head: { ...headOf, job: 'lock/name' }, lock: { limit: 1, token: 1, holders: [] } }
const due = { id: 's', timeZone: 'UTC', cron: '* * * * *', missed: 'one', overlap: 'skip', catchUp: 100, jitter: 0 }
const definition = { terms: due, addedAt: 1 }
const named = (job: string) => ({ ...whole, head: { ...headOf, job } })
const scheduled = { ...runs, head: { ...headOf, job: 'schedule/nightly' }, schedule: definition }
const marked = { ...named('mark/nightly'), mark: { id: 's', firedThrough: 1, isPaused: false, skipped: 0 } }
const removed = { ...named('schedule/nightly'), removedSchedule: { id: 's', removedAt: 1 } }
const withTerms = (change: object) => ({
  put: { entries: [{ ...scheduled, schedule: { ...definition, terms: { ...due, ...change } } }] }
})
const appended = { next: 2, digest: new Uint8Array(32), perPeer: [], partials: [] }

test.each<[string, Parameters<typeof Wire.encode>[0]]>([
  ['no kind', {}],
  ['two kinds', { refused: {}, held: { job: 'night', version: 1, onDisk: false } }],
  ['a running job without its code', { put: { entries: [whole] } }],
  [
    'a suspended job that has ended',
    { put: { entries: [{ ...whole, head: { ...headOf, end: 'failed', isSuspended: true } }] } }
  ],
  ['the code of an ended job', { put: { entries: [{ ...runs, head: { ...headOf, end: 'failed' } }] } }],
  ['an outcome of a running job', { put: { entries: [{ ...runs, head: { ...headOf, hasOutcome: true } }] } }],
  ['more slots than a cluster can have', { put: { entries: [{ ...runs, slots: 2 ** 32 - 1 }] } }],
  ['an unknown end', { put: { entries: [{ ...whole, head: { ...headOf, end: 'lost' } }] } }],
  ['no stamp', { heads: { heads: [{ ...headOf, stamp: undefined as never }], age: 0, onDisk: true } }],
  [
    'an invalid leader id',
    { heads: { heads: [{ ...headOf, stamp: { ...stampOf, leader: 'me' } }], age: 0, onDisk: true } }
  ],
  ['a checkpoint whose partials are missing', { put: { entries: [{ ...runs, checkpoint: appended }] } }],
  [
    'a checkpoint with a short digest',
    { update: { head: headOf, checkpoint: { ...appended, next: 0, digest: new Uint8Array(31) } } }
  ],
  ['a job that must be on too many disks', { put: { entries: [{ ...runs, head: { ...headOf, durable: 17 } }] } }],
  ['an invalid past leader', { put: { entries: [{ ...runs, leaders: [{ leader: 'me', epoch: 1 }] }] } }],
  ['no entry', { put: { entries: [] } }],
  ['two copies', { copy: { entries: [locked, locked] } }],
  ['more entries than one message may have', { put: { entries: Array(101).fill(locked) } }],
  ['the definition of a schedule without its code', { put: { entries: [{ ...scheduled, submission: undefined }] } }],
  [
    'the definition of a schedule under the name of a mark',
    { put: { entries: [{ ...scheduled, head: marked.head }] } }
  ],
  ['the definition of a schedule under the id of a job', { put: { entries: [{ ...scheduled, head: headOf }] } }],
  ['a schedule under the id of a job', { put: { entries: [{ ...scheduled, head: named('schedule/a@b').head }] } }],
  ['a mark under the name of a schedule', { put: { entries: [{ ...marked, head: removed.head }] } }],
  ['a schedule that has ended', { put: { entries: [{ ...scheduled, head: { ...scheduled.head, end: 'failed' } }] } }],
  ['a schedule that is defined and removed', { put: { entries: [{ ...scheduled, ...removed }] } }],
  ['a schedule with two kinds of due times', withTerms({ at: 1 })],
  ['a schedule without due times', withTerms({ cron: undefined })],
  ['an unknown way to treat missed due times', withTerms({ missed: 'some' })],
  ['an unknown way to treat overlaps', withTerms({ overlap: 'some' })],
  ['a schedule that may start no job', withTerms({ catchUp: 0 })],
  [
    'a schedule whose jobs need a client',
    { put: { entries: [{ ...scheduled, submission: { ...scheduled.submission, partials: true } }] } }
  ],
  ['a jitter of more than a day', withTerms({ jitter: 86_400_001 })],
  [
    'a mark after the end of time',
    { put: { entries: [{ ...marked, mark: { ...marked.mark, firedThrough: 8.65e15 } }] } }
  ],
  ['a job under the name of a schedule', { put: { entries: [{ ...runs, head: removed.head }] } }],
  ['an entry whose name has another kind', { fetch: { job: 'queue/nightly' } }],
  ['the entry of another job', { fetched: { job: 'day', entry: runs } }]
])('a message with %s is refused', (_what, fields) => {
  expect(() => codec.decode(Wire.encode({ epoch: 1, ...fields }))).toThrow(InvalidMessageError)
})

test('a whole entry of a running job is accepted', () => {
  expect(codec.decode(Wire.encode({ epoch: 1, put: { entries: [runs] } }))).toMatchObject({ type: 'put' })
})

test('the definition of a schedule, its mark and its end are accepted', () => {
  expect(codec.decode(Wire.encode({ epoch: 1, put: { entries: [scheduled] } }))).toMatchObject({
    entries: [{ job: 'schedule/nightly', record: { kind: 'definition', times: { type: 'cron', cron: '* * * * *' } } }]
  })
  expect(codec.decode(Wire.encode({ epoch: 1, put: { entries: [marked, removed, locked] } }))).toMatchObject({
    entries: [{ record: { kind: 'mark' } }, { record: { kind: 'removed' } }, { record: { limit: 1 } }]
  })
})

test('the entries of several jobs and locks are accepted in one message', () => {
  const { entries } = codec.decode(
    Wire.encode({ epoch: 1, put: { entries: Array(50).fill([locked, runs]).flat() } })
  ) as never
  expect(entries).toHaveLength(100)
})
