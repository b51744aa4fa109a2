/** Waiting that an AbortSignal or a limit of time ends. */
import { setMaxListeners } from 'node:events'
import { anySignal } from 'any-signal'
import pause from 'delay'
import { raceSignal } from 'race-signal'

/** Lets many wait on one signal: Node warns of a leak at the eleventh. */
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
 * A signal that follows two, until it is released. `AbortSignal.any` leaves something behind at a long-lived signal for each call
 * (https://github.com/nodejs/node/issues/54614).
 */
export function eitherSignal(
  first: AbortSignal | undefined,
  second: AbortSignal
): { signal: AbortSignal; release: () => void } {
  const signal = anySignal([first && allowManyListeners(first), allowManyListeners(second)])
  return { signal, release: () => signal.clear() }
}

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
