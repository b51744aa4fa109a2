import type { JobParts } from '../jobs/client/submission.ts'
import { limitedRunner } from '../jobs/limited-runner.ts'
import { LOCAL_PEER, LocalJob } from '../jobs/local-job.ts'
import type { SubmitOptions } from '../jobs/shared/types.ts'
import { stopEach } from '../lib/stop-each.ts'
import { CodeStore } from '../tasks/execute/code-store.ts'
import { Executor } from '../tasks/executor.ts'
import { limits } from './option-limits.ts'

export interface LocalOptions extends Pick<SubmitOptions, 'retries' | 'chunkTimeout' | 'external'> {
  /** The number of chunks that run at a time, each in a thread. */
  slots: number
}

/**
 * Starts a job in this process, without a cluster but under the limits of a cluster. A task gives the same result here
 * as in a cluster, bit by bit.
 *
 * @returns the job, and a function that ends the job's threads and removes the job's code; the function waits until
 * aborted chunks have cleaned up
 */
export function startLocally<Result>(
  parts: JobParts,
  { slots, retries = 0, chunkTimeout, external = [] }: LocalOptions
): { job: LocalJob<Result>; close(): Promise<void> } {
  const codeStore = new CodeStore()
  const executor = new Executor({ slots, codeStore, external })
  const runner = limitedRunner(executor, { maxPayloadMb: limits.maxPayloadMb, self: LOCAL_PEER })
  const terms = { retries, ...(chunkTimeout === undefined ? {} : { chunkTimeout }) }
  const job = new LocalJob<Result>({ parts, runner, codeStore, ...terms })
  const close = (): Promise<void> => stopEach([() => job.cancel(), () => executor.stop(), () => codeStore.stop()])
  return { job, close }
}
