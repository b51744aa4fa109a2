import { setTimeout as delay } from 'node:timers/promises'
import { defineTask } from '../../../src/tasks/define/define-task.ts'

/** Returns the due time of its job as `split` gets it, after `ms` milliseconds. */
export default defineTask({
  name: 'due',
  split: ({ ms = 0 }: { ms?: number }, { scheduledFor }) => [{ ms, due: scheduledFor?.toISOString() ?? 'none' }],
  run: async ({ ms, due }) => {
    await delay(ms)
    return due
  },
  initial: '',
  reduce: (_, due) => due
})
