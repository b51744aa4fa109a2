/**
 * Compiles a task and caches the bundle for the submission. So an error of the task is reported before any error of the
 * cluster.
 *
 * @throws TaskLoadError
 */
export async function checkTask(task: string, external: readonly string[], signal: AbortSignal): Promise<void> {
  const { bundleTask } = await import('../../tasks/bundle/bundle.ts')
  await bundleTask(task, { external, signal })
}
