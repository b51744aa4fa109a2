import { expect, test } from 'vitest'
import { MOST_PRIORITY, parsePriority, standingOf } from '../../../src/election/core/priority.ts'

const measures = { slots: 8, memory: 16 * 2 ** 30, joinedAt: Date.UTC(2026, 10, 27) }

test('a number is its own priority, and any higher rank takes over', () => {
  expect(standingOf(-7, measures)).toEqual({ electionPriority: -7, margin: undefined })
})

test('the priority by slots or memory is their amount, and a tenth more is worth a takeover', () => {
  expect(standingOf('slots', measures)).toEqual({ electionPriority: 8, margin: 1 })
  expect(standingOf('memory', measures)).toEqual({ electionPriority: 16_384, margin: 1_639 })
})

test('by age, the peer that joined first ranks highest, and a minute is worth a takeover', () => {
  const [older, younger] = [measures.joinedAt, measures.joinedAt + 90_000].map(joinedAt =>
    standingOf('age', { ...measures, joinedAt })
  )
  expect(older!.electionPriority - younger!.electionPriority).toBe(90)
  expect(older!.margin).toBe(60)
  const { electionPriority } = standingOf('age', { ...measures, joinedAt: 0 })
  expect(Math.abs(electionPriority), 'a clock before 2020').toBe(0)
})

test.each([0.5, Number.NaN, MOST_PRIORITY + 1, 'height' as 'age'])('the priority %s is refused', priority => {
  expect(() => standingOf(priority, measures)).toThrow(/whole number.*or one of slots, memory, age/)
})

test('a priority is read as users write it', () => {
  expect(['5', '-5', '+5', 'age'].map(parsePriority)).toEqual([5, -5, 5, 'age'])
  for (const text of ['', 'tall', '1.5', '99999999999']) expect(() => parsePriority(text)).toThrow(/whole number/)
})
