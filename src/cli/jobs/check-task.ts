/**
 * Compiles a task, which is kept until the job is submitted: what is wrong with it is said before anything of the cluster.
 *
 * @throws TaskLoadError
 */
export async function checkTask(task: string, external: readonly string[], signal: AbortSignal): Promise<void> {
  const { bundleTask } = await import('../../tasks/bundle/bundle.ts')
  await bundleTask(task, { external, signal })
}
