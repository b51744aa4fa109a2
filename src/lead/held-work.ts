/** Runs work while this process holds a lock or a named leadership. The work has ended before another process can hold it. */
import { delay } from '../lib/abort.ts'
import { DRIFT } from '../locks/core/rules.ts'
import { Duty, graceOf, LOOK_EVERY } from './duty.ts'
import { Stint, type StintContext, type Tenure } from './stint.ts'

export interface HeldWorkOptions {
  /** The time that the work has to stop, in ms. */
  grace: number
  /** An abort of this signal stops the work. */
  signal: AbortSignal
  /** Ends the work at once, because it is overdue. */
  end: () => void
}

/** The grace of work under a ttl, in ms. @throws InvalidOptionError when the ttl is too short for the requested grace */
export function graceUnder(ttl: number, asked: number | undefined): number {
  return graceOf(asked, { leaseTime: ttl, drift: DRIFT }, 'ttl')
}

/** The tenure of a lock. `lost`: aborts when the lock is lost. */
export function tenureOf(lost: AbortSignal, remaining: () => number, reason: () => Error): Tenure {
  return {
    remaining,
    onChange: listener => {
      lost.addEventListener('abort', listener)
      return () => lost.removeEventListener('abort', listener)
    },
    lost: reason
  }
}

/** Runs `fn`. Resolves with its result, or with undefined if it had to stop. Rejects with the reason of the signal if `fn` could not begin. */
export async function workWhileHeld<T>(
  tenure: Tenure,
  fn: (context: StintContext) => T | Promise<T>,
  { grace, signal, end }: HeldWorkOptions
): Promise<{ value: T } | undefined> {
  const duty = new Duty({ grace, hasLease: true })
  // The next renewal makes the rest long enough for the work to begin and to stop.
  while (!duty.mayBegin(tenure.remaining())) {
    if (tenure.remaining() <= 0) return undefined
    await delay(LOOK_EVERY, signal)
  }
  // The signal may have aborted before anything listened to it.
  signal.throwIfAborted()
  return await new Stint({ tenure, duty, grace, hasLease: true, signal, end }).run(fn)
}
