/** Parses and checks the body of `POST /api/locks/NAME`. */
import type { LockOptions } from '../api/lock-types.ts'
import { type Check, checkFields, isNumber, isString, parseObject } from './submission.ts'

/** The options of the lock that the client asks for. */
export type LockRequest = Pick<LockOptions, 'limit' | 'ttl' | 'wait' | 'owner'>

/** The type of each field. `lock` checks the range of the value later. */
const FIELDS: Record<keyof LockRequest, { is: Check; what: string }> = {
  limit: { is: isNumber, what: 'a number' },
  ttl: { is: isNumber, what: 'a number, in ms' },
  wait: { is: isNumber, what: 'a number, in ms' },
  owner: { is: isString, what: 'a string' }
}

/** @throws InvalidOptionError that names what is wrong in the body */
export function parseLockRequest(text: string): LockRequest {
  const body = parseObject(text, 'the body must be an object, such as {"wait":5000}')
  checkFields(body, FIELDS, 'the body', '')
  return body
}
