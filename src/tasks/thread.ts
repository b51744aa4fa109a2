/**
 * The entry of worker threads: all of the user's code runs behind these handlers, which piscina calls by name. Loaded from
 * dist, as threads start from built JavaScript.
 */
import { installCapture } from './thread/capture.ts'
import { installExternal } from './thread/external.ts'

process.setSourceMapsEnabled(true)
installCapture()
installExternal()

export { runBatch } from './thread/run-batch.ts'
export { runDriver } from './thread/run-driver.ts'
export { runInspection } from './thread/run-inspection.ts'
export { runNothing } from './thread/run-nothing.ts'
export { runWhole } from './thread/run-whole.ts'
