import type { CallData } from '../execute/messages.ts'
import { Call } from './call.ts'
import { runBatch } from './run-batch.ts'
import { runDriver } from './run-driver.ts'
import { runInspection } from './run-inspection.ts'
import { runResult } from './run-result.ts'
import { runWhole } from './run-whole.ts'

/** A thread or process that has answered this has started. */
function runNothing(data: CallData): void {
  new Call(data).end()
}

/** What the main thread can ask of a thread or process that runs the user's code. */
export const handlers = { runBatch, runDriver, runInspection, runNothing, runResult, runWhole }
