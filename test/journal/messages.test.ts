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
const headOf = { job: 'night', stamp: stampOf, submissionId: 'b', end: '', hasOutcome: false, next: 0 }
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
const hello = { seen: 0, partials: false, got: 0 }
const runs = { ...whole, submission: { ...submit, ...terms, ...hello } }
const locked = { ...whole, head: { ...headOf, job: 'lock/name' }, lock: { limit: 1, token: 1, holders: [] } }
const appended = { next: 2, digest: new Uint8Array(32), perPeer: [], partials: [] }

test.each<[string, Parameters<typeof Wire.encode>[0]]>([
  ['no kind', {}],
  ['two kinds', { refused: {}, held: { job: 'night', version: 1 } }],
  ['a running job without its code', { put: { entries: [whole] } }],
  ['the code of an ended job', { put: { entries: [{ ...runs, head: { ...headOf, end: 'failed' } }] } }],
  ['an outcome of a running job', { put: { entries: [{ ...runs, head: { ...headOf, hasOutcome: true } }] } }],
  ['more slots than a cluster can have', { put: { entries: [{ ...runs, slots: 2 ** 32 - 1 }] } }],
  ['an unknown end', { put: { entries: [{ ...whole, head: { ...headOf, end: 'lost' } }] } }],
  ['no stamp', { heads: { heads: [{ ...headOf, stamp: undefined as never }], age: 0 } }],
  ['an invalid leader id', { heads: { heads: [{ ...headOf, stamp: { ...stampOf, leader: 'me' } }], age: 0 } }],
  ['a checkpoint whose partials are missing', { put: { entries: [{ ...runs, checkpoint: appended }] } }],
  [
    'a checkpoint with a short digest',
    { update: { head: headOf, checkpoint: { ...appended, next: 0, digest: new Uint8Array(31) } } }
  ],
  ['an invalid past leader', { put: { entries: [{ ...runs, leaders: [{ leader: 'me', epoch: 1 }] }] } }],
  ['no entry', { put: { entries: [] } }],
  ['two copies', { copy: { entries: [locked, locked] } }],
  ['more entries than one message may have', { put: { entries: Array(101).fill(locked) } }],
  ['the entry of another job', { fetched: { job: 'day', entry: runs } }]
])('a message with %s is refused', (_what, fields) => {
  expect(() => codec.decode(Wire.encode({ epoch: 1, ...fields }))).toThrow(InvalidMessageError)
})

test('a whole entry of a running job is accepted', () => {
  expect(codec.decode(Wire.encode({ epoch: 1, put: { entries: [runs] } }))).toMatchObject({ type: 'put' })
})

test('the entries of several jobs and locks are accepted in one message', () => {
  const { entries } = codec.decode(
    Wire.encode({ epoch: 1, put: { entries: Array(50).fill([locked, runs]).flat() } })
  ) as never
  expect(entries).toHaveLength(100)
})
