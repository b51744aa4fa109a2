import { tmpdir } from 'node:os'
import type { WorkerSettings } from '../execute/messages.ts'
import { FrameBudget } from './frame.ts'
import { checkIsolation } from './launch.ts'
import { ParentWatchdog } from './parent-watchdog.ts'
import { ProcessPool, type ProcessPoolOptions } from './process-pool.ts'
import type { TaskLimits } from './resource-limits.ts'
import { TaskFolders } from './task-folders.ts'
import type { ProcessSettings } from './task-process.ts'

/** Bytes of what all of a peer's processes have said in part. */
const MOST_UNFINISHED = 2 * 2 ** 30

/** What processes of tasks may use, and see. */
export interface Isolation {
  limits: TaskLimits
  /** Names of variables of the environment that tasks may read. */
  environment: readonly string[]
}

/** All processes of one peer's tasks, and what they share: one guard, and one folder that holds theirs. */
export class TaskProcesses {
  readonly #settings: ProcessSettings

  /** @throws InvalidOptionError where this machine cannot isolate tasks */
  constructor({
    settings,
    maxHeapMb,
    isolation
  }: {
    settings: WorkerSettings
    maxHeapMb: number | undefined
    isolation: Isolation
  }) {
    const parts = { folders: new TaskFolders(), guard: new ParentWatchdog(), budget: new FrameBudget(MOST_UNFINISHED) }
    checkIsolation(tmpdir(), settings.cwd, settings.external)
    this.#settings = { settings, maxHeapMb, ...isolation, ...parts }
  }

  pool(options: Pick<ProcessPoolOptions, 'processes' | 'keep'>): ProcessPool {
    return new ProcessPool({ ...this.#settings, ...options })
  }

  /** When all pools have stopped. */
  async stop(): Promise<void> {
    await this.#settings.guard.stop()
    await this.#settings.folders.stop()
  }
}
