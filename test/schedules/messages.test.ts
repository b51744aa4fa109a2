import { expect, test } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import { scheduleProtocol } from '../../src/schedules/messages.ts'
import { ScheduleMessage as Wire } from '../../src/wire/jobs.gen.ts'
import { testCodec } from '../jobs/messages.ts'
import { message } from './drawn.ts'

const { codec } = scheduleProtocol

testCodec(scheduleProtocol, message)

const terms = { id: 's', timeZone: 'UTC', cron: '* * * * *', missed: 'one', overlap: 'skip', catchUp: 1, jitter: 0 }
const sha = new Uint8Array(32)
const job = {
  ...{ task: '', sha256: sha, code: sha, input: sha, inputSha256: sha, retries: 0, speculate: true },
  ...{ requires: new Map<string, string>(), priority: 0, detach: true, seen: 0, partials: false, got: 0, durable: 0 }
}
const state = { name: 'nightly', terms, task: '', isPaused: false, skipped: 0 }
const last = { job: 'nightly@2026-11-28T03:00:00Z', due: 0, state: 'running' }

test.each<[string, Partial<Parameters<typeof Wire.encode>[0]>]>([
  ['no kind', {}],
  ['two kinds', { exists: true, unknown: true }],
  ['an empty name', { remove: { name: '' } }],
  ['a name with a slash', { pause: { name: 'a/b' } }],
  ['a name of 129 characters', { resume: { name: 'n'.repeat(129) } }],
  ['a run after the year 9999', { run: { name: 'nightly', time: Date.UTC(10_000, 0) } }],
  ['a schedule with the id of a job', { add: { name: 'nightly@3', terms, submission: job } }],
  ['a schedule with a name of 101 characters', { add: { name: 'n'.repeat(101), terms, submission: job } }],
  ['a schedule whose jobs need a client', { add: { name: 'nightly', terms, submission: { ...job, partials: true } } }],
  ['a schedule without a job', { add: { name: 'nightly', terms, submission: undefined as never } }],
  ['a list after a name with a slash', { list: 'a/b' }],
  ['a state without terms', { done: { state: { ...state, terms: undefined as never } } }],
  ['a next due time after the end of time', { done: { state: { ...state, next: 8.65e15 } } }],
  ['an unknown state of a job', { done: { state: { ...state, last: { ...last, state: 'lost' } } } }],
  ['a started job without an id', { started: '' }],
  [
    'a reason of 1,001 characters',
    { refused: { reason: 'r'.repeat(1_001), notAdmitted: false, noRoom: false, durable: 0 } }
  ],
  ['a list of 101 schedules', { schedules: { schedules: Array(101).fill(state), more: false } }]
])('a message with %s is refused', (_what, fields) => {
  expect(() => codec.decode(Wire.encode({ request: 1, ...fields }))).toThrow(InvalidMessageError)
})

test('a schedule with the name of a schedule is accepted, and a job that starts later with any id', () => {
  const add = { name: 'n'.repeat(100), terms, submission: job }
  expect(codec.decode(Wire.encode({ request: 1, add }))).toMatchObject({ type: 'add', name: add.name })
  const { cron: _, ...once } = { ...terms, at: 1 }
  const later = { name: 'any:id@1', terms: once, submission: job }
  expect(codec.decode(Wire.encode({ request: 1, add: later }))).toMatchObject({ name: 'any:id@1' })
})

test('a list of 100 schedules is accepted', () => {
  const schedules = { schedules: Array(100).fill({ ...state, last }), more: true }
  expect(codec.decode(Wire.encode({ request: 1, schedules }))).toMatchObject({ type: 'schedules', more: true })
})
