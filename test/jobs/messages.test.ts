import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidMessageError } from '../../src/errors.ts'
import { type OverviewMessage, overviewProtocol } from '../../src/jobs/overview-messages.ts'
import { type SubmitMessage, submitProtocol } from '../../src/jobs/submit-messages.ts'
import { packNumbers, unpackNumbers } from '../../src/jobs/varints.ts'
import { type WorkMessage, workProtocol } from '../../src/jobs/work-messages.ts'
import type { ProtocolSpec } from '../../src/network/types.ts'
import { WorkMessage as WireWork } from '../../src/wire/jobs.gen.ts'
import { IDS } from './fake-cluster.ts'

const count = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const job = fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/)
const sha256 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => Buffer.from(bytes).toString('hex'))
const bytes = fc.uint8Array({ maxLength: 40 })
const peer = fc.constantFrom(...IDS)
const fn = fc.constantFrom('split', 'run', 'initial', 'reduce', 'finish', 'load')
const line = fc.record({
  function: fn,
  index: fc.option(count, { nil: undefined }),
  stream: fc.constantFrom('stdout', 'stderr'),
  line: fc.string()
})
const failure = fc.record({
  function: fn,
  index: fc.option(count, { nil: undefined }),
  name: fc.string(),
  message: fc.string(),
  stack: fc.string()
})
const stats = fc.record({
  chunks: count,
  retries: count,
  perPeer: fc.dictionary(peer, count, { noNullPrototype: true })
})
const state = fc.constantFrom('accepted', 'running', 'completed', 'failed', 'cancelled')

const items = fc.array(fc.tuple(count, bytes), { minLength: 1, maxLength: 20 })
const work = fc.tuple(
  count,
  fc.oneof(
    fc.constant({ type: 'welcome' }),
    fc.record({ type: fc.constant('hello'), slots: fc.nat({ max: 65_536 }) }),
    fc.tuple(job, sha256, items).map(([job, sha256, items]) => ({
      type: 'batch',
      job,
      sha256,
      indices: items.map(([index]) => index),
      chunks: items.map(([, chunk]) => chunk)
    })),
    fc
      .tuple(job, items, fc.array(failure), fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }))
      .map(([job, items, failures, busyMs]) => ({
        type: 'outcomes',
        job,
        indices: items.map(([index]) => index),
        partials: items.map(([, partial]) => partial),
        failed: failures.map((failure, index) => ({ index, failure: { ...failure, index } })),
        busyMs
      })),
    fc.record({ type: fc.constant('release'), job }),
    fc.record({ type: fc.constant('code-request'), sha256 }),
    fc.record({ type: fc.constant('code'), sha256, code: bytes }),
    fc.record({ type: fc.constant('log'), job, lines: fc.array(line) })
  )
)

const submit = fc.oneof(
  fc.record({
    job,
    type: fc.constant('submit'),
    submission: fc.record({
      task: fc.string(),
      sha256,
      code: bytes,
      input: bytes,
      inputSha256: sha256,
      retries: fc.nat({ max: 1_000_000 })
    })
  }),
  fc.record({ job, type: fc.constant('cancel') }),
  fc.record({ job, type: fc.constant('leave') }),
  fc.record({ job, type: fc.constant('not-leader'), leader: fc.option(peer, { nil: undefined }) }),
  fc.record({ job, epoch: count, type: fc.constant('accepted') }),
  fc.record({ job, epoch: count, type: fc.constant('refused'), reason: fc.string() }),
  fc.record({
    job,
    epoch: count,
    type: fc.constant('progress'),
    progress: fc.record({
      state,
      done: count,
      total: fc.option(count, { nil: undefined }),
      peers: fc.nat(),
      retries: count
    })
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
        fc.record({ jobId: job, task: fc.string(), state, done: count, total: fc.option(count, { nil: undefined }) })
      ),
      busy: fc.dictionary(peer, count, { noNullPrototype: true })
    })
  })
)

/** Bytes compare as bytes, whatever their class. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
  }
  return value
}

function survives<T>({ codec }: ProtocolSpec<T>, message: T): void {
  expect(plain(codec.decode(codec.encode(message)))).toEqual(plain(message))
}

/** Either a message or an InvalidMessageError comes out, whatever goes in. */
function stands<T>({ codec }: ProtocolSpec<T>, raw: Uint8Array): void {
  try {
    codec.decode(raw)
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidMessageError)
  }
}

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
    payload: new Uint8Array(4)
  }

  it.each([
    ['nothing', {}],
    ['two things', { welcome: {}, hello: { slots: 1 } }],
    ['a job id with a slash', { release: { job: '../etc' } }],
    ['lengths that do not add up', { batch: { ...batch, payload: new Uint8Array(5) } }],
    ['more indices than lengths', { batch: { ...batch, indices: packNumbers([1, 2, 3]) } }],
    [
      'an empty batch',
      { batch: { ...batch, indices: packNumbers([]), lengths: packNumbers([]), payload: new Uint8Array() } }
    ],
    ['a short hash', { codeRequest: { sha256: new Uint8Array(31) } }],
    ['far too many slots', { hello: { slots: 1_000_000 } }],
    [
      'a failure without a chunk',
      { outcomes: { ...batch, failures: [{ function: 'run', name: '', message: '', stack: '' }], busyMs: 0 } }
    ],
    ['negative time', { outcomes: { ...batch, failures: [], busyMs: -1 } }],
    ['an unknown function', { log: { job: 'a', lines: [{ function: 'steal', stderr: false, line: '', peer: '' }] } }]
  ])('are refused when they hold %s', (_what, fields) => {
    const raw = WireWork.encode({ epoch: 1, ...fields })
    expect(() => workProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
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
