/** Implements `map`: reads lines and prints one result for each line. */
import type { Client } from '../../api/types.ts'
import { builtFile } from '../../common/built-file.ts'
import { commandTemplate } from '../../exec/command-line.ts'
import type { ExecItem } from '../../exec/exec-task.ts'
import type { CommandEnd } from '../../exec/run-command.ts'
import { atMost } from '../../lib/abort.ts'
import { toJson } from '../../tasks/values/tagged-json.ts'
import { describeError } from '../describe-error.ts'
import { exitCodeOf, exitCodes } from '../exit-codes.ts'
import { BulkWriter } from '../jobs/bulk-writer.ts'
import { checkTask } from '../jobs/check-task.ts'
import { ExecFailures } from '../jobs/exec-failures.ts'
import { JobProgressView, taskLine, unservedLine } from '../jobs/job-view.ts'
import { LineReader } from '../jobs/line-reader.ts'
import { tellWaiting } from '../jobs/waiting.ts'
import type { MapFlags } from '../options/map-options.ts'
import { closeClient, connectDuring } from '../peers/client.ts'
import { aborted, onInterruption } from '../terminal/interruption.ts'
import { makeWay, paint, say } from '../terminal/output.ts'

/** How long an interrupted `map` waits for the cluster to confirm the end, in ms. */
const CANCEL_MS = 3_000

/** Consumes the results of one kind of `map`, in the order of their arrival. */
interface Sink {
  source: AsyncIterable<unknown>
  task: string
  chunkTimeout: number | undefined
  retries: number
  speculate: boolean
  take(result: unknown): void
  /** Ends the output and returns the exit code. */
  end(): number
}

export async function map(task: string | undefined, flags: MapFlags): Promise<number> {
  const interruption = onInterruption()
  const { signal } = interruption
  const hasEnough = whenNobodyReads()
  const writer = new BulkWriter(process.stdout, makeWay)
  const { requires = {}, external = [], priority } = flags
  const sink = flags.exec === undefined ? taskSink(task!, flags, writer) : execSink(flags.exec, flags, writer)
  const progress = new JobProgressView({ noun: 'line', unserved: unservedLine(requires) })
  let client: Client | undefined
  let accepted = (): void => {}
  let exitCode: number = exitCodes.done
  try {
    client = await connectDuring(() => checkTask(sink.task, external, signal), flags, signal)
    const ends = AbortSignal.any([signal, hasEnough])
    accepted = tellWaiting(client)
    const results = client.map<unknown, unknown>(sink.source, sink.task, {
      ordered: flags.unordered !== true,
      retries: sink.retries,
      chunkTimeout: sink.chunkTimeout,
      speculate: sink.speculate,
      priority,
      requires,
      external,
      signal: ends,
      onLog: line => say(taskLine(line)),
      onProgress: now => {
        accepted()
        progress.update(now)
      }
    })
    const reading = (async () => {
      for await (const result of results) {
        sink.take(result)
        if (writer.isFull) await writer.drained(ends)
      }
    })()
    await Promise.race([reading, stopped(ends, reading)])
    exitCode = sink.end()
  } catch (error) {
    if (!signal.aborted && !hasEnough.aborted) {
      await writer.end()
      progress.end()
      say(`${paint('bad', 'error:')} ${describeError(error)}`)
      exitCode = exitCodeOf(error)
    }
  }
  accepted()
  progress.end()
  if (signal.aborted) say('interrupted')
  if (!hasEnough.aborted) await writer.end()
  if (exitCode === exitCodes.done && !signal.aborted && !hasEnough.aborted) progress.conclude()
  if (client !== undefined) await closeClient(client)
  return interruption.exitCode ?? exitCode
}

/**
 * Rejects with the reason of `ends` after `ends` has aborted: when the cluster has confirmed the end, or after
 * CANCEL_MS.
 */
async function stopped(ends: AbortSignal, reading: Promise<void>): Promise<void> {
  await aborted(ends)
  await atMost(reading, CANCEL_MS)
  throw ends.reason
}

/** Returns a signal that aborts when the reader of stdout has ended (`p2p-worker map … | head`), which is no error. */
function whenNobodyReads(): AbortSignal {
  const gone = new AbortController()
  // The default listener would end the process at once, and the cluster would continue to compute for some seconds.
  process.stdout.removeAllListeners('error')
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    gone.abort(error)
  })
  return gone.signal
}

function taskSink(task: string, { retries, timeout }: MapFlags, writer: BulkWriter): Sink {
  return {
    source: new LineReader(process.stdin),
    task,
    retries,
    chunkTimeout: timeout,
    speculate: true,
    take: result => writer.write(`${typeof result === 'string' ? result : toJson(result)}\n`),
    end: () => exitCodes.done
  }
}

function execSink(template: string, { retries, timeout, keepGoing = false }: MapFlags, writer: BulkWriter): Sink {
  const failures = new ExecFailures(keepGoing)
  return {
    source: commands(commandTemplate(template), retries, timeout),
    task: builtFile('exec/exec-task.js'),
    // The options `--retries` and `--timeout` apply to the command on the worker. The job itself repeats a command only
    // if the worker died.
    retries: 0,
    chunkTimeout: undefined,
    // A command has side effects such as files and mails, so a slow command must not run a second time.
    speculate: false,
    take(result) {
      const { line, end } = result as { line: string; end: CommandEnd }
      writer.write(end.stdout)
      if (end.stderr.byteLength > 0) say(Buffer.from(end.stderr).toString().replace(/\n$/, ''))
      if (end.failure !== undefined) failures.add(line, end.failure)
    },
    end: () => failures.end()
  }
}

async function* commands(
  commandFor: (line: string) => string,
  retries: number,
  timeout: number | undefined
): AsyncGenerator<ExecItem> {
  for await (const line of new LineReader(process.stdin)) yield { line, command: commandFor(line), retries, timeout }
}
