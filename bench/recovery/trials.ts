/** One job, and what is done to its cluster in the middle of it. */
import type { SubmitOptions } from '../../src/jobs/shared/types.ts'
import { type ProcessCluster, root } from '../../test/cluster/processes.ts'
import { clientOf, within } from './clusters.ts'
import { type Execution, executionsIn, finished, firstEnds } from './executions.ts'
import type { SleepInput } from './tasks/sleep.ts'
import { sumOf } from './tasks/term.ts'

/** A job of this bench that takes longer, in ms, never ends. */
const LIMIT = 90_000

export interface Trial {
  /** From submission to result, in ms, by this process's clock. */
  took: number
  /** Whether the result is that of one loop, to the bit. */
  right: boolean
  executions: Execution[]
  /** After how many ms the first, the second, … chunk had been computed. */
  ends: number[]
  /** When that was done which was to be done in the middle. */
  disturbed: { at: number; afterMs: number; done: number } | undefined
}

export interface TrialInit {
  job: Omit<SleepInput, 'file'>
  options?: SubmitOptions
  /** Done when so many chunks have been computed. */
  middle?: { chunks: number; act(): Promise<void> | void }
}

let jobs = 0

export async function trial(
  cluster: ProcessCluster,
  { job, options = { speculate: false }, middle }: TrialInit
): Promise<Trial> {
  const file = `${cluster.home}/job-${jobs++}`
  await using client = await clientOf(cluster)
  // The clock of the lines is the machine's, the job's time a steady one's.
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
 * How much longer it took, in ms, than the slots that are left need for what was left to do when the others were lost: at the rate at
 * which the undisturbed job did the same part with all of them, so that whatever a chunk costs besides its 50 ms is in it.
 */
export function excess({ took, disturbed }: Trial, undisturbed: Trial, share: number): number {
  const { afterMs, done } = disturbed!
  const rest = undisturbed.took - undisturbed.ends[done - 1]!
  return took - (afterMs + rest / share)
}
