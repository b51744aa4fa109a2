import { pathToFileURL } from 'node:url'
import { P2pWorkerError } from '../../errors.ts'
import type { TaskDefinition } from '../types.ts'
import type { Call } from './call.ts'

export type Task = TaskDefinition<unknown, unknown, unknown, unknown, unknown>

/** The module's export is no task. */
class NotATaskError extends P2pWorkerError {
  override name = 'NotATaskError'
}

/** Imports a bundle; a thread that imported it before has it already. */
export async function loadTask(call: Call, file: string): Promise<Task> {
  const module = await call.within('load', undefined, () => import(pathToFileURL(file).href) as Promise<object>)
  const found = taskOf(module)
  if (typeof found === 'string') throw new NotATaskError(found)
  return found
}

/** The task that a module exports, or what it lacks. */
export function taskOf(module: object): Task | string {
  let exported = 'default' in module ? module.default : undefined
  // A module that was compiled to CommonJS has its default export inside its exports.
  if (isObject(exported) && !('run' in exported) && '__esModule' in exported) exported = exported.default
  if (exported === undefined)
    return 'it has no default export: write "export default defineTask({ run (chunk) { … } })"'
  if (!isObject(exported))
    return `its default export is ${nameType(exported)}, not a task: write "export default defineTask({ … })"`

  const { name, run, reduce, initial } = exported
  if (run === undefined) return 'its default export lacks the function `run`'
  if (typeof run !== 'function') return `\`run\` is ${nameType(run)}, not a function`
  for (const member of ['split', 'reduce', 'finish']) {
    const value = exported[member]
    if (value !== undefined && typeof value !== 'function') return `\`${member}\` is ${nameType(value)}, not a function`
  }
  if (name !== undefined && (typeof name !== 'string' || !/^\S(.{0,98}\S)?$/u.test(name))) {
    return '`name` must be one line of 1 to 100 characters'
  }
  if (reduce !== undefined && initial === undefined) {
    return '`reduce` needs `initial`, the value that the accumulator starts with'
  }
  return exported as unknown as Task
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function nameType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
