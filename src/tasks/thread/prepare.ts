import type { WorkerSettings } from '../execute/messages.ts'
import { installCapture } from './capture.ts'
import { installExternal } from './external.ts'

/** Before any of the user's code is loaded: what it prints is caught, and its external packages are found. */
export function prepareForTasks(settings: WorkerSettings): void {
  process.setSourceMapsEnabled(true)
  installCapture()
  installExternal(settings)
}
