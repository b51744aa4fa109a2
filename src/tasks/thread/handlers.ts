import { runBatch } from './run-batch.ts'
import { runDriver } from './run-driver.ts'
import { runInspection } from './run-inspection.ts'
import { runNothing } from './run-nothing.ts'
import { runResult } from './run-result.ts'
import { runWhole } from './run-whole.ts'

/** What the main thread can ask of a thread or process that runs the user's code. */
export const handlers = { runBatch, runDriver, runInspection, runNothing, runResult, runWhole }
