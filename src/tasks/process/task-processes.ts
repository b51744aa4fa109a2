import { tmpdir } from 'node:os'
import type { WorkerSettings } from '../execute/messages.ts'
import { FrameBudget } from './frame.ts'
import { checkIsolation } from './launch.ts'
import { ParentWatchdog } from './parent-watchdog.ts'
import { ProcessPool, type ProcessPoolOptions } from './process-pool.ts'
import type { TaskLimits } from './resource-limits.ts'
import { TaskFolders } from './task-folders.ts'
import type { ProcessSettings } from './task-process.ts'

/** The limit of bytes in the unfinished frames of all processes of a peer. */
const MAX_UNFINISHED = 2 * 2 ** 30

/** The limits and the environment of isolated tasks. */
export interface Isolation {
  limits: TaskLimits
  /** Names of the environment variables that isolated tasks get, in addition to the variables of locale and time zone. */
  environment: readonly string[]
}

/** All processes that run tasks for one peer. The processes share a watchdog and a temporary folder. */
export class TaskProcesses {
  readonly #settings: ProcessSettings

  /** @throws InvalidOptionError if this machine cannot isolate tasks */
  constructor({
    settings,
    maxHeapMb,
    isolation
  }: {
    settings: WorkerSettings
    maxHeapMb: number | undefined
    isolation: Isolation
  }) {
    const parts = {
      folders: new TaskFolders(),
      watchdog: new ParentWatchdog(),
      budget: new FrameBudget(MAX_UNFINISHED)
    }
    checkIsolation(tmpdir(), settings.cwd, settings.external)
    this.#settings = { settings, maxHeapMb, ...isolation, ...parts }
  }

  pool(options: Pick<ProcessPoolOptions, 'processes' | 'keep'>): ProcessPool {
    return new ProcessPool({ ...this.#settings, ...options })
  }

  /** Stops the watchdog and removes the folder. Call this method after all pools have stopped. */
  async stop(): Promise<void> {
    await this.#settings.watchdog.stop()
    await this.#settings.folders.stop()
  }
}
