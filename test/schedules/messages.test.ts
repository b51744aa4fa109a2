import { expect, test } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import { scheduleProtocol } from '../../src/schedules/messages.ts'
import { ScheduleMessage as Wire } from '../../src/wire/jobs.gen.ts'
import { testCodec } from '../jobs/messages.ts'
import { message } from './drawn.ts'

const { codec } = scheduleProtocol

testCodec(scheduleProtocol, message)

const terms = { id: 's', timeZone: 'UTC', cron: '* * * * *', missed: 'one', overlap: 'skip', catchUp: 1, jitter: 0 }
const state = { name: 'nightly', terms, task: '', isPaused: false, skipped: 0 }
const last = { job: 'nightly@2026-11-28T03:00:00Z', due: 0, state: 'running' }

test.each<[string, Partial<Parameters<typeof Wire.encode>[0]>]>([
  ['no kind', {}],
  ['two kinds', { exists: true, unknown: true }],
  ['an empty name', { remove: { name: '' } }],
  ['a name with a slash', { pause: { name: 'a/b' } }],
  ['a name of 129 characters', { resume: { name: 'n'.repeat(129) } }],
  ['a run after the end of time', { run: { name: 'nightly', time: 8.65e15 } }],
  ['a schedule without a job', { add: { name: 'nightly', terms, submission: undefined as never } }],
  ['a list after a name with a slash', { list: 'a/b' }],
  ['a state without terms', { done: { state: { ...state, terms: undefined as never } } }],
  ['a next due time after the end of time', { done: { state: { ...state, next: 8.65e15 } } }],
  ['an unknown state of a job', { done: { state: { ...state, last: { ...last, state: 'lost' } } } }],
  ['a started job without an id', { started: '' }],
  ['a reason of 1,001 characters', { refused: { reason: 'r'.repeat(1_001), notAdmitted: false, noRoom: false } }],
  ['a list of 101 schedules', { schedules: { schedules: Array(101).fill(state), more: false } }]
])('a message with %s is refused', (_what, fields) => {
  expect(() => codec.decode(Wire.encode({ request: 1, ...fields }))).toThrow(InvalidMessageError)
})

test('a list of 100 schedules is accepted', () => {
  const schedules = { schedules: Array(100).fill({ ...state, last }), more: true }
  expect(codec.decode(Wire.encode({ request: 1, schedules }))).toMatchObject({ type: 'schedules', more: true })
})
