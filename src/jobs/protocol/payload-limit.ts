/** How large a payload (a chunk, a partial, a result, an input) may be. */
import type { TaskFunction } from '../../common/errors.ts'
import type { TaskFailure } from '../../tasks/execute/failure.ts'

const MIB = 2 ** 20

/** The most that travels: what is left of the largest message when the rest of it is counted generously. */
export const MOST_PAYLOAD_MB = 511

/** What a peer takes and gives, and whose limit it is. */
export interface PayloadLimit {
  /** From 1 to {@link MOST_PAYLOAD_MB}. */
  maxPayloadMb: number
  /** The peer. */
  self: string
}

export interface Payload {
  function: TaskFunction
  /** What it is, and what to do about one that is too large. */
  what: 'input' | 'chunk' | 'partial' | 'result'
  /** In bytes. */
  size: number
  index?: number
}

const ADVICE = {
  input: 'let split read the data where the peers are',
  chunk: 'yield smaller chunks',
  partial: 'return less',
  result: 'return less'
} as const

/** The failure of a payload that is larger than the limit; undefined where it is not. */
export function tooLarge(
  { function: fn, what, size: bytes, index }: Payload,
  limit: PayloadLimit
): TaskFailure | undefined {
  const { maxPayloadMb, self } = limit
  if (bytes <= maxPayloadMb * MIB) return undefined
  // Rounded up: it must not look as if it were within the limit.
  const size = Math.ceil((bytes / MIB) * 100) / 100
  const more =
    maxPayloadMb < MOST_PAYLOAD_MB
      ? `more than the ${maxPayloadMb} MiB that peer ${self} allows: ${ADVICE[what]}, or start the peers with a larger --max-payload-mb (maxPayloadMb; up to ${MOST_PAYLOAD_MB})`
      : `more than the ${MOST_PAYLOAD_MB} MiB that can travel, which --max-payload-mb cannot raise: ${ADVICE[what]}`
  return {
    function: fn,
    index,
    name: 'MessageTooLargeError',
    message: `the ${what} has ${size} MiB, ${more}`,
    stack: ''
  }
}
