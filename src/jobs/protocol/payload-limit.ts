/** The size limit of a payload: a chunk, a partial, a result or an input. */
import type { TaskFunction } from '../../common/errors.ts'
import type { TaskFailure } from '../../tasks/execute/failure.ts'

const MIB = 2 ** 20

/** The largest payload that fits a message (MiB), with a generous allowance for the rest of the message. */
export const MOST_PAYLOAD_MB = 511

/** A peer's limit for payloads that it accepts and sends. */
export interface PayloadLimit {
  /** The limit in MiB, from 1 to {@link MOST_PAYLOAD_MB}. */
  maxPayloadMb: number
  /** The id of the peer with this limit, for the error text. */
  self: string
}

export interface Payload {
  function: TaskFunction
  /** The kind of payload, which also selects the advice in the error text. */
  what: 'input' | 'chunk' | 'partial' | 'result'
  /** The size of the payload in bytes. */
  size: number
  index?: number
}

const ADVICE = {
  input: 'let split read the data where the peers are',
  chunk: 'yield smaller chunks',
  partial: 'return less',
  result: 'return less'
} as const

/** Returns the failure for a payload that is larger than the limit. Returns `undefined` if the payload is within the limit. */
export function tooLarge(
  { function: fn, what, size: bytes, index }: Payload,
  limit: PayloadLimit
): TaskFailure | undefined {
  const { maxPayloadMb, self } = limit
  if (bytes <= maxPayloadMb * MIB) return undefined
  // The size is rounded up, so that a size above the limit is never printed as a size within the limit.
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
