/** Random messages of the job protocols. */

import type { OverviewMessage } from '../../src/jobs/protocol/overview-messages.ts'
import type { SubmitMessage } from '../../src/jobs/protocol/submit-messages.ts'
import type { WorkMessage } from '../../src/jobs/protocol/work-messages.ts'
import { pack, packIndexed } from '../../src/tasks/values/pack.ts'
import fc from '../properties.ts'
import { bytes, chunkTimeout, count, failure, fn, job, peer, priority, sha256, stats, submission } from './messages.ts'

const line = fc.record({
  function: fn,
  index: fc.option(count, { nil: undefined }),
  stream: fc.constantFrom('stdout', 'stderr'),
  line: fc.string()
})
const state = fc.constantFrom('accepted', 'running', 'completed', 'failed', 'cancelled')

const mode = fc.constantFrom('plain', 'announced', 'quarantined')
const seal = fc.uint8Array({ maxLength: 64 })
const submissionId = fc.string({ maxLength: 200 })
const digestsOf = (chunks: number) => Uint8Array.from({ length: 16 * chunks }, (_, i) => i)
const items = fc.uniqueArray(fc.tuple(count, bytes), { minLength: 1, maxLength: 20, selector: ([index]) => index })
export const work = fc
  .tuple(
    count,
    fc.oneof(
      fc.constant({ type: 'welcome' }),
      fc.record({ type: fc.constant('hello'), slots: fc.nat({ max: 65_536 }), leaving: fc.boolean() }),
      fc
        .tuple(job, sha256, mode, items, chunkTimeout, priority, seal, submissionId, fc.boolean())
        .map(([job, sha256, mode, items, chunkTimeout, priority, seal, submissionId, combine]) => ({
          type: 'batch',
          job,
          sha256,
          mode,
          indices: items.map(([index]) => index),
          chunks: pack(items.map(([, chunk]) => chunk)),
          chunkTimeout,
          priority,
          digests: digestsOf(items.length),
          seal,
          submissionId,
          combine
        })),
      fc
        .tuple(job, sha256, peer, count, fc.uniqueArray(count, { minLength: 1, maxLength: 20 }), seal, fc.nat())
        .map(([job, sha256, leader, epoch, indices, seal, cut]) => {
          const retained = indices.slice(0, cut % indices.length)
          const digests = digestsOf(indices.length)
          const batch = { leader, epoch, indices, digests, seal }
          const [running, waiting] = [
            indices.slice(retained.length, retained.length + 1),
            indices.slice(retained.length + 1)
          ]
          return {
            type: 'in-flight',
            job,
            sha256,
            batch,
            retained,
            sizes: retained.map((_, i) => i * 1_000),
            running,
            waiting
          }
        }),
      fc
        .tuple(job, fc.uniqueArray(count, { minLength: 1 }), seal, submissionId)
        .map(([job, indices, seal, submissionId]) => ({
          type: 'reattach',
          job,
          indices,
          digests: digestsOf(indices.length),
          seal,
          submissionId
        })),
      fc.record({ type: fc.constant('returned'), job, indices: fc.array(count, { minLength: 1 }) }),
      fc.record({ type: fc.constant('covered'), job, next: count }),
      fc.constant({ type: 'leaving' }),
      fc.constant({ type: 'dismissed' }),
      fc
        .tuple(job, items, fc.array(failure), fc.float({ min: 0, max: Math.fround(1e6), noNaN: true }), submissionId)
        .map(([job, items, failures, busyMs, submissionId]) => ({
          type: 'outcomes',
          job,
          partials: packIndexed(items.map(([index, bytes]) => ({ index, bytes }))),
          failed: failures.map((failure, index) => ({ index, failure: { ...failure, index } })),
          busyMs,
          submissionId
        })),
      fc.record({ type: fc.constant('release'), job }),
      fc.record({ type: fc.constant('cancel-chunks'), job, indices: fc.array(count) }),
      fc.record({ type: fc.constant('starting'), job, indices: fc.array(count, { minLength: 1 }) }),
      fc.record({ type: fc.constant('go'), job, indices: fc.array(count, { minLength: 1 }) }),
      fc.record({ type: fc.constant('code-request'), sha256 }),
      fc.record({ type: fc.constant('code'), sha256, code: bytes }),
      fc.record({
        type: fc.constant('values-request'),
        job,
        ids: fc.uniqueArray(sha256, { minLength: 1, maxLength: 9 })
      }),
      fc
        .tuple(job, fc.array(fc.tuple(sha256, bytes), { maxLength: 9 }), fc.array(sha256, { maxLength: 9 }))
        .map(([job, values, missing]) => ({
          type: 'values',
          job,
          ids: values.map(([id]) => id),
          values: pack(values.map(([, bytes]) => bytes)),
          missing
        })),
      fc.record({ type: fc.constant('log'), job, lines: fc.array(line) })
    )
  )
  .map(([epoch, says]) => ({ epoch, ...says }) as unknown as WorkMessage)

const progress = fc.record({
  state,
  done: count,
  total: fc.option(count, { nil: undefined }),
  peers: fc.nat(),
  retries: count,
  recomputed: count,
  speculated: count,
  unserved: fc.boolean()
})

