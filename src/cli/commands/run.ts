import { JobCancelledError } from '../../common/errors.ts'
import type { Job } from '../../jobs/shared/types.ts'
import { atMost } from '../../lib/abort.ts'
import { awaitJob } from '../jobs/await-job.ts'
import { checkTask } from '../jobs/check-task.ts'
import { fromCluster } from '../jobs/cluster-job.ts'
import { readInput } from '../jobs/input.ts'
import { unservedLine } from '../jobs/job-view.ts'
import { tellDisks, tellWaiting } from '../jobs/waiting.ts'
import type { RunFlags } from '../options/flags.ts'

/** How long an interrupted `run` waits for the cluster to confirm the cancellation, in ms. */
const CANCEL_MS = 3_000

/** Cancels an interrupted job. Returns an error that states whether the leader has confirmed the cancellation. */
async function cancel(job: Job, detached: boolean): Promise<JobCancelledError> {
  if (await atMost(job.cancel(), CANCEL_MS)) return new JobCancelledError(`job ${job.id} is cancelled`)
  const then = detached
    ? `it may go on: \`p2p-worker cancel ${job.id}\` tries again`
    : 'the cluster cancels it by itself, because its client is gone'
  const unconfirmed = `no leader has confirmed within ${CANCEL_MS / 1_000} s that it is cancelled`
  return new JobCancelledError(`job ${job.id}: ${unconfirmed}; ${then}`)
}

export async function run(task: string, flags: RunFlags): Promise<number> {
  const { retries, speculate, requires = {}, chunkTimeout, priority, keep, durable, external = [] } = flags
  const { at, in: after } = flags
  const detach = flags.detach === true || at !== undefined || after !== undefined
  const options = { retries, speculate, requires, chunkTimeout, priority, detach, keep, durable, external }
  return await awaitJob(flags, {
    prepare: async signal => {
      const input = await readInput(flags, signal)
      return fromCluster(
        flags,
        async (client, closed) => {
          // A script that reads JSON from stdout treats text on stderr as an error.
          const accepted = flags.json ? () => {} : tellWaiting(client)
          try {
            const due = after === undefined ? at : new Date(Date.now() + after)
            const job = await client.submit<unknown, unknown>(task, input, { ...options, at: due, signal })
            if (durable > 0 && !detach && !flags.json) tellDisks(client, job.id, closed)
            return job
          } finally {
            accepted()
          }
        },
        () => checkTask(task, external, signal)
      )
    },
    unserved: unservedLine(requires),
    interrupted: job => cancel(job, detach),
    detach
  })
}
