import type { WorkerSettings } from '../execute/messages.ts'
import { installCapture } from './capture.ts'
import { installExternal } from './external.ts'

/** Prepares a thread for user code: captures its output, and makes external packages loadable. */
export function prepareForTasks(settings: WorkerSettings): void {
  process.setSourceMapsEnabled(true)
  installCapture()
  installExternal(settings)
}
