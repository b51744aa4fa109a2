/**
 * What worker threads do: all of the user's code runs behind these handlers, which piscina calls by name (thread-entry.cts). Loaded from
 * dist, as threads start from built JavaScript.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import type { CallData, WorkerSettings } from '../execute/messages.ts'
import { SharedState } from '../execute/shared-state.ts'
import { handlers } from './handlers.ts'
import { hasLoadedEnough } from './loaded-modules.ts'
import { prepareForTasks } from './prepare.ts'

prepareForTasks(workerData as WorkerSettings)

/** What comes from the main thread has bare memory in it. */
type Raw = Omit<CallData, 'port' | 'state'> & { port: MessagePort; state: SharedArrayBuffer }

export async function handle(name: keyof typeof handlers, raw: Raw): Promise<unknown> {
  // Each handler gets what was sent for it.
  const handler = handlers[name] as (data: CallData) => unknown
  const result = await handler({ ...raw, state: new SharedState(raw.state) })
  if (name === 'runBatch' && hasLoadedEnough()) {
    raw.port.postMessage({ type: 'worn' })
    // A thread that returned would get the next call at once.
    await new Promise(() => {})
  }
  return result
}
