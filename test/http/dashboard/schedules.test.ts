import { expect, it } from 'vitest'
import { MOST_SCHEDULES, scheduleRows } from '../../../src/http/dashboard/model/schedules.ts'
import { schedule, told } from './told.ts'

it('the model keeps the newest list of schedules, and does not change when the list is the same', () => {
  const one = told([{ type: 'schedules', at: 0, data: [schedule('a')] }])
  expect(one.schedules).toEqual([schedule('a')])
  expect(told([{ type: 'schedules', at: 1, data: [schedule('a')] }], one)).toBe(one)
  expect(told([{ type: 'schedules', at: 2, data: [schedule('a', { state: 'paused', next: null })] }], one)).not.toBe(
    one
  )
})

it('the page shows a bounded part of many schedules, those with a problem first', () => {
  const many = Array.from({ length: MOST_SCHEDULES }, (_, index) => schedule(`n${index}`))
  const rows = scheduleRows([...many, schedule('last', { problem: 'the clock of the leader is off' })])
  expect(rows.map(({ name }) => name).slice(0, 3)).toEqual(['last', 'n0', 'n1'])
  expect(rows).toHaveLength(MOST_SCHEDULES)
})
