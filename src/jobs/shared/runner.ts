/** The part of the executor (tasks/execute/executor.ts) that jobs need, so that tests can replace it. */
import type { Executor, JobDriver } from '../../tasks/executor.ts'

export interface Runner extends Pick<Executor, 'slots' | 'runBatch' | 'runQuarantined' | 'openDriver'> {
  /** Starts a spare driver thread, so that the next driver starts quickly. */
  prepareDriver?(): void
  /** Wraps a driver, so that it fails when a payload exceeds the limit of this peer. Absent if there is no limit. */
  limited?(driver: JobDriver): JobDriver
}

/** The part of the code store (tasks/bundle/code-store.ts) that jobs need. */
export interface CodeKeeper {
  has(sha256: string): boolean
  put(sha256: string, code: Uint8Array): Promise<void>
}
