import { resolve } from 'node:path'
import { TaskLoadError } from '../../common/errors.ts'
import { signalAfter } from '../../lib/abort.ts'
import type { Inspection } from '../execute/messages.ts'
import { resolveSources } from '../execute/stack.ts'
import type { TaskBundle } from './bundle.ts'
import { inOneThread } from './single-thread.ts'

/** The time (ms) within which a module must load. */
const LOAD_LIMIT = 30_000

/**
 * Loads a bundle in a thread, because the top level of a task never runs on the main thread, and checks that the bundle
 * exports a task. A missing external package is no error, because the peers may have the package.
 *
 * @throws TaskLoadError that names the problem
 */
export async function inspectTask(
  bundle: TaskBundle,
  { cwd = '.', signal }: { cwd?: string; signal?: AbortSignal | undefined } = {}
): Promise<{ name: string | undefined; isIteration: boolean }> {
  const limit = signalAfter(LOAD_LIMIT)
  const end = await inOneThread(bundle, {
    handler: 'runInspection',
    data: {},
    cwd: resolve(cwd),
    lenient: true,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit])
  })
  if (end.type === 'cancelled') {
    signal?.throwIfAborted()
    throw refusal(bundle, `its code had not loaded after ${LOAD_LIMIT / 1000} s; its top level must come to an end`)
  }
  if (end.type === 'died') throw refusal(bundle, `its thread ended when its code was loaded: ${end.why}`)
  const inspection = end.result as Inspection
  if (!inspection.ok) throw refusal(bundle, inspection.problem)
  const { name, isIteration } = inspection
  return { name, isIteration }
}

function refusal({ name, folder }: TaskBundle, problem: string): TaskLoadError {
  return new TaskLoadError(`the task ${name} in ${folder} cannot be used: ${resolveSources(problem, folder)}`)
}
