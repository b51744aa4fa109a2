import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidMessageError } from '../../src/errors.ts'
import { type OverviewMessage, overviewProtocol } from '../../src/jobs/overview-messages.ts'
import { type SubmitMessage, submitProtocol } from '../../src/jobs/submit-messages.ts'
import { packNumbers, unpackNumbers } from '../../src/jobs/varints.ts'
import { type WorkMessage, workProtocol } from '../../src/jobs/work-messages.ts'
import { pack, packIndexed } from '../../src/tasks/pack.ts'
import { SubmitMessage as WireSubmit, WorkMessage as WireWork } from '../../src/wire/jobs.gen.ts'
import { IDS } from './fake-cluster.ts'
import {
  bytes,
  chunkTimeout,
  count,
  failure,
  fn,
  job,
  peer,
  priority,
  sha256,
  stands,
  stats,
  submission,
  survives
} from './messages.ts'

const line = fc.record({
  function: fn,
  index: fc.option(count, { nil: undefined }),
  stream: fc.constantFrom('stdout', 'stderr'),
  line: fc.string()
})
const state = fc.constantFrom('accepted', 'running', 'completed', 'failed', 'cancelled')

const mode = fc.constantFrom('plain', 'announced', 'alone')
const seal = fc.uint8Array({ maxLength: 64 })
const birth = fc.string({ maxLength: 200 })
const digestsOf = (chunks: number) => Uint8Array.from({ length: 16 * chunks }, (_, i) => i)
const items = fc.uniqueArray(fc.tuple(count, bytes), { minLength: 1, maxLength: 20, selector: ([index]) => index })
const work = fc.tuple(
  count,
  fc.oneof(
    fc.constant({ type: 'welcome' }),
    fc.record({ type: fc.constant('hello'), slots: fc.nat({ max: 65_536 }), leaving: fc.boolean() }),
    fc
      .tuple(job, sha256, mode, items, chunkTimeout, priority, seal, birth, fc.boolean())
      .map(([job, sha256, mode, items, chunkTimeout, priority, seal, birth, combine]) => ({
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
        birth,
        combine
      })),
    fc
      .tuple(job, sha256, peer, count, fc.uniqueArray(count, { minLength: 1, maxLength: 20 }), seal, fc.nat())
      .map(([job, sha256, leader, epoch, indices, seal, cut]) => {
        const held = indices.slice(0, cut % indices.length)
        const digests = digestsOf(indices.length)
        const batch = { leader, epoch, indices, digests, seal }
        const [running, waiting] = [indices.slice(held.length, held.length + 1), indices.slice(held.length + 1)]
        return { type: 'offer', job, sha256, batch, held, sizes: held.map((_, i) => i * 1_000), running, waiting }
      }),
    fc.tuple(job, fc.uniqueArray(count, { minLength: 1 }), seal, birth).map(([job, indices, seal, birth]) => ({
      type: 'claim',
      job,
      indices,
      digests: digestsOf(indices.length),
      seal,
      birth
    })),
    fc.record({ type: fc.constant('returned'), job, indices: fc.array(count, { minLength: 1 }) }),
    fc.record({ type: fc.constant('covered'), job, next: count }),
    fc.constant({ type: 'leaving' }),
    fc.constant({ type: 'dismissed' }),
    fc
      .tuple(job, items, fc.array(failure), fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }), birth)
      .map(([job, items, failures, busyMs, birth]) => ({
        type: 'outcomes',
        job,
        partials: packIndexed(items.map(([index, bytes]) => ({ index, bytes }))),
        failed: failures.map((failure, index) => ({ index, failure: { ...failure, index } })),
        busyMs,
        birth
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

const submit = fc.oneof(
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
    progress: fc.option(progress, { nil: undefined })
  }),
  fc.record({
    job,
    epoch: count,
    type: fc.constant('unknown'),
    end: fc.constantFrom('completed', 'failed', 'cancelled', undefined)
  }),
  fc.record({ job, epoch: count, type: fc.constant('refused'), reason: fc.string() }),
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

const id = fc.nat({ max: 2 ** 31 })
const overview = fc.oneof(
  fc.record({ id, type: fc.constant('request') }),
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
          age: fc.option(count, { nil: undefined })
        })
      ),
      busy: fc.dictionary(peer, count, { noNullPrototype: true })
    })
  })
)

