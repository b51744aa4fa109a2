import { peerIdFromString } from '@libp2p/peer-id'
import { describe, expect, it } from 'vitest'
import { InvalidMessageError } from '../../../src/common/errors.ts'
import { overviewProtocol } from '../../../src/jobs/protocol/overview-messages.ts'
import { submitProtocol } from '../../../src/jobs/protocol/submit-messages.ts'
import { packNumbers, unpackNumbers } from '../../../src/jobs/protocol/varints.ts'
import { workProtocol } from '../../../src/jobs/protocol/work-messages.ts'
import { SubmitMessage as WireSubmit, WorkMessage as WireWork } from '../../../src/wire/jobs.gen.ts'
import fc from '../../properties.ts'
import { overview, submit, work } from '../drawn.ts'
import { IDS } from '../fake-cluster.ts'
import { count, stands, survives } from '../messages.ts'

describe('messages of the jobs protocols', () => {
  it('decoding an encoded work message returns an equal message', () => {
    fc.assert(fc.property(work, message => survives(workProtocol, message)))
  })

  it('decoding an encoded submit message returns an equal message', () => {
    fc.assert(fc.property(submit, message => survives(submitProtocol, message)))
  })

  it('decoding an encoded overview message returns an equal message', () => {
    fc.assert(fc.property(overview, message => survives(overviewProtocol, message)))
  })

  it('decoding random bytes either returns a message or throws an InvalidMessageError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), raw => {
        stands(workProtocol, raw)
        stands(submitProtocol, raw)
        stands(overviewProtocol, raw)
      }),
      { numRuns: 2_000 }
    )
  })

  it('decoding a message with a changed byte either returns a message or throws an InvalidMessageError', () => {
    fc.assert(
      fc.property(work, submit, overview, fc.nat(), fc.nat({ max: 255 }), (a, b, c, at, byte) => {
        const change = (raw: Uint8Array): Uint8Array => {
          const changed = Uint8Array.from(raw)
          if (changed.length > 0) changed[at % changed.length] = byte
          return changed
        }
        stands(workProtocol, change(workProtocol.codec.encode(a)))
        stands(submitProtocol, change(submitProtocol.codec.encode(b)))
        stands(overviewProtocol, change(overviewProtocol.codec.encode(c)))
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
    quarantined: false,
    digests: new Uint8Array(32),
    seal: new Uint8Array(64),
    submissionId: 'b',
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
    ['no content', {}],
    ['two contents', { welcome: {}, leaving: {} }],
    ['a job id with a slash', { release: { job: '../etc' } }],
    ['lengths that do not add up', { batch: { ...batch, payload: new Uint8Array(5) } }],
    ['more indices than lengths', { batch: { ...batch, indices: packNumbers([1, 2, 3]) } }],
    [
      'an empty batch',
      { batch: { ...batch, indices: packNumbers([]), lengths: packNumbers([]), payload: new Uint8Array() } }
    ],
    ['a malformed list of chunks', { cancelChunks: { job: 'a', indices: Uint8Array.of(0x80) } }],
    ['a chunk timeout of zero', { batch: { ...batch, chunkTimeout: 0 } }],
    ['a chunk timeout beyond a timer’s limit', { batch: { ...batch, chunkTimeout: 2 ** 31 } }],
    ['two ways to run a batch', { batch: { ...batch, announced: true, quarantined: true } }],
    ['an empty list of starting chunks', { starting: { job: 'a', indices: packNumbers([]) } }],
    ['a priority out of range', { batch: { ...batch, priority: 101 } }],
    ['a short hash', { codeRequest: { sha256: new Uint8Array(31) } }],
    ['far too many slots', { hello: { slots: 1_000_000, leaving: false } }],
    ['a batch with a chunk twice', { batch: { ...batch, indices: packNumbers([7, 7]) } }],
    ['a batch with fewer digests than chunks', { batch: { ...batch, digests: new Uint8Array(16) } }],
    ['a batch with an invalid seal', { batch: { ...batch, seal: new Uint8Array(1_000) } }],
    ['a batch whose submissionId is too long', { batch: { ...batch, submissionId: 'b'.repeat(201) } }],
    ['an offer of chunks that were not given', { offer: { ...offer, running: packNumbers([3]) } }],
    ['an offer of more chunks than were given', { offer: { ...offer, waiting: packNumbers([2]) } }],
    ['an offer with fewer sizes than partials', { offer: { ...offer, sizes: packNumbers([]) } }],
    ['an offer from an invalid leader', { offer: { ...offer, leader: 'me' } }],
    // This is the PeerId of the leader, written as a CID.
    ['a PeerId in another spelling', { offer: { ...offer, leader: peerIdFromString(IDS[0]!).toCID().toString() } }],
    ['an offer of an impossibly large partial', { offer: { ...offer, sizes: packNumbers([2 ** 40]) } }],
    [
      'an empty offer',
      { offer: { ...offer, held: packNumbers([]), sizes: packNumbers([]), running: packNumbers([]) } }
    ],
    [
      'an empty claim',
      { claim: { job: 'a', indices: packNumbers([]), digests: new Uint8Array(), seal: offer.seal, submissionId: 'b' } }
    ],
    ['an empty list of returned chunks', { returned: { job: 'a', indices: packNumbers([]) } }],
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
    ['values with an invalid job id', { values: { ...values, job: '' } }],
    ['an impossible busy time', { outcomes: { ...batch, failures: [], busyMs: 1e300 } }],
    ['a busy time that is not a number', { outcomes: { ...batch, failures: [], busyMs: Number.NaN } }],
    ['negative time', { outcomes: { ...batch, failures: [], busyMs: -1 } }],
    ['an unknown function', { log: { job: 'a', lines: [{ function: 'steal', stderr: false, line: '', peer: '' }] } }]
  ])('a message with %s is refused', (_what, fields) => {
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
    got: 0,
    durable: 0
  }

  it.each([
    ['far too many retries', { retries: 2_000_000 }],
    ['a chunk timeout of zero', { chunkTimeout: 0 }],
    ['a chunk timeout beyond a timer’s limit', { chunkTimeout: 2 ** 32 - 1 }],
    ['a priority out of range', { priority: -101 }],
    ['a keep time of more than a week', { keep: 604_800_001 }],
    ['more disks than a job may ask for', { durable: 17 }],
    ['a tag without a name', { requires: new Map([['', 'x']]) }],
    ['a tag with a long name', { requires: new Map([['x'.repeat(65), 'x']]) }],
    ['a tag with a long value', { requires: new Map([['x', 'x'.repeat(257)]]) }],
    ['more tags than a member can have', { requires: new Map(Array.from({ length: 33 }, (_, i) => [`${i}`, ''])) }]
  ])('a submission with %s is refused', (_what, fields) => {
    expect(submitProtocol.codec.decode(WireSubmit.encode({ job: 'a', submit: submission }))).toMatchObject({ job: 'a' })
    const raw = WireSubmit.encode({ job: 'a', submit: { ...submission, ...fields } })
    expect(() => submitProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })

  it.each([
    ['in an unknown order', { stream: 'sorted', partials: true }],
    ['without a reader of its partials', { stream: 'ordered' }]
  ])('a stream %s is refused', (_what, fields) => {
    const raw = WireSubmit.encode({ job: 'a', submit: { ...submission, ...fields } })
    expect(() => submitProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })

  it.each([
    ['requests no items', { epoch: 1, wants: { first: 0, most: 0 } }],
    [
      'has items whose sizes do not match the payload',
      { items: { first: 0, lengths: packNumbers([2]), payload: new Uint8Array(1), done: false } }
    ],
    [
      'has outputs without indices',
      { epoch: 1, outputs: { indices: packNumbers([]), lengths: packNumbers([1]), payload: new Uint8Array(1) } }
    ],
    [
      'has more items than one message may have',
      { items: { first: 0, lengths: new Uint8Array(16_385), payload: new Uint8Array(), done: false } }
    ]
  ])('a message that %s is refused', (_what, message) => {
    expect(() => submitProtocol.codec.decode(WireSubmit.encode({ job: 'a', ...message }))).toThrow(InvalidMessageError)
  })

  it('a message is refused if the leader reports an unknown kind of end', () => {
    const raw = WireSubmit.encode({ job: 'a', epoch: 1, unknown: { end: 'running' } })
    expect(() => submitProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })

  it('a message is refused if its epoch exceeds the safe integers', () => {
    // The bytes are 2^60 in field 1, and an empty field 2 (welcome).
    const raw = Uint8Array.from([0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 0x12, 0x00])
    expect(() => workProtocol.codec.decode(raw)).toThrow(InvalidMessageError)
  })
})

describe('packed numbers', () => {
  it('decoding packed numbers returns the numbers that were encoded', () => {
    fc.assert(
      fc.property(fc.array(count), numbers => {
        expect(unpackNumbers(packNumbers(numbers), 100)).toEqual(numbers)
      })
    )
  })

  it('packed numbers are refused if there are more numbers than allowed', () => {
    expect(() => unpackNumbers(packNumbers([1, 2, 3]), 2)).toThrow(InvalidMessageError)
  })

  it.each([
    ['cut off', [0x80]],
    ['too large', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ['padded', [0x81, 0x00]]
  ])('packed numbers are refused if one of the numbers is %s', (_what, raw) => {
    expect(() => unpackNumbers(Uint8Array.from(raw), 10)).toThrow(InvalidMessageError)
  })
})
