import { pathToFileURL } from 'node:url'
import { P2pWorkerError } from '../../common/errors.ts'
import type { IterationDefinition } from '../define/iteration.ts'
import type { TaskDefinition } from '../define/types.ts'
import type { Call } from './call.ts'
import { importCounted } from './loaded-modules.ts'

export type Task = TaskDefinition<unknown, unknown, unknown, unknown, unknown>
export type IterationTask = IterationDefinition<unknown, unknown, unknown, unknown, unknown, unknown>

/** A task of either kind. */
export type AnyTask = Task | IterationTask

/** The default export of the module is not a task. */
class NotATaskError extends P2pWorkerError {
  override name = 'NotATaskError'
}

/**
 * Imports a bundle. A thread evaluates each instance of the module only once.
 *
 * @param instance - the number of the module's instance; a new number loads the module anew
 */
export async function loadTask(call: Call, file: string, instance = 0): Promise<AnyTask> {
  const url = pathToFileURL(file)
  if (instance > 0) url.searchParams.set('instance', String(instance))
  const module = await call.within('load', undefined, () => importCounted(url))
  const found = taskOf(module)
  if (typeof found === 'string') throw new NotATaskError(found)
  return found
}

/** Returns the task that a module exports. If the module exports no valid task, returns a sentence that names the fault. */
export function taskOf(module: object): AnyTask | string {
  let exported = 'default' in module ? module.default : undefined
  // A module that was compiled to CommonJS has its default export inside its exports.
  if (isObject(exported) && !('run' in exported) && '__esModule' in exported) exported = exported.default
  if (exported === undefined)
    return 'it has no default export: write "export default defineTask({ run (chunk) { … } })"'
  if (!isObject(exported))
    return `its default export is ${nameType(exported)}, not a task: write "export default defineTask({ … })"`

  const { name, run, combine, reduce, initial } = exported
  if (run === undefined) return 'its default export lacks the function `run`'
  if (typeof run !== 'function') return `\`run\` is ${nameType(run)}, not a function`
  for (const member of ['split', 'combine', 'reduce', 'finish', ...ROUNDS]) {
    const value = exported[member]
    if (value !== undefined && typeof value !== 'function') return `\`${member}\` is ${nameType(value)}, not a function`
  }
  if (name !== undefined && (typeof name !== 'string' || !/^\S(.{0,98}\S)?$/u.test(name))) {
    return '`name` must be one line of 1 to 100 characters'
  }
  if (reduce !== undefined && initial === undefined) {
    return '`reduce` needs `initial`, the value that the accumulator starts with'
  }
  if (combine !== undefined && exported.next !== undefined) {
    return '`combine` is not for iterations: what `reduce` makes of a round is folded by the leader, shard by shard'
  }
  if (combine !== undefined && reduce === undefined) {
    return '`combine` needs `reduce`, which folds what it makes: `reduce: (accumulator, partial) => …`'
  }
  return lackOfRounds(exported) ?? (exported as unknown as AnyTask)
}

/** The functions of an iteration. */
const ROUNDS = ['start', 'next', 'until'] as const

const NEEDED_BY_ROUNDS = {
  start: 'the function that makes the state of the first round',
  next: 'the function that makes the state of the next round',
  until: 'the function that says when it is done: `until: (state, { round }) => round === 50`'
}

/** Returns a sentence that names the function that an iteration lacks; undefined if the iteration lacks no function. */
function lackOfRounds(exported: Record<string, unknown>): string | undefined {
  const has = ROUNDS.find(member => exported[member] !== undefined)
  const lacks = ROUNDS.find(member => exported[member] === undefined)
  if (has === undefined || lacks === undefined) return undefined
  return `\`${has}\` makes it an iteration, which needs \`${lacks}\`, ${NEEDED_BY_ROUNDS[lacks]}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function nameType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
