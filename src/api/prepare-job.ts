import { InvalidOptionError, TaskLoadError } from '../common/errors.ts'
import { LONGEST_KEEP_MS, MOST_DURABLE } from '../jobs/protocol/keep.ts'
import type { SubmitOptions } from '../jobs/shared/types.ts'
import { bundleTask, type TaskBundle } from '../tasks/bundle/bundle.ts'
import { bundleFunction } from '../tasks/bundle/bundle-function.ts'
import { encode } from '../tasks/values/payload.ts'
import { checkBoolean, checkInteger, checkJobId, checkTags } from './options.ts'
import { moduleOf } from './task-reference.ts'
import type { MapTask, TaskReference } from './types.ts'

/** A job before its submission: the code is bundled and checked, and the input is encoded. */
export interface PreparedJob {
  bundle: TaskBundle
  input: Uint8Array
}

/** The largest number of retries of a chunk. */
const MAX_RETRIES = 1_000
/** The highest priority of a job. The lowest priority is the negative of this number. */
const MAX_PRIORITY = 100
/** The longest timer of Node, in ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Validates and prepares a submission before anything is sent. */
export async function prepareJob<Input, Result, Partial>(
  task: TaskReference<Input, Result, Partial>,
  input: Input,
  options: SubmitOptions
): Promise<PreparedJob> {
  const external = checkOptions(options)
  const bytes = encode(input, 'input')
  return { bundle: await bundleTask(moduleOf(task), { external, signal: options.signal }), input: bytes }
}

/** Validates and prepares a stream before anything is read or sent. */
export async function prepareStream<Item, Output>(
  task: MapTask<Item, Output>,
  options: SubmitOptions
): Promise<PreparedJob> {
  const { signal } = options
  const external = checkOptions(options)
  const bundle =
    typeof task === 'function'
      ? await bundleFunction(task, { external, signal })
      : await bundleTask(moduleOf(task), { external, signal })
  if (bundle.isIteration)
    throw new TaskLoadError(
      `the task ${bundle.name} is an iteration, whose \`run\` needs the state of a round: submit it, or map a task without \`next\``
    )
  return { bundle, input: encode(undefined, 'input') }
}

/** @returns the packages that stay outside of the bundle */
function checkOptions(options: SubmitOptions): string[] {
  const {
    id,
    retries = 0,
    speculate = true,
    requires = {},
    chunkTimeout,
    priority = 0,
    detach = false,
    keep = 0,
    durable = 0,
    partials = false,
    external = [],
    signal
  } = options
  if (id !== undefined) checkJobId(id)
  checkInteger(retries, 'retries', 0, MAX_RETRIES)
  checkBoolean(speculate, 'speculate')
  checkBoolean(detach, 'detach')
  checkBoolean(partials, 'partials')
  if (partials && detach)
    throw new InvalidOptionError('`partials` and `detach` contradict each other: somebody has to read the partials')
  checkInteger(keep, 'keep', 0, LONGEST_KEEP_MS)
  checkInteger(durable, 'durable', 0, MOST_DURABLE)
  if (chunkTimeout !== undefined) checkInteger(chunkTimeout, 'chunkTimeout', 1, LONGEST_TIMER_MS)
  checkInteger(priority, 'priority', -MAX_PRIORITY, MAX_PRIORITY)
  checkTags(requires, 'requires')
  signal?.throwIfAborted()
  return external
}
