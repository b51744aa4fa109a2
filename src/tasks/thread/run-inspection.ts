import { pathToFileURL } from 'node:url'
import type { CallData, Inspection } from '../messages.ts'
import { Call } from './call.ts'
import { loadProblem } from './load-problem.ts'
import { taskOf } from './load-task.ts'

/** Loads a bundle and says whether it exports a task. */
export async function runInspection(data: CallData): Promise<Inspection> {
  const call = new Call(data)
  try {
    const module = await call.within('load', undefined, () => import(pathToFileURL(data.file).href) as Promise<object>)
    const found = taskOf(module)
    return typeof found === 'string' ? { ok: false, problem: found } : { ok: true, name: found.name }
  } catch (error) {
    return { ok: false, problem: loadProblem(error, data.file) }
  } finally {
    call.end()
  }
}
