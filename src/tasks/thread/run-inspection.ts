import { pathToFileURL } from 'node:url'
import { isIteration } from '../define/iteration.ts'
import type { CallData, Inspection } from '../execute/messages.ts'
import { Call } from './call.ts'
import { loadProblem } from './load-problem.ts'
import { taskOf } from './load-task.ts'

/** The number of stack frames to keep: some versions of Node put more than ten frames between a package and the file that imports the package. */
const FRAMES = 50

/** Loads a bundle, and returns whether the bundle exports a task. */
export async function runInspection(data: CallData): Promise<Inspection> {
  const call = new Call(data)
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = FRAMES
  try {
    const module = await call.within('load', undefined, () => import(pathToFileURL(data.file).href) as Promise<object>)
    const found = taskOf(module)
    if (typeof found === 'string') return { ok: false, problem: found }
    return { ok: true, name: found.name, isIteration: isIteration(found) }
  } catch (error) {
    return { ok: false, problem: loadProblem(error, data.file) }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    call.end()
  }
}
