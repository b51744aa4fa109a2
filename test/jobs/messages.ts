/** Generators and comparisons for the tests of job messages. */

import { expect, test } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import type { ProtocolSpec } from '../../src/network/types.ts'
import fc from '../properties.ts'
import { IDS } from './fake-cluster.ts'

export const count = fc.nat({ max: Number.MAX_SAFE_INTEGER })
export const job = fc.stringMatching(/^[A-Za-z0-9._:@-]{1,128}$/)
export const sha256 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => Buffer.from(bytes).toString('hex'))
export const bytes = fc.uint8Array({ maxLength: 40 })
export const peer = fc.constantFrom(...IDS)
export const fn = fc.constantFrom('split', 'run', 'initial', 'reduce', 'finish', 'load')
export const failure = fc.record({
  function: fn,
  index: fc.option(count, { nil: undefined }),
  name: fc.string(),
  message: fc.string(),
  stack: fc.string()
})
export const stats = fc.record({
  chunks: count,
  retries: count,
  recomputed: count,
  speculated: count,
  perPeer: fc.dictionary(peer, count, { noNullPrototype: true })
})
const tag = (maxLength: number, minLength = 0) => fc.string({ minLength, maxLength })
export const requires = fc.dictionary(tag(64, 1), tag(256), { noNullPrototype: true, maxKeys: 32 })
export const chunkTimeout = fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { nil: undefined })
export const priority = fc.integer({ min: -100, max: 100 })
const anySubmission = fc.record({
  task: fc.string(),
  sha256,
  code: bytes,
  input: bytes,
  inputSha256: sha256,
  retries: fc.nat({ max: 1_000_000 }),
  speculate: fc.boolean(),
  requires,
  chunkTimeout,
  priority,
  detach: fc.boolean(),
  keep: fc.nat({ max: 604_800_000 }),
  durable: fc.nat({ max: 16 }),
  partials: fc.boolean(),
  stream: fc.constantFrom('ordered', 'unordered', undefined),
  scheduledFor: fc.option(fc.nat({ max: 8.64e15 }), { nil: undefined })
})
/** The client of a stream always reads its partials. */
export const submission = anySubmission.map(all => ({ ...all, partials: all.partials || all.stream !== undefined }))

/** Makes byte arrays and numbers comparable by content, whatever their class. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Uint32Array) return Array.from(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
  }
  return value
}

export function survives<T>({ codec }: ProtocolSpec<T>, message: T): void {
  expect(plain(codec.decode(codec.encode(message)))).toEqual(plain(message))
}

/** Expects that decoding returns a message or throws an InvalidMessageError. */
export function stands<T>({ codec }: ProtocolSpec<T>, raw: Uint8Array): void {
  try {
    codec.decode(raw)
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidMessageError)
  }
}

/** Tests that a codec carries messages unchanged, and stands garbage. */
export function testCodec<T>(spec: ProtocolSpec<T>, message: fc.Arbitrary<T>): void {
  test('a message is unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(message, message => survives(spec, message)),
      { numRuns: 500 }
    )
  })

  test('for garbage or a message with a changed byte, the codec returns a message or throws an InvalidMessageError', () => {
    fc.assert(
      fc.property(
        message,
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(),
        fc.nat({ max: 255 }),
        (message, raw, at, byte) => {
          stands(spec, raw)
          const changed = Uint8Array.from(spec.codec.encode(message))
          if (changed.length > 0) changed[at % changed.length] = byte
          stands(spec, changed)
        }
      ),
      { numRuns: 1_000 }
    )
  })
}
