/**
 * A signal that aborts after so many ms, with a TimeoutError; its timer goes on until then, and keeps no process alive. For `AbortSignal.any`, with
 * others: Node 20 collects an `AbortSignal.timeout` that only such a signal refers to as garbage, and then it never aborts.
 */
export function signalAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  // What a timer refers to is no garbage.
  setTimeout(() => controller.abort(new DOMException(`it took more than ${ms} ms`, 'TimeoutError')), ms).unref()
  return controller.signal
}
