/** Random messages of the protocol "locks". */
import type { LockMessage } from '../../src/locks/messages.ts'
import { count, peer } from '../jobs/messages.ts'
import fc from '../properties.ts'

const of = <T extends string>(type: T) => fc.constant(type)
const lock = {
  kind: fc.constantFrom('lock' as const, 'leadership' as const),
  name: fc.string({ minLength: 1, maxLength: 200 })
}
const uint32 = fc.nat({ max: 2 ** 31 - 1 })
const ticket = fc.record({ epoch: count, number: count })
const limit = fc.integer({ min: 1, max: 1_000 })
const ttl = fc.integer({ min: 1_000, max: 30_000 })
const owner = fc.string({ maxLength: 200 })
const waiter = fc.record({ client: peer, owner, since: count })
const holder = fc.record({
  session: fc.string({ maxLength: 64 }),
  client: peer,
  owner,
  token: count,
  ttl,
  since: count
})
const state = fc.record({
  ...lock,
  limit,
  token: count,
  holders: fc.array(holder, { maxLength: 3 }),
  waiters: fc.array(waiter, { maxLength: 3 })
})
const keep = fc.record({
  type: of('keep'),
  ...lock,
  ...{ sequence: uint32, limit, ttl, owner },
  ticket: fc.option(ticket, { nil: undefined }),
  isHeld: fc.boolean()
})
const says = fc.oneof(
  { weight: 3, arbitrary: keep },
  fc.record({ type: of('release'), ...lock }),
  fc.record({ type: of('held'), sequence: uint32, token: count }),
  fc.record({ type: of('queued'), ticket, ahead: uint32 }),
  fc.record({ type: of('refused'), reason: fc.string({ maxLength: 1_000 }) }),
  fc.constantFrom(
    ...(['lost', 'released', 'yield', 'not-leader'] as const).map((type): { type: typeof type } => ({ type }))
  ),
  fc.record({ type: of('list'), after: fc.string({ maxLength: 220 }) }),
  fc.record({ type: of('locks'), locks: fc.array(state, { maxLength: 5 }), more: fc.boolean() })
)
export const message = fc
  .tuple(fc.string({ maxLength: 64 }), says)
  .map(([session, rest]): LockMessage => ({ session, ...rest }))
