import { expect, it } from 'vitest'
import type { ScheduleInfo } from '../../../src/api/schedule-types.ts'
import { schedulesJson } from '../../../src/api/status-json.ts'
import { schedulesText } from '../../../src/cli/commands/schedule.ts'

const DUE = Date.parse('2030-07-28T01:00:00Z')

function schedule(name: string, fields: Partial<ScheduleInfo> = {}): ScheduleInfo {
  return {
    name,
    cron: '0 3 * * *',
    at: undefined,
    timeZone: 'Europe/Berlin',
    missed: 'one',
    overlap: 'skip',
    catchUp: 100,
    jitter: 0,
    task: 'sum',
    state: 'active',
    next: DUE,
    last: undefined,
    skipped: 0,
    problem: undefined,
    ...fields
  }
}

it('the table shows times in the zone of the schedule, the last outcome, pauses and problems', () => {
  const last = { job: 'nightly@2030-07-27T01:00:00Z', due: DUE - 86_400_000, state: 'failed' as const }
  const all = [
    schedule('nightly', { last, skipped: 1_200 }),
    schedule('later', { cron: undefined, at: DUE, timeZone: 'UTC' }),
    schedule('off', { state: 'paused', next: undefined, problem: 'the clock of the leader\nis off' })
  ]
  expect(schedulesText(all)).toBe(
    [
      'NAME     CRON       ZONE           NEXT                 LAST                 OUTCOME  SKIPPED  TASK',
      'nightly  0 3 * * *  Europe/Berlin  2030-07-28 03:00:00  2030-07-27 03:00:00  failed     1,200  sum',
      'later    once       UTC            2030-07-28 01:00:00  -                    -              0  sum',
      'off      0 3 * * *  Europe/Berlin  paused               -                    -              0  sum',
      'off: the clock of the leader is off'
    ].join('\n')
  )
  expect(schedulesText([])).toBe('no schedules')
})

it('a narrow terminal still shows names, next runs and outcomes', () => {
  const text = schedulesText([schedule('nightly')], 40)
  expect(text.split('\n')[0]).toBe('NAME     NEXT                 OUTCOME')
})

it('a time is in UTC where this runtime does not know the zone', () => {
  expect(schedulesText([schedule('a', { timeZone: 'Mars/Base' })])).toContain('2030-07-28 01:00:00Z')
})

it('the JSON of a schedule has null for what is undefined', () => {
  const [json] = schedulesJson([schedule('a', { last: { job: 'a@x', due: 1, state: undefined } })])
  expect(json).toMatchObject({ at: null, problem: null, last: { job: 'a@x', due: 1, state: null } })
})
