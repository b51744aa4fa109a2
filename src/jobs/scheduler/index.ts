/** The entry of the scheduler. Other folders import the scheduler only from this file. */
export { JobScheduler } from './job-scheduler.ts'
export { FIRST_PULL } from './prefetch-window.ts'
export * from './types.ts'