describe('messages of the jobs protocols', () => {
  it('arrive as they were sent: work', () => {
    fc.assert(
      fc.property(work, ([epoch, says]) => survives(workProtocol, { epoch, ...says } as unknown as WorkMessage))
    )
  })

  it('arrive as they were sent: submit', () => {
    fc.assert(fc.property(submit, message => survives(submitProtocol, message as unknown as SubmitMessage)))
  })

  it('arrive as they were sent: overview', () => {
    fc.assert(fc.property(overview, message => survives(overviewProtocol, message as unknown as OverviewMessage)))
  })

  it('are refused with an InvalidMessageError when they are garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), raw => {
        stands(workProtocol, raw)
        stands(submitProtocol, raw)
        stands(overviewProtocol, raw)
      }),
      { numRuns: 2_000 }
    )
  })

  it('are refused with an InvalidMessageError when a byte of them was changed', () => {
    fc.assert(
      fc.property(work, submit, overview, fc.nat(), fc.nat({ max: 255 }), ([epoch, says], b, c, at, byte) => {
        const change = (raw: Uint8Array): Uint8Array => {
          const changed = Uint8Array.from(raw)
          if (changed.length > 0) changed[at % changed.length] = byte
          return changed
        }
        stands(workProtocol, change(workProtocol.codec.encode({ epoch, ...says } as unknown as WorkMessage)))
        stands(submitProtocol, change(submitProtocol.codec.encode(b as unknown as SubmitMessage)))
        stands(overviewProtocol, change(overviewProtocol.codec.encode(c as unknown as OverviewMessage)))
      }),
      { numRuns: 1_000 }
    )
  })

  const batch = {
    job: 'a',
    sha256: new Uint8Array(32),
    indices: packNumbers([1, 2]),
    lengths: packNumbers([3, 1]),
    payload: new Uint8Array(4),
    priority: 0,
    announced: false,
    alone: false,
    digests: new Uint8Array(32),
    seal: new Uint8Array(64),
    birth: 'b',
    combine: false
  }
  const offer = {
    job: 'a',
    sha256: new Uint8Array(32),
    leader: IDS[0]!,
    epoch: 1,
    indices: packNumbers([1, 2]),
    digests: new Uint8Array(32),
    seal: new Uint8Array(64),
    held: packNumbers([1]),
    sizes: packNumbers([10]),
    running: packNumbers([2]),
    waiting: packNumbers([])
  }

  const values = {
    job: 'a',
    ids: new Uint8Array(32),
    lengths: packNumbers([4]),
    payload: new Uint8Array(4),
    missing: new Uint8Array()
  }

  it.each([
    ['nothing', {}],
    ['two things', { welcome: {}, leaving: {} }],
    ['a job id with a slash', { release: { job: '../etc' } }],
    ['lengths that do not add up', { batch: { ...batch, payload: new Uint8Array(5) } }],
    ['more indices than lengths', { batch: { ...batch, indices: packNumbers([1, 2, 3]) } }],
    [
      'an empty batch',
      { batch: { ...batch, indices: packNumbers([]), lengths: packNumbers([]), payload: new Uint8Array() } }
    ],
    ['a malformed list of chunks', { cancelChunks: { job: 'a', indices: Uint8Array.of(0x80) } }],
    ['no time for a chunk', { batch: { ...batch, chunkTimeout: 0 } }],
    ['more time for a chunk than a timer takes', { batch: { ...batch, chunkTimeout: 2 ** 31 } }],
    ['two ways to run a batch', { batch: { ...batch, announced: true, alone: true } }],
    ['no chunks that start', { starting: { job: 'a', indices: packNumbers([]) } }],
    ['a priority beyond all', { batch: { ...batch, priority: 101 } }],
    ['a short hash', { codeRequest: { sha256: new Uint8Array(31) } }],
    ['far too many slots', { hello: { slots: 1_000_000, leaving: false } }],
    ['a batch with a chunk twice', { batch: { ...batch, indices: packNumbers([7, 7]) } }],
    ['a batch with fewer digests than chunks', { batch: { ...batch, digests: new Uint8Array(16) } }],
    ['a batch with a seal that is none', { batch: { ...batch, seal: new Uint8Array(1_000) } }],
    ['a batch of a job whose birth is too long', { batch: { ...batch, birth: 'b'.repeat(201) } }],
    ['an offer of what was not given', { offer: { ...offer, running: packNumbers([3]) } }],
    ['an offer of more than was given', { offer: { ...offer, waiting: packNumbers([2]) } }],
    ['an offer with fewer sizes than partials', { offer: { ...offer, sizes: packNumbers([]) } }],
    ['an offer of nobody', { offer: { ...offer, leader: 'me' } }],
    [
      'a claim to nothing',
      { claim: { job: 'a', indices: packNumbers([]), digests: new Uint8Array(), seal: offer.seal, birth: 'b' } }
    ],
    ['nothing that is returned', { returned: { job: 'a', indices: packNumbers([]) } }],
    [
      'a failure without a chunk',
      { outcomes: { ...batch, failures: [{ function: 'run', name: '', message: '', stack: '' }], busyMs: 0 } }
    ],
    ['a request for no values', { valuesRequest: { job: 'a', ids: new Uint8Array() } }],
    ['a request for a part of a value', { valuesRequest: { job: 'a', ids: new Uint8Array(33) } }],
    ['a request for a value twice', { valuesRequest: { job: 'a', ids: new Uint8Array(64) } }],
    ['a request for far too many values', { valuesRequest: { job: 'a', ids: new Uint8Array(32 * 16_385) } }],
    ['values that do not add up', { values: { ...values, payload: new Uint8Array(5) } }],
    ['more values than lengths', { values: { ...values, ids: new Uint8Array(64) } }],
    ['values of a job id that is none', { values: { ...values, job: '' } }],
    ['negative time', { outcomes: { ...batch, failures: [], busyMs: -1 } }],
    ['an unknown function', { log: { job: 'a', lines: [{ function: 'steal', stderr: false, line: '', peer: '' }] } }]
  ])('are refused when they hold %s', (_what, fields) => {
    const raw = WireWork.encode({ epoch: 1, ...fields })
    expect(() => workProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })

  const submission = {
    task: '',
    sha256: new Uint8Array(32),
    code: new Uint8Array(),
    input: new Uint8Array(),
    inputSha256: new Uint8Array(32),
    retries: 0,
    speculate: true,
    requires: new Map<string, string>(),
    priority: 0,
    detach: false,
    seen: 0,
    partials: false,
    got: 0
  }

  it.each([
    ['far too many retries', { retries: 2_000_000 }],
    ['no time for a chunk', { chunkTimeout: 0 }],
    ['more time for a chunk than a timer takes', { chunkTimeout: 2 ** 32 - 1 }],
    ['a priority beyond all', { priority: -101 }],
    ['an outcome to be kept for more than a week', { keep: 604_800_001 }],
    ['a tag without a name', { requires: new Map([['', 'x']]) }],
    ['a tag with a long name', { requires: new Map([['x'.repeat(65), 'x']]) }],
    ['a tag with a long value', { requires: new Map([['x', 'x'.repeat(257)]]) }],
    ['more tags than a member can have', { requires: new Map(Array.from({ length: 33 }, (_, i) => [`${i}`, ''])) }]
  ])('are refused when a job is submitted with %s', (_what, fields) => {
    expect(submitProtocol.codec.decode(WireSubmit.encode({ job: 'a', submit: submission }))).toMatchObject({ job: 'a' })
    const raw = WireSubmit.encode({ job: 'a', submit: { ...submission, ...fields } })
    expect(() => submitProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })

  it.each([
    ['a stream in an order that there is not', { stream: 'sorted', partials: true }],
    ['a stream whose partials nobody reads', { stream: 'ordered' }]
  ])('are refused when a job is submitted as %s', (_what, fields) => {
    const raw = WireSubmit.encode({ job: 'a', submit: { ...submission, ...fields } })
    expect(() => submitProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })

  it.each([
    ['no items are wanted', { epoch: 1, wants: { first: 0, most: 0 } }],
    [
      'items come whose sizes are not theirs',
      { items: { first: 0, lengths: packNumbers([2]), payload: new Uint8Array(1), done: false } }
    ],
    [
      'outputs come without their indices',
      { epoch: 1, outputs: { indices: packNumbers([]), lengths: packNumbers([1]), payload: new Uint8Array(1) } }
    ],
    [
      'more items come than a message may name',
      { items: { first: 0, lengths: new Uint8Array(16_385), payload: new Uint8Array(), done: false } }
    ]
  ])('are refused when %s', (_what, message) => {
    expect(() => submitProtocol.codec.decode(WireSubmit.encode({ job: 'a', ...message }))).toThrow(InvalidMessageError)
  })

  it('are refused when the leader says of a job that it ended in no way there is', () => {
    const raw = WireSubmit.encode({ job: 'a', epoch: 1, unknown: { end: 'running' } })
    expect(() => submitProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })

  it('are refused when their epoch is beyond what a number holds', () => {
    // 2^60 as field 1, and an empty field 2 (welcome).
    const raw = Uint8Array.from([0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 0x12, 0x00])
    expect(() => workProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })
})

describe('packed numbers', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.array(count), numbers => {
        expect(unpackNumbers(packNumbers(numbers), 100)).toEqual(numbers)
      })
    )
  })

  it('are refused when there are too many', () => {
    expect(() => unpackNumbers(packNumbers([1, 2, 3]), 2)).toThrow(InvalidMessageError)
  })

  it.each([
    ['cut off', [0x80]],
    ['too large', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ['padded', [0x81, 0x00]]
  ])('are refused when one is %s', (_what, raw) => {
    expect(() => unpackNumbers(Uint8Array.from(raw), 10)).toThrow(InvalidMessageError)
  })
})
