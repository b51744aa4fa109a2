/** The common part of `run` and `result`: both wait for a job and print its result. */
import { errorJson } from '../../common/error-json.ts'
import { JobCancelledError, JobFailedError, JsonTooLargeError } from '../../common/errors.ts'
import type { Job } from '../../jobs/shared/types.ts'
import { toJson } from '../../tasks/values/tagged-json.ts'
import { describeError } from '../describe-error.ts'
import { exitCodeOf, exitCodes } from '../exit-codes.ts'
import type { JsonFlag } from '../options/flags.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { paint, print, say } from '../terminal/output.ts'
import { type Computing, heldLine, type JobProgressView, show, summary } from './job-view.ts'
import { checkOutput, printResult, writeResult } from './result-output.ts'

/** Opens the job that the command waits for. */
export interface JobSource {
  open(signal: AbortSignal): Promise<Job>
  /** Releases everything that `open` has acquired, even if `open` failed half-way. */
  close(): Promise<void>
}

export interface AwaitedJob {
  /** Validates the command before the command connects or starts anything. Resolves with the source of the job. */
  prepare(signal: AbortSignal): Promise<JobSource>
  /** The message to print when no peer can compute the job. */
  unserved?: string
  /** The text about the job's current computing power on the progress line. Default: the number of peers. */
  computing?: Computing
  /** Called when the user interrupts the command. Resolves with an error that states whether the job continues. */
  interrupted(job: Job): Promise<Error>
  /**
   * Whether an earlier command submitted the job. Then the waiting time of this command is not the duration of the job.
   */
  joins?: boolean
  /** Whether to print the job's id without waiting for the result. */
  detach?: boolean
}

interface Outcome {
  error: unknown
  result: unknown
}

function finalState(job: Job | undefined, error: unknown): string | null {
  if (job === undefined) return null
  if (error === undefined) return 'completed'
  if (error instanceof JobCancelledError) return 'cancelled'
  return error instanceof JobFailedError ? 'failed' : job.progress.state
}

async function printJson(job: Job | undefined, outcome: Outcome, state: string | null, output?: string): Promise<void> {
  const { error, result } = outcome
  const written = output !== undefined && error === undefined
  const object = {
    jobId: job?.id ?? null,
    state,
    result: written ? null : (result ?? null),
    error: error === undefined ? null : errorJson(error),
    stats: job?.stats ?? null,
    ...(written ? { output } : {})
  }
  await print(toJson(object))
}

async function attempt(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { error: undefined, result: await work() }
  } catch (error) {
    return { error: error ?? new Error('unknown failure'), result: undefined }
  }
}

/** Prints the id of a job that goes on by itself, and says where the job is held. */
async function printId({ id, progress, durability }: Job, json: boolean | undefined): Promise<void> {
  if (json) {
    await print(toJson({ jobId: id, state: progress.state, durability: durability ?? null }))
    return
  }
  await print(id)
  if (durability !== undefined) say(heldLine(durability))
}

export async function awaitJob(flags: JsonFlag & { output?: string }, awaited: AwaitedJob): Promise<number> {
  const interruption = onInterruption()
  const { signal } = interruption
  let source: JobSource | undefined
  let job: Job | undefined
  let progress: JobProgressView | undefined
  let computed: { result: unknown } | undefined

  const outcome = await attempt(async () => {
    await checkOutput(flags.output)
    source = await awaited.prepare(signal)
    job = await source.open(signal)
    signal.throwIfAborted()
    if (awaited.detach) return undefined
    // A script that reads JSON from stdout treats text on stderr as an error.
    progress = show(job, { ...awaited, plain: flags.json !== true })
    computed = { result: await job.result({ signal }) }
    if (flags.output !== undefined) await writeResult(flags.output, computed.result)
    return computed.result
  })

  progress?.end()
  const interrupted = signal.aborted
  const left = interrupted && job !== undefined ? await awaited.interrupted(job) : undefined
  const printOutcome = async (error: unknown): Promise<void> => {
    const printed = error instanceof JsonTooLargeError ? undefined : computed
    // A result that could not be written to its file is printed instead of being lost.
    const unwritten = error !== undefined && printed !== undefined
    if (awaited.detach && job !== undefined && error === undefined) await printId(job, flags.json)
    else if (flags.json) await printJson(job, { error, result: printed?.result }, finalState(job, error), flags.output)
    else if (interrupted) say(left?.message ?? 'interrupted')
    else if (unwritten || (error === undefined && flags.output === undefined)) await printResult(printed?.result)
  }
  let error = left ?? outcome.error
  try {
    await printOutcome(error)
  } catch (thrown) {
    if (!(thrown instanceof JsonTooLargeError)) throw thrown
    error = thrown
    if (flags.json) await printOutcome(error)
  }

  if (error !== undefined && !interrupted) {
    say(`${paint('bad', 'error:')} ${describeError(error)}`)
  }
  if (error === undefined && job?.stats !== undefined) {
    progress?.conclude(summary(job.stats, awaited.joins !== true, awaited.computing?.(job.progress)))
  }
  await source?.close()
  if (interruption.exitCode !== undefined) return interruption.exitCode
  return error === undefined ? exitCodes.done : exitCodeOf(error)
}
