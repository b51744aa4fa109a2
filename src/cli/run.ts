import type { Client } from '../api.ts'
import { JobCancelledError, JobFailedError } from '../errors.ts'
import type { Job, JobProgress, TaskLogLine } from '../jobs/types.ts'
import { closeClient, connectClient } from './client.ts'
import { describeError } from './describe-error.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import type { RunFlags } from './flags.ts'
import { count, shortId, span } from './format.ts'
import { readInput } from './input.ts'
import { atMost, type Interruption, onInterruption } from './interruption.ts'
import { paint, print, printable, say } from './output.ts'
import { bar, ProgressLine } from './progress-line.ts'
import { checkOutput, printResult, writeResult } from './result.ts'
import { toJson } from './tagged-json.ts'

/** How long an interrupted run waits until the cluster has confirmed that the job is cancelled, in ms. */
const CANCEL_MS = 3_000

interface Outcome {
  error: unknown
  result: unknown
}

/** The text of the progress line. */
export function progressText(progress: JobProgress, startedAt: number): string {
  const { done, total, peers, retries } = progress
  const share =
    total === undefined
      ? `${count(done, 'chunk')} done`
      : `${bar(done, total)} ${total === 0 ? 100 : Math.floor((100 * done) / total)}%  ${done}/${count(total, 'chunk')}`
  const parts = [share, count(peers, 'peer'), span(performance.now() - startedAt)]
  if (retries > 0) parts.push(retries === 1 ? '1 retry' : `${retries} retries`)
  return parts.join(' · ')
}

/** A line that a task printed, with where it comes from. */
export function taskLine({ peer, function: where, index, line }: TaskLogLine): string {
  const place = index === undefined ? where : `chunk ${index}`
  return `${paint('dim', `[${shortId(peer)} ${place}]`)} ${printable(line)}`
}

function show(job: Job): ProgressLine {
  const progress = new ProgressLine()
  const startedAt = performance.now()
  job.addEventListener('log', ({ detail }) => say(taskLine(detail)))
  job.addEventListener('progress', ({ detail }) =>
    progress.update(progressText(detail, startedAt), detail.done, detail.total)
  )
  return progress
}

/** An error as `--json` shows it. */
function errorJson(error: unknown): object {
  if (error instanceof JobFailedError) {
    const { name, message, index = null, taskStack } = error
    return { name, message, function: error.function, index, stack: taskStack }
  }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}

/** Ends an interrupted job everywhere, and says whether that is certain. */
async function cancel(job: Job): Promise<JobCancelledError> {
  const confirmed = await atMost(CANCEL_MS, job.cancel())
  return new JobCancelledError(
    confirmed
      ? `job ${job.id} is cancelled`
      : `job ${job.id}: nobody has confirmed within ${CANCEL_MS / 1_000} s that it is cancelled; the cluster cancels it by itself, because its client is gone`
  )
}

function finalState(job: Job | undefined, error: unknown, interruption: Interruption): string | null {
  if (job === undefined) return null
  if (interruption.signal.aborted) return 'cancelled'
  if (error === undefined) return 'completed'
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

export async function run(task: string, flags: RunFlags): Promise<number> {
  const interruption = onInterruption()
  let client: Client | undefined
  let job: Job | undefined
  let progress: ProgressLine | undefined
  let computed: { result: unknown } | undefined

  const outcome = await attempt(async () => {
    const input = await readInput(flags, interruption.signal)
    await checkOutput(flags.output)
    const options = { retries: flags.retries, external: flags.external ?? [] }
    const { bundleTask } = await import('../tasks/bundle.ts')
    // What is wrong with the task is said before anybody looks for a cluster.
    await bundleTask(task, { external: options.external, signal: interruption.signal })
    client = await connectClient(flags, interruption.signal)
    job = await client.submit<unknown, unknown>(task, input, { ...options, signal: interruption.signal })
    progress = show(job)
    computed = { result: await job.result({ signal: interruption.signal }) }
    if (flags.output !== undefined) await writeResult(flags.output, computed.result)
    return computed.result
  })

  progress?.end()
  const interrupted = interruption.signal.aborted
  const cancelled = interrupted && job !== undefined ? await cancel(job) : undefined
  const error = cancelled ?? outcome.error
  const state = finalState(job, error, interruption)
  // A result that could not be written where it should is not lost for that.
  const unwritten = error !== undefined && computed !== undefined
  if (flags.json) await printJson(job, { error, result: computed?.result }, state, flags.output)
  else if (interrupted) say(cancelled?.message ?? 'interrupted')
  else if (unwritten || (error === undefined && flags.output === undefined)) await printResult(computed?.result)

  if (error !== undefined && !interrupted) {
    say(`${paint('red', 'error:')} ${describeError(error)}`)
  }
  if (client !== undefined) await closeClient(client)
  if (interruption.exitCode !== undefined) return interruption.exitCode
  return error === undefined ? exitCodes.done : exitCodeOf(error)
}
