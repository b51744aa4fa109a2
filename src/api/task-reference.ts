import { TaskLoadError } from '../common/errors.ts'
import type { TaskReference } from './types.ts'

/** The path or URL of a task's module, from the caller or from the task object. */
export function moduleOf<Input, Result, Partial>(task: TaskReference<Input, Result, Partial>): string | URL {
  if (typeof task === 'string' || task instanceof URL) return task
  if (task.module !== undefined) return task.module
  throw new TaskLoadError(
    `the task ${task.name ?? ''} does not say where its code is: set \`module: import.meta.url\` in defineTask, or submit the path of its file`
  )
}
