import { pathToFileURL } from 'node:url'
import type { CallData, Inspection } from '../messages.ts'
import { toFailure } from '../stack.ts'
import { Call } from './call.ts'
import { taskOf } from './load-task.ts'

/** Loads a bundle and says whether it exports a task. */
export async function runInspection(data: CallData): Promise<Inspection> {
  const call = new Call(data)
  try {
    const module = await call.within('load', undefined, () => import(pathToFileURL(data.file).href) as Promise<object>)
    const found = taskOf(module)
    return typeof found === 'string' ? { ok: false, problem: found } : { ok: true, name: found.name }
  } catch (error) {
    const { name, message, stack } = toFailure(error, 'load')
    return {
      ok: false,
      problem: `its code failed when it was loaded: ${stack === '' ? `${name} ${message}`.trim() : stack}`
    }
  } finally {
    call.end()
  }
}
