/** Waits that end with an AbortSignal or a time limit. */
import { setMaxListeners } from 'node:events'
import { anySignal } from 'any-signal'
import pause from 'delay'
import { raceSignal } from 'race-signal'

/** Allows many listeners on one signal: Node warns of a leak at the eleventh. */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}

/** The promise's result, or the signal's reason if that comes first. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return await raceSignal(promise, signal && allowManyListeners(signal))
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason if that comes first. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, { signal: allowManyListeners(signal) })
}

/** Waits for a promise for at most `ms` milliseconds, and ignores its rejection. @returns whether it succeeded in time */
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
 * A signal that follows two others until it is released. Each call of `AbortSignal.any` leaves an object behind at a
 * long-lived signal (https://github.com/nodejs/node/issues/54614).
 */
export function eitherSignal(
  first: AbortSignal | undefined,
  second: AbortSignal
): { signal: AbortSignal; release: () => void } {
  const signal = anySignal([first && allowManyListeners(first), allowManyListeners(second)])
  return { signal, release: () => signal.clear() }
}

/**
 * A signal that aborts after `ms`, with a TimeoutError; its timer does not keep the process alive. For use in
 * `AbortSignal.any`: Node 20 collects an `AbortSignal.timeout` that only a combined signal refers to, and then it never
 * aborts.
 */
export function signalAfter(ms: number): AbortSignal {
  const controller = new AbortController()
  // The timer's reference keeps the controller from garbage collection.
  setTimeout(() => controller.abort(new DOMException(`it took more than ${ms} ms`, 'TimeoutError')), ms).unref()
  return controller.signal
}
