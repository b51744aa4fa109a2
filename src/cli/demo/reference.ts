import { bundleTask } from '../../tasks/bundle.ts'
import { runOnOneThread } from '../../tasks/load-local.ts'

/** Computes a task undisturbed, on one thread, without any cluster. */
export async function reference(
  task: string,
  input: unknown,
  signal: AbortSignal
): Promise<{ result: unknown; ms: number }> {
  const bundle = await bundleTask(task, { signal })
  const startedAt = performance.now()
  const result = await runOnOneThread(bundle, input, { signal })
  return { result, ms: performance.now() - startedAt }
}
