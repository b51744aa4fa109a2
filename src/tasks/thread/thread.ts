/**
 * What worker threads do: all of the user's code runs behind these handlers, which piscina calls by name (thread-entry.cts). Loaded from
 * dist, as threads start from built JavaScript.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import type { CallData, WorkerSettings } from '../execute/messages.ts'
import { SharedState } from '../execute/shared-state.ts'
import { StopFlags } from '../execute/stop-flags.ts'
import { handlers } from './handlers.ts'
import { hasLoadedEnough } from './loaded-modules.ts'
import { prepareForTasks } from './prepare.ts'

prepareForTasks(workerData as WorkerSettings)

/** What comes from the main thread has bare memory in it. */
type Raw<Data> = Omit<Data, keyof CallData> & {
  port: MessagePort
  state: SharedArrayBuffer
  stops: SharedArrayBuffer
  file: string
}

function opened<Data extends CallData, Result>(handler: (data: Data) => Result): (raw: Raw<Data>) => Result {
  return raw =>
    handler({ ...raw, state: new SharedState(raw.state), stops: new StopFlags(raw.stops) } as unknown as Data)
}

export const runBatch = opened(async (data: Parameters<typeof handlers.runBatch>[0]): Promise<void> => {
  await handlers.runBatch(data)
  if (!hasLoadedEnough()) return
  data.port.postMessage({ type: 'worn' })
  // Whoever comes back is given the next call at once.
  await new Promise(() => {})
})
export const runDriver = opened(handlers.runDriver)
export const runInspection = opened(handlers.runInspection)
export const runNothing = opened(handlers.runNothing)
export const runResult = opened(handlers.runResult)
export const runWhole = opened(handlers.runWhole)
