import { expect, it } from 'vitest'
import { NoRoomError, NotDurableError } from '../../src/common/errors.ts'
import { answerTo } from '../../src/http/problem.ts'

it('a job for which the leader has no room is answered with 507, and without a time to try again', () => {
  expect(answerTo(new NoRoomError('the leader refused job a'))).toEqual({
    status: 507,
    headers: {},
    body: { error: { name: 'NoRoomError', message: 'the leader refused job a' } }
  })
})

it('a job that too few disks can hold is answered with 507 and with their number', () => {
  expect(answerTo(new NotDurableError('the leader refused job a', { disks: 1, durable: 2 }))).toEqual({
    status: 507,
    headers: {},
    body: { error: { name: 'NotDurableError', message: 'the leader refused job a', disks: 1, durable: 2 } }
  })
})
