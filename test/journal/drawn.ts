/** Random messages of the journal's protocol. */

import type { JournalMessage } from '../../src/journal/messages.ts'
import { IDS } from '../jobs/fake-cluster.ts'
import { bytes, count, failure, job, peer, sha256, stats, submission } from '../jobs/messages.ts'
import fc from '../properties.ts'
import { definition, mark, nameFor, removed } from './drawn-schedules.ts'

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
const submissionId = fc.string({ maxLength: 50 })
const about = {
  task: fc.string(),
  sha256,
  inputSha256: sha256,
  slots: fc.nat({ max: 40_960_000 }),
  leaders: fc.array(fc.record({ leader: peer, epoch: count }), { maxLength: 5 }),
  keep: fc.constantFrom(0, 600_000)
}
const head = fc
  .tuple(job, stamp, submissionId, fc.constantFrom(undefined, 'completed', 'failed', 'cancelled'), fc.boolean())
  .map(([job, stamp, submissionId, end, has]) => ({
    job,
    stamp,
    submissionId,
    end,
    hasOutcome: has && end !== undefined,
    next: 0,
    durable: has ? 2 : 0,
    ...(has && end === undefined && { isSuspended: true })
  }))
const running = fc
  .tuple(
    job,
    stamp,
    submissionId,
    fc.record({ ...about, submission, checkpoint: fc.option(checkpoint, { nil: undefined }) }),
    fc.boolean()
  )
  .map(([job, stamp, submissionId, record, isSuspended]) => ({
    ...(isSuspended && { isSuspended }),
    ...{ job, stamp, submissionId, end: undefined, hasOutcome: false, next: record.checkpoint?.next ?? 0, durable: 3 },
    record: { ...record, outcome: undefined }
  }))
const ended = fc
  .tuple(job, stamp, submissionId, fc.record(about), outcome, fc.boolean())
  .map(([job, stamp, submissionId, record, outcome, has]) => ({
    ...{ job, stamp, submissionId, end: outcome.type, hasOutcome: has, next: 0, durable: 1 },
    record: { ...record, submission: undefined, checkpoint: undefined, outcome: has ? outcome : undefined }
  }))
const holder = fc.record({
  session: fc.string({ maxLength: 64 }),
  client: peer,
  owner: fc.string({ maxLength: 200 }),
  token: count,
  ttl: fc.nat(),
  since: count
})
const lock = fc
  .tuple(fc.constantFrom('lock/', 'leadership/'), fc.string({ maxLength: 200 }), stamp, submissionId)
  .chain(([kind, name, stamp, submissionId]) =>
    fc.record({ limit: fc.nat(), token: count, holders: fc.array(holder, { maxLength: 3 }) }).map(record => ({
      ...{ job: kind + name, stamp, submissionId, end: undefined, hasOutcome: false, next: 0, durable: 0 },
      record
    }))
  )
const around = (kind: string) =>
  fc.tuple(job, stamp, submissionId).map(([name, stamp, submissionId]) => ({
    ...{ job: kind + name, stamp, submissionId, end: undefined, hasOutcome: false, next: 0, durable: 0 }
  }))
const schedule = definition.chain(record =>
  fc
    .tuple(around('schedule/'), nameFor(record.times))
    .map(([head, name]) => ({ ...head, job: `schedule/${name}`, record }))
)
const small = fc.oneof(
  lock,
  fc.tuple(around('schedule/'), removed).map(([head, record]) => ({ ...head, record })),
  fc.tuple(around('mark/'), mark).map(([head, record]) => ({ ...head, record }))
)
export const entry = fc.oneof(running, ended, schedule, small)
export const message = fc
  .tuple(
    count,
    fc.oneof(
      fc.record({ type: fc.constant('read'), priority: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) }),
      fc.record({ type: fc.constant('heads'), heads: fc.array(head), age: count, isOnDisk: fc.boolean() }),
      fc.record({
        type: fc.constant('heads'),
        heads: fc.array(head),
        age: count,
        isIncomplete: fc.constant(true),
        isOnDisk: fc.boolean()
      }),
      fc.record({ type: fc.constant('fetch'), job }),
      entry.map(entry => ({ type: 'fetched', job: entry.job, entry })),
      fc.record({ type: fc.constant('fetched'), job, entry: fc.constant(undefined) }),
      entry.map(entry => ({ type: 'put', entries: [entry] })),
      fc.record({ type: fc.constant('put'), entries: fc.array(small, { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant('copy'), entry }),
      fc
        .tuple(running, checkpoint)
        .map(([{ record: _, ...head }, checkpoint]) => ({ type: 'update', head, checkpoint })),
      fc.record({ type: fc.constant('held'), job, version: count, isOnDisk: fc.boolean() }),
      fc.record({ type: fc.constant('forget'), job, stamp }),
      fc
        .tuple(stamp, fc.array(peer, { maxLength: 3 }), fc.option(stamp, { nil: undefined }))
        .map(([stamp, ids, floor]) => {
          const list = { stamp, holders: ids, inMemory: ids, behind: ids }
          return {
            type: 'holders',
            list: floor === undefined ? list : { ...list, floor, outdated: [ids[0] ?? stamp.rank.id] }
          }
        }),
      fc.constant({ type: 'whole' }),
      fc.constant({ type: 'refused' })
    )
  )
  .map(([epoch, says]) => ({ epoch, ...says }) as unknown as JournalMessage)
