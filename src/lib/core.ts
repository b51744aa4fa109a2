/**
 * The shape that the three pure cores share (membership/core/swim.ts, election/core/bully.ts, jobs/scheduler/types.ts): events,
 * messages and the time come in, effects go out. A core knows no network, timer, clock or random source; so a test can
 * run thousands of them in virtual time from one seed.
 */
export interface Core<Event, Effect> {
  /**
   * Takes one event at the time `now` (milliseconds of a monotonic clock with an arbitrary origin) and returns what is
   * to be done, in order.
   */
  handle(event: Event, now: number): Effect[]
}

/**
 * Start (or restart, when one of the same name runs) the timer `name`; `delay` in ms, `undefined` stops it. When it is
 * due the core gets `{ type: 'timer', name }`.
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

/** A source of uniform random numbers in [0, 1), handed in. */
export type Random = () => number
