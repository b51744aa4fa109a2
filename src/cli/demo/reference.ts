import { P2pWorkerError } from '../../common/errors.ts'
import { bundleTask } from '../../tasks/bundle/bundle.ts'
import { runOnOneThread } from '../../tasks/bundle/load-local.ts'
import { TaskFailureError } from '../../tasks/execute/failure.ts'
import { describeFailure } from '../../tasks/execute/stack.ts'

/**
 * Computes the reference result: runs a task on one thread, without a cluster.
 *
 * @throws P2pWorkerError with the stack of the user's error; TaskLoadError
 */
export async function reference(
  task: string,
  input: unknown,
  signal: AbortSignal
): Promise<{ result: unknown; ms: number }> {
  const bundle = await bundleTask(task, { signal })
  const startedAt = performance.now()
  try {
    const result = await runOnOneThread(bundle, input, { signal })
    return { result, ms: performance.now() - startedAt }
  } catch (cause) {
    if (!(cause instanceof TaskFailureError)) throw cause
    const { message, stack } = describeFailure(cause.failure, bundle.folder)
    throw new P2pWorkerError(`the task fails without any cluster: ${message}\n${stack}`.trimEnd(), { cause })
  }
}
