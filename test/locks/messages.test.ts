import { expect, test } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import { lockProtocol } from '../../src/locks/messages.ts'
import { LockMessage as Wire } from '../../src/wire/locks.gen.ts'
import { IDS } from '../jobs/fake-cluster.ts'
import { testCodec } from '../jobs/messages.ts'
import { message } from './drawn.ts'

const { codec } = lockProtocol

testCodec(lockProtocol, message)

const lock = { kind: 'lock', name: 'nightly' }
const keep = { lock, sequence: 1, limit: 1, ttl: 10_000, owner: '', isHeld: false }
const holder = { session: 's', client: IDS[0]!, owner: '', token: 1, ttl: 10_000, since: 0 }
const state = { lock, limit: 1, token: 1, holders: [holder], waiters: [] }

test.each<[string, Partial<Parameters<typeof Wire.encode>[0]>]>([
  ['no kind', {}],
  ['two kinds', { lost: true, released: true }],
  ['a session of 65 characters', { session: 's'.repeat(65), lost: true }],
  ['no lock', { keep: { ...keep, lock: undefined as never } }],
  ['an unknown kind of lock', { release: { kind: 'job', name: 'nightly' } }],
  ['an empty name', { release: { kind: 'lock', name: '' } }],
  ['a name of 201 characters', { release: { kind: 'lock', name: 'n'.repeat(201) } }],
  ['a limit of 0', { keep: { ...keep, limit: 0 } }],
  ['a limit of 1,001', { keep: { ...keep, limit: 1_001 } }],
  ['a ttl of less than a second', { keep: { ...keep, ttl: 999 } }],
  ['a ttl of more than 30 s', { keep: { ...keep, ttl: 30_001 } }],
  ['no ticket', { queued: { ticket: undefined as never, ahead: 1 } }],
  ['a list of 101 locks', { locks: { locks: Array(101).fill(state), more: false } }],
  ['1,001 holders of a lock', { locks: { locks: [{ ...state, holders: Array(1_001).fill(holder) }], more: false } }],
  [
    'a holder without a PeerId',
    { locks: { locks: [{ ...state, holders: [{ ...holder, client: 'me' }] }], more: false } }
  ]
])('a message with %s is refused', (_what, fields) => {
  expect(() => codec.decode(Wire.encode({ session: 's', ...fields }))).toThrow(InvalidMessageError)
})
