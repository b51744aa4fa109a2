/** Random records of schedules. */
import { job, submission } from '../jobs/messages.ts'
import fc from '../properties.ts'

export const time = fc.nat({ max: 8.64e15 })
const id = fc.string({ maxLength: 64 })
const times = fc.oneof(
  fc.record({
    type: fc.constant('cron'),
    cron: fc.string({ maxLength: 200 }),
    timeZone: fc.string({ maxLength: 100 })
  }),
  fc.record({ type: fc.constant('once'), at: time })
)
export const run = fc.record({ job, due: time, state: fc.constantFrom('running', 'completed', 'failed', 'cancelled') })
/** Schedules have shorter names than jobs. */
export const nameFor = ({ type }: { type: string }) =>
  type === 'once' ? job : fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/)
export const terms = fc.record({
  id,
  times,
  missed: fc.constantFrom('skip', 'one', 'all'),
  overlap: fc.constantFrom('skip', 'queue', 'allow'),
  catchUp: fc.integer({ min: 1, max: 1_000 }),
  jitter: fc.nat({ max: 86_400_000 })
})
/** The jobs of a schedule have no client that could read partials or send items. */
export const dueSubmission = submission.map(all => ({ ...all, partials: false, stream: undefined }))
export const definition = fc
  .tuple(terms, dueSubmission, time)
  .map(([terms, submission, addedAt]) => ({ kind: 'definition', ...terms, submission, addedAt }))
export const removed = fc.record({ kind: fc.constant('removed'), id, removedAt: time })
export const mark = fc.record({
  kind: fc.constant('mark'),
  id,
  firedThrough: time,
  isPaused: fc.boolean(),
  skipped: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  last: fc.option(run, { nil: undefined })
})
