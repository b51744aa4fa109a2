import { setMaxListeners } from 'node:events'

/** Many may wait on one signal here; Node would warn of a leak at the eleventh. */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}

/** The promise's result, or the signal's reason if that comes first. */
export function withSignal<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) return onAbort()
    allowManyListeners(signal)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason if that comes first. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    allowManyListeners(signal)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
