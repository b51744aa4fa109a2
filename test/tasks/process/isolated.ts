import { DEFAULT_LIMITS } from '../../../src/common/limits.ts'
import type { TaskBundle } from '../../../src/tasks/bundle/bundle.ts'
import type { TaskFailure } from '../../../src/tasks/execute/failure.ts'
import type { Executor, ExecutorOptions } from '../../../src/tasks/executor.ts'
import type { TaskLimits } from '../../../src/tasks/process/resource-limits.ts'
import { executorOf, moduleOf, runValues } from '../helpers.ts'

/** An executor that runs tasks in processes, and stops after the test. */
export function isolatedExecutor(
  bundles: TaskBundle[],
  {
    limits,
    environment = [],
    ...options
  }: { limits?: Partial<TaskLimits>; environment?: string[] } & Partial<Omit<ExecutorOptions, 'codeStore'>> = {}
): Promise<Executor> {
  return executorOf(bundles, { ...options, isolation: { limits: { ...DEFAULT_LIMITS, ...limits }, environment } })
}

/** A task whose `run` has this body, which may use `chunk`, `context` and all Node modules by their names. */
export function taskThat(body: string): TaskBundle {
  return moduleOf(`import { createRequire } from 'node:module'
const node = createRequire(import.meta.url)
const { default: fs } = await import('node:fs')
export default { async run (chunk, context) { ${body} } }`)
}

/** Resolves with the partial or the failure of one chunk. */
export async function outcomeOf(
  executor: Executor,
  bundle: TaskBundle,
  chunk: unknown = 0
): Promise<{ partial: unknown; error: TaskFailure | undefined }> {
  const { partials, errors } = await runValues(executor, bundle, [chunk])
  return { partial: partials.get(0), error: errors.get(0) }
}
