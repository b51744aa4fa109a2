/**
 * The interface of the pure cores (membership/core/swim.ts, election/core/election-core.ts, jobs/scheduler/types.ts). Events,
 * messages and the time are the input, and effects are the output. A core has no network, timer, clock or random source, so a test can
 * run thousands of cores in virtual time from one seed.
 */
export interface Core<Event, Effect> {
  /**
   * Handles one event at the time `now` (milliseconds of a monotonic clock with any origin). Returns the effects, which the caller
   * carries out in order.
   */
  handle(event: Event, now: number): Effect[]
}

/**
 * Starts the timer `name` with `delay` ms, or restarts the timer if it is running. A `delay` of `undefined` stops the timer. When the timer is due, the
 * core receives `{ type: 'timer', name }`.
 */
export interface TimerEffect {
  type: 'timer'
  name: string
  delay: number | undefined
}

/** The event that a timer is due which an earlier {@link TimerEffect} started. */
export interface TimerEvent {
  type: 'timer'
  name: string
}

/** A source of uniform random numbers in [0, 1), which the caller of a core passes in. */
export type Random = () => number
