import type { TaskReference } from './api.ts'
import { InvalidOptionError } from './errors.ts'
import type { SubmitOptions } from './jobs/types.ts'
import { moduleOf } from './task-reference.ts'
import { bundleTask, type TaskBundle } from './tasks/bundle.ts'
import { encode } from './tasks/payload.ts'

/** A job before it is submitted: the code bundled and checked, the input encoded. */
export interface PreparedJob {
  bundle: TaskBundle
  input: Uint8Array
}

/** Most retries that a chunk may be given. */
const MAX_RETRIES = 1_000
const JOB_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Finds all that is wrong with a submission before anything is sent. */
export async function prepareJob<Input, Result>(
  task: TaskReference<Input, Result>,
  input: Input,
  options: SubmitOptions
): Promise<PreparedJob> {
  const { id, retries = 0, external = [], signal } = options
  if (id !== undefined && !JOB_ID.test(id)) {
    throw new InvalidOptionError('`id` must have 1 to 128 characters out of A-Z a-z 0-9 . _ : -')
  }
  if (!Number.isInteger(retries) || retries < 0 || retries > MAX_RETRIES) {
    throw new InvalidOptionError(`\`retries\` must be a whole number from 0 to ${MAX_RETRIES}, not ${retries}`)
  }
  signal?.throwIfAborted()
  const bytes = encode(input, 'input')
  return { bundle: await bundleTask(moduleOf(task), { external, signal }), input: bytes }
}
