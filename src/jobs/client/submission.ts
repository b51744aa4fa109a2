import { createHash } from 'node:crypto'
import { MessageTooLargeError } from '../../common/errors.ts'
import type { TaskBundle } from '../../tasks/bundle/bundle.ts'
import { DEFAULT_KEEP_MS } from '../protocol/keep.ts'
import type { StreamOrder, Submission } from '../protocol/submit-messages.ts'
import { MAX_PAYLOAD_BYTES } from '../protocol/wire-parts.ts'
import type { SubmitOptions } from '../shared/types.ts'

/** A job that is ready to be submitted: the code is bundled, and the input is encoded. */
export interface JobParts {
  bundle: Pick<TaskBundle, 'code' | 'sha256' | 'name' | 'folder'>
  input: Uint8Array
}

/** A longer input is hashed in another thread, because it may have hundreds of megabytes. For a short one, this takes longer than to hash it here. */
const HASHED_HERE = 64 * 1024

async function sha256Of(input: Uint8Array): Promise<string> {
  if (input.byteLength <= HASHED_HERE) return createHash('sha256').update(input).digest('hex')
  return Buffer.from(await crypto.subtle.digest('SHA-256', input as Uint8Array<ArrayBuffer>)).toString('hex')
}

/**
 * Returns the submission of a job. `order`: the order of a stream.
 *
 * @throws MessageTooLargeError when its code and input cannot travel
 */
export async function submissionOf(
  { bundle, input }: JobParts,
  options: SubmitOptions,
  order?: StreamOrder
): Promise<Submission> {
  const {
    retries = 0,
    speculate = true,
    requires = {},
    chunkTimeout,
    priority = 0,
    detach = false,
    keep = DEFAULT_KEEP_MS,
    durable = 0,
    partials = false
  } = options
  const bytes = bundle.code.byteLength + input.byteLength
  if (bytes > MAX_PAYLOAD_BYTES) {
    throw new MessageTooLargeError(
      `the code and input of ${bundle.name} have ${bytes} bytes, more than the ${MAX_PAYLOAD_BYTES} that can travel, which no option raises: let split read the data where the peers are`
    )
  }
  return {
    task: bundle.name,
    sha256: bundle.sha256,
    code: bundle.code,
    input,
    inputSha256: await sha256Of(input),
    retries,
    speculate,
    requires,
    chunkTimeout,
    priority,
    detach,
    keep,
    durable,
    partials: partials || order !== undefined,
    stream: order
  }
}
