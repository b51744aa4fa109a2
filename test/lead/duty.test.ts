import { describe, expect, test } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import type { LeaseTerms } from '../../src/election/quorum/lease.ts'
import { Duty, graceOf, longestGrace, timeToStop } from '../../src/lead/duty.ts'

const terms: LeaseTerms = { voters: ['a', 'b', 'c'], leaseTime: 1_000, drift: 0.01 }

describe('the duty of a leader with a lease', () => {
  const create = (grace = 200): Duty => new Duty({ grace, hasLease: true })

  test('the duty lets no work begin if the work could not stop before the lease ends', () => {
    expect(create().mayBegin(251)).toBe(true)
    expect(create().mayBegin(250)).toBe(false)
  })

  test('the duty stops the work while the rest of the lease still covers the grace, and ends the process when the lease has ended', () => {
    const duty = create()
    expect(duty.look(251, 0)).toBe('go on')
    expect(duty.pause(251, 0)).toBe(20)
    expect(duty.look(250, 1)).toBe('stop')
    expect(duty.look(249, 2)).toBe('go on')
    expect(duty.pause(7, 244)).toBe(7)
    expect(duty.look(0, 251)).toBe('end')
  })

  test('the duty does not resume its work when the lease is renewed after the stop began', () => {
    const duty = create()
    duty.look(100, 0)
    expect(duty.look(900, 10)).toBe('go on')
    expect(duty.look(650, 250)).toBe('end')
  })

  test('the duty ends the process at once when the lease has ended during a suspend of the machine', () => {
    const duty = create(10_000)
    duty.stop(0)
    expect(duty.look(0, 1)).toBe('end')
    expect(duty.pause(0, 1)).toBe(0)
  })
})

describe('the duty of a leader without a lease', () => {
  test('when the leadership ends, the duty stops the work, and ends the process after the grace and one second', () => {
    const duty = new Duty({ grace: 200, hasLease: false })
    expect(duty.mayBegin(Number.POSITIVE_INFINITY)).toBe(true)
    expect(duty.mayBegin(0)).toBe(false)
    expect(duty.look(Number.POSITIVE_INFINITY, 0)).toBe('go on')
    expect(duty.pause(Number.POSITIVE_INFINITY, 0)).toBeUndefined()
    expect(duty.look(0, 1_000)).toBe('stop')
    expect(duty.pause(0, 1_000)).toBe(timeToStop({ grace: 200, hasLease: false }))
    expect(duty.look(0, 2_199)).toBe('go on')
    expect(duty.look(0, 2_200)).toBe('end')
  })
})

describe('the grace', () => {
  test('the grace defaults to the longest grace that the lease time allows', () => {
    expect(graceOf(undefined, undefined)).toBe(10_000)
    expect(graceOf(undefined, terms)).toBe(longestGrace(terms))
    expect(longestGrace(terms)).toBe(Math.floor((1_000 * 0.99) / 1.01 - 50 - 2 * 250 - 50 - 50))
    expect(graceOf(3_000, undefined)).toBe(3_000)
    expect(graceOf(0, terms)).toBe(0)
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('a grace of %s is refused', asked => {
    expect(() => graceOf(asked, undefined)).toThrow(InvalidOptionError)
  })

  test('a grace that is too long for the lease time is refused, and the error states the lease time that the grace needs', () => {
    expect(() => graceOf(10_000, terms)).toThrow(InvalidOptionError)
    const needed = Number(/at least (\d+) ms/.exec(String(messageOf(() => graceOf(10_000, terms))))![1])
    expect(graceOf(10_000, { ...terms, leaseTime: needed })).toBe(10_000)
    expect(() => graceOf(10_000, { ...terms, leaseTime: needed - 2 })).toThrow(InvalidOptionError)
  })
})

function messageOf(fails: () => unknown): unknown {
  try {
    fails()
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}
