/** What the jobs need of the executor (tasks/execute/executor.ts), so that tests can stand in for it. */
import type { Executor, JobDriver } from '../../tasks/executor.ts'

export interface Runner extends Pick<Executor, 'slots' | 'runBatch' | 'runQuarantined' | 'openDriver'> {
  /** Makes the start of the next driver quick. */
  prepareDriver?(): void
  /** A driver that fails where a payload exceeds what this peer takes, where there is such a limit. */
  limited?(driver: JobDriver): JobDriver
}

/** What the jobs need of the code store (tasks/bundle/code-store.ts). */
export interface CodeKeeper {
  has(sha256: string): boolean
  put(sha256: string, code: Uint8Array): Promise<void>
}
