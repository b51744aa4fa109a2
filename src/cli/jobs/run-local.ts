/** Implements `run --local`: computes a job on this machine alone, without a cluster. */
import { availableParallelism } from 'node:os'
import { startLocally } from '../../api/local.ts'
import { prepareJob } from '../../api/prepare-job.ts'
import { JobCancelledError } from '../../common/errors.ts'
import { atMost } from '../../lib/abort.ts'
import { count } from '../../views/words.ts'
import type { LocalRunFlags } from '../options/flags.ts'
import { awaitJob, type JobSource } from './await-job.ts'
import { readInput } from './input.ts'

/**
 * How long the command waits for its threads to end, in ms. A thread that does not respond is terminated before this
 * time.
 */
const END_MS = 3_000

export async function runLocally(task: string, flags: LocalRunFlags): Promise<number> {
  const { retries, chunkTimeout, external = [] } = flags
  const options = { retries, external, ...(chunkTimeout === undefined ? {} : { chunkTimeout }) }
  const slots = flags.local === true ? availableParallelism() : flags.local
  return await awaitJob(flags, {
    prepare: async (signal): Promise<JobSource> => {
      const parts = await prepareJob(task, await readInput(flags, signal), { ...options, signal })
      let close = async (): Promise<void> => {}
      return {
        async open() {
          const started = startLocally<unknown>(parts, { slots, ...options })
          close = started.close
          return started.job
        },
        async close() {
          await atMost(close(), END_MS)
        }
      }
    },
    computing: () => count(slots, 'thread'),
    interrupted: async job => {
      await atMost(job.cancel(), END_MS)
      return new JobCancelledError(`job ${job.id} is cancelled`)
    }
  })
}
