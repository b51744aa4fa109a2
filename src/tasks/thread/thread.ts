/**
 * The entry of a worker thread. piscina calls the handlers by name (thread-entry.cts), and only the handlers run user code. Threads start from
 * built JavaScript, so this module is loaded from dist.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import type { CallData, WorkerSettings } from '../execute/messages.ts'
import { SharedState } from '../execute/shared-state.ts'
import { handlers } from './handlers.ts'
import { hasLoadedEnough } from './loaded-modules.ts'
import { prepareForTasks } from './prepare.ts'

prepareForTasks(workerData as WorkerSettings)

/** The call data that the main thread sends. In this data, `state` is plain shared memory and not yet a {@link SharedState}. */
type Raw = Omit<CallData, 'port' | 'state'> & { port: MessagePort; state: SharedArrayBuffer }

export async function handle(name: keyof typeof handlers, raw: Raw): Promise<unknown> {
  // The main thread sends each handler its own data.
  const handler = handlers[name] as (data: CallData) => unknown
  const result = await handler({ ...raw, state: new SharedState(raw.state) })
  if (name === 'runBatch' && hasLoadedEnough()) {
    raw.port.postMessage({ type: 'worn' })
    // The call must not return, because a thread whose call returns gets the next call at once.
    await new Promise(() => {})
  }
  return result
}