const durability = fc.record({ memory: fc.nat(), disk: fc.nat() })

export const submit = fc
  .oneof(
    fc.record({
      job,
      type: fc.constant('submit'),
      submission,
      seen: count,
      got: count
    }),
    fc.record({ job, type: fc.constant('got'), next: count }),
    fc.record({
      job,
      epoch: count,
      type: fc.constant('partials'),
      first: count,
      partials: fc.array(bytes).map(pack)
    }),
    fc.record({
      job,
      epoch: count,
      type: fc.constant('wants'),
      first: count,
      most: fc.integer({ min: 1, max: 2 ** 31 })
    }),
    fc.record({ job, type: fc.constant('items'), first: count, items: fc.array(bytes).map(pack), done: fc.boolean() }),
    fc.record({
      job,
      epoch: count,
      type: fc.constant('outputs'),
      outputs: fc.array(fc.record({ index: count, bytes })).map(packIndexed)
    }),
    fc.record({ job, type: fc.constant('cancel') }),
    fc.record({ job, type: fc.constant('leave') }),
    fc.record({ job, type: fc.constant('not-leader'), leader: fc.option(peer, { nil: undefined }) }),
    fc.record({ job, type: fc.constant('watch'), seen: count, got: fc.constant(0) }),
    fc.record({
      job,
      epoch: count,
      type: fc.constant('accepted'),
      folded: count,
      progress: fc.option(progress, { nil: undefined }),
      durability: fc.option(durability, { nil: undefined })
    }),
    fc.record({
      job,
      epoch: count,
      type: fc.constant('unknown'),
      end: fc.constantFrom('completed', 'failed', 'cancelled', undefined)
    }),
    fc.record({ job, epoch: count, type: fc.constant('refused'), reason: fc.string() }),
    fc.record({ job, epoch: count, type: fc.constant('refused'), reason: fc.string(), disks: fc.nat() }),
    fc.record({ job, epoch: count, type: fc.constant('durability'), durability }),
    fc.record({ job, epoch: count, type: fc.constant('busy'), reason: fc.string(), ms: fc.nat(), places: fc.nat() }),
    fc.record({
      job,
      epoch: count,
      type: fc.constant('refused'),
      reason: fc.string(),
      end: fc.constantFrom('completed', 'failed', 'cancelled')
    }),
    fc.record({
      job,
      epoch: count,
      type: fc.constant('progress'),
      progress
    }),
    fc.tuple(job, count, fc.array(fc.tuple(line, peer))).map(([job, epoch, lines]) => ({
      job,
      epoch,
      type: 'log',
      lines: lines.map(([line, peer]) => ({ ...line, peer }))
    })),
    fc.record({ job, epoch: count, type: fc.constant('completed'), result: bytes, stats }),
    fc.record({ job, epoch: count, type: fc.constant('failed'), failure, stats }),
    fc.record({ job, epoch: count, type: fc.constant('cancelled'), stats })
  )
  .map(message => message as unknown as SubmitMessage)

const id = fc.nat({ max: 2 ** 31 })
const chunkQuestion = fc.record({ job, source: fc.string({ maxLength: 100 }), since: count, from: count })
/** Generates runs with gaps between them. The codes 0 and 1 belong to no peer, and each peer has two codes of its own. */
const chunkPiece = fc
  .record({
    peers: fc.uniqueArray(peer, { maxLength: 5 }),
    first: fc.nat({ max: 2 ** 40 }),
    drawn: fc.array(fc.record({ gap: fc.nat({ max: 300 }), length: fc.integer({ min: 1, max: 300 }), code: fc.nat() })),
    rest: fc.nat({ max: 300 }),
    more: fc.boolean(),
    source: fc.string({ maxLength: 100 }),
    version: count,
    state,
    whole: fc.boolean()
  })
  .map(({ drawn, rest, more, ...piece }) => {
    let end = piece.first
    const runs = drawn.flatMap(({ gap, length, code }) => {
      const start = end + gap
      end = start + length
      return [start, length, code % (2 + 2 * piece.peers.length)]
    })
    const last = end
    end += rest
    return { ...piece, runs, end, next: more && last > piece.first && last < end ? last : undefined }
  })

export const overview = fc
  .oneof(
    fc.record({ id, type: fc.constant('request') }),
    fc.record({ id, type: fc.constant('request'), chunks: chunkQuestion }),
    fc.record({ id, type: fc.constant('chunk-map'), piece: chunkPiece }),
    fc.record({
      id,
      type: fc.constant('unknown'),
      end: fc.constantFrom('completed', 'failed', 'cancelled', undefined)
    }),
    fc.record({ id, type: fc.constant('not-leader'), leader: fc.option(peer, { nil: undefined }) }),
    fc.record({
      id,
      type: fc.constant('overview'),
      overview: fc.record({
        jobs: fc.array(
          fc.record({
            jobId: job,
            task: fc.string(),
            state,
            done: count,
            total: fc.option(count, { nil: undefined }),
            unserved: fc.boolean(),
            age: fc.option(count, { nil: undefined }),
            durable: fc.nat({ max: 16 }),
            durability
          })
        ),
        busy: fc.dictionary(peer, count, { noNullPrototype: true })
      })
    })
  )
  .map(message => message as unknown as OverviewMessage)
