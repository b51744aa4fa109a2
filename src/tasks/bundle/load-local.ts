import { resolve } from 'node:path'
import { endedUnder, type TaskFailure, TaskFailureError } from '../execute/failure.ts'
import type { LogLine } from '../execute/messages.ts'
import { decode, encode } from '../values/payload.ts'
import type { TaskBundle } from './bundle.ts'
import { inOneThread } from './single-thread.ts'

export interface LocalRunOptions {
  signal?: AbortSignal
  /** The number of slots that `split` gets. Default 1. */
  slots?: number
  /** The folder from which external packages are resolved. Default: the current folder. */
  cwd?: string
  onLog?: (line: LogLine) => void
}

/**
 * Runs a whole task in one thread. The result of a cluster must equal the result of this function.
 *
 * @throws TaskFailureError when the user's code fails; after an abort, the signal's reason
 */
export async function runOnOneThread(
  bundle: TaskBundle,
  input: unknown,
  { signal, slots = 1, cwd = '.', onLog }: LocalRunOptions = {}
): Promise<unknown> {
  let result: Uint8Array | undefined
  let failure: TaskFailure | undefined
  const end = await inOneThread(bundle, {
    handler: 'runWhole',
    data: { input: encode(input, 'input'), slots },
    cwd: resolve(cwd),
    lenient: false,
    signal,
    onMessage: message => {
      if (message.type === 'log') for (const line of message.lines) onLog?.(line)
      else if (message.type === 'failed') failure = message.failure
      else if (message.type === 'reply' && message.value.type === 'bytes') result = message.value.bytes
    }
  })
  if (end.type === 'cancelled') throw end.reason
  if (end.type === 'died') failure = endedUnder(end.activity?.function ?? 'run', end, end.activity?.index)
  if (failure !== undefined) throw new TaskFailureError(failure)
  if (result === undefined) throw new TypeError('the thread ended without a result')
  return decode(result, 'result')
}
