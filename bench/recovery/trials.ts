/** Runs one job, and disturbs its cluster in the middle. */
import type { SubmitOptions } from '../../src/jobs/shared/types.ts'
import { type ProcessCluster, root } from '../../test/cluster/processes.ts'
import { clientOf, within } from './clusters.ts'
import { type Execution, executionsIn, finished, firstEnds } from './executions.ts'
import type { SleepInput } from './tasks/sleep.ts'
import { sumOf } from './tasks/term.ts'

/** The time limit of a job, in ms. */
const LIMIT = 90_000

export interface Trial {
  /** The time from submission to result, in ms, by the clock of this process. */
  took: number
  /** Whether the result equals the result of one loop to the bit. */
  right: boolean
  executions: Execution[]
  /** The times, in ms since the submission, at which the first chunk, the second chunk and so on had been computed. */
  ends: number[]
  /** The time of the disturbance, and the number of chunks that were done at this time. */
  disturbed: { at: number; afterMs: number; done: number } | undefined
}

export interface TrialInit {
  job: Omit<SleepInput, 'file'>
  options?: SubmitOptions
  /** The disturbance, and the number of computed chunks at which it happens. */
  middle?: { chunks: number; act(): Promise<void> | void }
}

let jobs = 0

export async function trial(
  cluster: ProcessCluster,
  { job, options = { speculate: false }, middle }: TrialInit
): Promise<Trial> {
  const file = `${cluster.home}/job-${jobs++}`
  await using client = await clientOf(cluster)
  // Chunks record wall-clock times, but the time of the job is measured with a monotonic clock. So the wall-clock time of the submission is needed.
  const wall = Date.now()
  const began = performance.now()
  await using submitted = await client.submit<SleepInput, number>(
    `${root}/bench/recovery/tasks/sleep.ts`,
    { ...job, file },
    options
  )
  const result = within(LIMIT, 'the result', submitted.result())
  result.catch(() => {})
  let moment: number | undefined
  if (middle !== undefined) {
    await finished(file, middle.chunks, LIMIT)
    moment = Date.now()
    await middle.act()
  }
  const value = await result
  const took = performance.now() - began
  const executions = await executionsIn(file)
  const ends = firstEnds(executions).map(end => end - wall)
  return {
    took,
    right: Object.is(value, sumOf(job.n)),
    executions,
    ends,
    disturbed: moment === undefined ? undefined : { at: moment, ...since(moment - wall, ends) }
  }
}

function since(afterMs: number, ends: readonly number[]): { afterMs: number; done: number } {
  return { afterMs, done: ends.filter(end => end < afterMs).length }
}

/**
 * Returns how many ms the disturbed job took beyond the ideal: the time that the remaining slots need for the remaining chunks. The ideal is computed
 * from the undisturbed job, which ran the same chunks with all slots, so the ideal includes the overhead of each chunk.
 */
export function excess({ took, disturbed }: Trial, undisturbed: Trial, share: number): number {
  const { afterMs, done } = disturbed!
  const rest = undisturbed.took - undisturbed.ends[done - 1]!
  return took - (afterMs + rest / share)
}
