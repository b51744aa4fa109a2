/** What the jobs need of the executor (tasks/executor.ts), so that tests can stand in for it. */
import type { Executor } from '../tasks/executor.ts'

export type Runner = Pick<Executor, 'slots' | 'runBatch' | 'runAlone' | 'openDriver'>

/** What the jobs need of the code store (tasks/code-store.ts). */
export interface CodeKeeper {
  has(sha256: string): boolean
  put(sha256: string, code: Uint8Array): Promise<void>
}
