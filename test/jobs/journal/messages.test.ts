import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvalidMessageError } from '../../../src/errors.ts'
import { type JournalMessage, journalProtocol } from '../../../src/jobs/journal/messages.ts'
import { JournalMessage as Wire } from '../../../src/wire/jobs.gen.ts'
import { IDS } from '../fake-cluster.ts'
import { bytes, count, failure, job, peer, sha256, stands, stats, submission, survives } from '../messages.ts'

const { codec } = journalProtocol
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
const perPeer = fc.dictionary(peer, count, { noNullPrototype: true })
const stamp = fc.record({
  epoch: count,
  rank: fc.record({ priority: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), id: fc.constantFrom(...IDS) }),
  version: count
})
const pieces = fc.array(fc.array(bytes, { minLength: 1, maxLength: 4 }), { maxLength: 3 }).map(pieces => {
  let next = 0
  const partials = pieces.map(parts => {
    const piece = { first: next, lengths: Uint32Array.from(parts, part => part.length), bytes: Buffer.concat(parts) }
    next += parts.length
    return piece
  })
  return { next, partials }
})
const checkpoint = fc.oneof(
  fc.record({ kind: fc.constant('folded'), next: count, digest: hash, perPeer, accumulator: bytes }),
  fc.tuple(pieces, hash, perPeer).map(([parts, digest, perPeer]) => ({ kind: 'appended', digest, perPeer, ...parts }))
)
const outcome = fc.oneof(
  fc.record({ type: fc.constant('completed'), result: bytes, stats }),
  fc.record({ type: fc.constant('failed'), failure, stats }),
  fc.record({ type: fc.constant('cancelled'), stats })
)
const birth = fc.string({ maxLength: 50 })
const about = {
  task: fc.string(),
  sha256,
  inputSha256: sha256,
  slots: fc.nat(),
  leaders: fc.array(fc.record({ leader: peer, epoch: count }), { maxLength: 5 }),
  keep: fc.constantFrom(0, 600_000)
}
const head = fc
  .tuple(job, stamp, birth, fc.constantFrom(undefined, 'completed', 'failed', 'cancelled'), fc.boolean())
  .map(([job, stamp, birth, end, has]) => ({ job, stamp, birth, end, hasOutcome: has && end !== undefined }))
const running = fc
  .tuple(job, stamp, birth, fc.record({ ...about, submission, checkpoint: fc.option(checkpoint, { nil: undefined }) }))
  .map(([job, stamp, birth, record]) => ({
    ...{ job, stamp, birth, end: undefined, hasOutcome: false },
    record: { ...record, outcome: undefined }
  }))
const ended = fc
  .tuple(job, stamp, birth, fc.record(about), outcome, fc.boolean())
  .map(([job, stamp, birth, record, outcome, has]) => ({
    ...{ job, stamp, birth, end: outcome.type, hasOutcome: has },
    record: { ...record, submission: undefined, checkpoint: undefined, outcome: has ? outcome : undefined }
  }))
const entry = fc.oneof(running, ended)
const message = fc
  .tuple(
    count,
    fc.oneof(
      fc.record({ type: fc.constant('read'), priority: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) }),
      fc.record({ type: fc.constant('heads'), heads: fc.array(head) }),
      fc.record({ type: fc.constant('fetch'), job }),
      entry.map(entry => ({ type: 'fetched', job: entry.job, entry })),
      fc.record({ type: fc.constant('fetched'), job, entry: fc.constant(undefined) }),
      fc.record({ type: fc.constant('put'), entry }),
      fc.record({ type: fc.constant('copy'), entry }),
      fc
        .tuple(running, checkpoint)
        .map(([{ record: _, ...head }, checkpoint]) => ({ type: 'update', head, checkpoint })),
      fc.record({ type: fc.constant('held'), job, version: count }),
      fc.record({ type: fc.constant('forget'), job, stamp }),
      fc.constant({ type: 'refused' })
    )
  )
  .map(([epoch, says]) => ({ epoch, ...says }) as unknown as JournalMessage)

test('messages of the journal arrive as they were sent', () => {
  fc.assert(
    fc.property(message, message => survives(journalProtocol, message)),
    { numRuns: 500 }
  )
})

test('garbage, and messages of which a byte was changed, are refused with an InvalidMessageError', () => {
  fc.assert(
    fc.property(
      message,
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(),
      fc.nat({ max: 255 }),
      (message, raw, at, byte) => {
        stands(journalProtocol, raw)
        const changed = Uint8Array.from(codec.encode(message))
        if (changed.length > 0) changed[at % changed.length] = byte
        stands(journalProtocol, changed)
      }
    ),
    { numRuns: 1_000 }
  )
})

const stampOf = { epoch: 1, leader: IDS[0]!, priority: 0, version: 1 }
const headOf = { job: 'night', stamp: stampOf, birth: 'b', end: '', hasOutcome: false }
const none = new Uint8Array()
const submit = { task: '', sha256: new Uint8Array(32), code: none, input: none, inputSha256: new Uint8Array(32) }
const whole = {
  head: headOf,
  task: '',
  sha256: new Uint8Array(32),
  inputSha256: new Uint8Array(32),
  slots: 1,
  leaders: []
}
const terms = { retries: 0, speculate: true, requires: new Map<string, string>(), priority: 0, detach: false }
const hello = { seen: 0, partials: false, got: 0 }
const runs = { ...whole, submission: { ...submit, ...terms, ...hello } }
const appended = { next: 2, digest: new Uint8Array(32), perPeer: [], partials: [] }

test.each<[string, Parameters<typeof Wire.encode>[0]]>([
  ['nothing', {}],
  ['two things', { refused: {}, held: { job: 'night', version: 1 } }],
  ['a job that runs without its code', { put: { entry: whole } }],
  ['the code of a job that has ended', { put: { entry: { ...runs, head: { ...headOf, end: 'failed' } } } }],
  ['an outcome of a job that runs', { put: { entry: { ...runs, head: { ...headOf, hasOutcome: true } } } }],
  ['an unknown end', { put: { entry: { ...whole, head: { ...headOf, end: 'lost' } } } }],
  ['no stamp', { heads: { heads: [{ ...headOf, stamp: undefined as never }] } }],
  ['a leader that is none', { heads: { heads: [{ ...headOf, stamp: { ...stampOf, leader: 'me' } }] } }],
  ['a checkpoint whose partials are missing', { put: { entry: { ...runs, checkpoint: appended } } }],
  [
    'a checkpoint with a short digest',
    { update: { head: headOf, checkpoint: { ...appended, next: 0, digest: new Uint8Array(31) } } }
  ],
  ['a past leader that is none', { put: { entry: { ...runs, leaders: [{ leader: 'me', epoch: 1 }] } } }],
  ['the entry of another job', { fetched: { job: 'day', entry: runs } }]
])('messages of the journal are refused when they hold %s', (_what, fields) => {
  expect(() => codec.decode(Wire.encode({ epoch: 1, ...fields }))).toThrow(InvalidMessageError)
})

test('a whole entry of a job that runs is taken', () => {
  expect(codec.decode(Wire.encode({ epoch: 1, put: { entry: runs } }))).toMatchObject({ type: 'put' })
})
