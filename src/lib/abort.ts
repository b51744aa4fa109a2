/** Functions that wait until an AbortSignal aborts or a time limit ends. */
import { setMaxListeners } from 'node:events'
import { anySignal } from 'any-signal'
import pause from 'delay'
import { raceSignal } from 'race-signal'

/** Allows any number of listeners on `signal`. By default Node warns of a leak when a signal gets its eleventh listener. */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}

/** Waits for `promise`. Returns its result, or throws the signal's reason if the signal aborts first. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return await raceSignal(promise, signal && allowManyListeners(signal))
}

/** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal aborts first. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, { signal: allowManyListeners(signal) })
}

/** Waits for a promise for at most `ms` milliseconds, and ignores a rejection. @returns whether the promise fulfilled in time */
export async function atMost(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = new AbortController()
  const late = pause(ms, { signal: settled.signal }).catch(() => {})
  const succeeded = promise.then(
    () => true,
    () => false
  )
  return await Promise.race([succeeded, late.then(() => false)]).finally(() => settled.abort())
}

/**
 * Returns a signal that aborts when one of two signals aborts, until it is released. Unlike this function, `AbortSignal.any` adds an object to a
 * long-lived signal, and the object is never freed (https://github.com/nodejs/node/issues/54614).
 */
export function eitherSignal(
  first: AbortSignal | undefined,
  second: AbortSignal
): { signal: AbortSignal; release: () => void } {
  const signal = anySignal([first && allowManyListeners(first), allowManyListeners(second)])
  return { signal, release: () => signal.clear() }
}

/**
 * Returns a signal that aborts after `ms` with a TimeoutError. The timer does not keep the process alive. Use this signal with
 * `AbortSignal.any`: Node 20 collects an `AbortSignal.timeout` to which only a combined signal refers, and then the combined signal never
 * aborts.
 */
export function signalAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  // The timer refers to the controller, so the controller is not garbage collected before the timer fires.
  setTimeout(() => controller.abort(new DOMException(`it took more than ${ms} ms`, 'TimeoutError')), ms).unref()
  return controller.signal
}
