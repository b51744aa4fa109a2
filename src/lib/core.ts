/**
 * The shape of the pure cores (membership/core/swim.ts, election/core/bully.ts, jobs/scheduler/types.ts): events,
 * messages and the time come in, effects go out. A core has no network, timer, clock or random source, so a test can
 * run thousands of them in virtual time from one seed.
 */
export interface Core<Event, Effect> {
  /**
   * Handles one event at the time `now` (milliseconds of a monotonic clock with any origin). Returns the effects, to be
   * carried out in order.
   */
  handle(event: Event, now: number): Effect[]
}

/**
 * Start the timer `name`, or restart it if it runs; `delay` in ms, `undefined` stops it. When the timer is due, the
 * core receives `{ type: 'timer', name }`.
 */
export interface TimerEffect {
  type: 'timer'
  name: string
  delay: number | undefined
}

/** A timer that an earlier {@link TimerEffect} started is due. */
export interface TimerEvent {
  type: 'timer'
  name: string
}

/** A source of uniform random numbers in [0, 1), injected. */
export type Random = () => number
