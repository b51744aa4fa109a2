/** The entry of the scheduler: other folders import from here alone. */
export { JobScheduler } from './job-scheduler.ts'
export { FIRST_PULL } from './prefetch-window.ts'
export * from './types.ts'
