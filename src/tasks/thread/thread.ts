/**
 * The entry of a worker thread. All user code runs behind the handlers, which piscina calls by name (thread-entry.cts). Threads start from
 * built JavaScript, so this module is loaded from dist.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import type { CallData, WorkerSettings } from '../execute/messages.ts'
import { SharedState } from '../execute/shared-state.ts'
import { handlers } from './handlers.ts'
import { hasLoadedEnough } from './loaded-modules.ts'
import { prepareForTasks } from './prepare.ts'

prepareForTasks(workerData as WorkerSettings)

/** The call data as the main thread sends it: `state` is still bare shared memory. */
type Raw = Omit<CallData, 'port' | 'state'> & { port: MessagePort; state: SharedArrayBuffer }

export async function handle(name: keyof typeof handlers, raw: Raw): Promise<unknown> {
  // The main thread sends each handler its own data.
  const handler = handlers[name] as (data: CallData) => unknown
  const result = await handler({ ...raw, state: new SharedState(raw.state) })
  if (name === 'runBatch' && hasLoadedEnough()) {
    raw.port.postMessage({ type: 'worn' })
    // Never return: a thread that returns gets the next call at once.
    await new Promise(() => {})
  }
  return result
}
