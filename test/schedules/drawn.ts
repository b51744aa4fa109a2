/** Random messages of the protocol of schedules. */

import type { ScheduleMessage } from '../../src/schedules/messages.ts'
import { dueSubmission, nameFor, run, terms, time } from '../journal/drawn-schedules.ts'
import fc from '../properties.ts'

const name = fc.stringMatching(/^[A-Za-z0-9._:@-]{1,128}$/)
const named = (type: string) => fc.record({ type: fc.constant(type), name })
const state = fc
  .tuple(
    terms,
    fc.record({
      name,
      task: fc.string(),
      isPaused: fc.boolean(),
      next: fc.option(time, { nil: undefined }),
      last: fc.option(run, { nil: undefined }),
      skipped: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      problem: fc.option(fc.string(), { nil: undefined })
    })
  )
  .map(([terms, rest]) => ({ ...terms, ...rest }))

export const request = fc.oneof(
  terms.chain(terms =>
    fc
      .tuple(nameFor(terms.times), dueSubmission)
      .map(([name, submission]) => ({ type: 'add', name, schedule: { ...terms, submission } }))
  ),
  named('remove'),
  named('pause'),
  named('resume'),
  fc.record({ type: fc.constant('run'), name, time: fc.nat({ max: Date.UTC(10_000, 0) - 1 }) }),
  fc.record({ type: fc.constant('list'), after: fc.oneof(name, fc.constant('')) })
)
const reply = fc.oneof(
  fc.record({ type: fc.constant('done'), state: fc.option(state, { nil: undefined }) }),
  fc.record({ type: fc.constant('started'), job: name }),
  fc.constant({ type: 'exists' }),
  fc.constant({ type: 'unknown' }),
  fc.record({
    type: fc.constant('refused'),
    reason: fc.string(),
    notAdmitted: fc.boolean(),
    noRoom: fc.boolean(),
    notDurable: fc.option(fc.record({ disks: fc.nat(), durable: fc.nat() }), { nil: undefined })
  }),
  fc.record({ type: fc.constant('schedules'), schedules: fc.array(state, { maxLength: 3 }), more: fc.boolean() }),
  fc.constant({ type: 'not-leader' })
)
export const message = fc
  .tuple(fc.nat({ max: 2 ** 32 - 1 }), fc.oneof(request, reply))
  .map(([request, says]) => ({ request, ...says }) as unknown as ScheduleMessage)
