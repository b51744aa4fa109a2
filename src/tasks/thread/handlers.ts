import type { CallData } from '../execute/messages.ts'
import { Call } from './call.ts'
import { runBatch } from './run-batch.ts'
import { runDriver } from './run-driver.ts'
import { runInspection } from './run-inspection.ts'
import { runResult } from './run-result.ts'
import { runWhole } from './run-whole.ts'

/** Does nothing. The answer to this call shows that the thread or process has started. */
function runNothing(data: CallData): void {
  new Call(data).end()
}

/** The calls that the main thread can make into a thread or process. */
export const handlers = { runBatch, runDriver, runInspection, runNothing, runResult, runWhole }
