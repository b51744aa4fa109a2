/** Runs one chunk in its own process, because the chunk may end the process in which it runs. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { builtFile } from '../../common/built-file.ts'
import { P2pWorkerError } from '../../common/errors.ts'
import { environmentWithoutSecrets } from '../../common/secrets.ts'
import { atMost } from '../../lib/abort.ts'
import type { BatchHandlers, Outcomes } from '../execute/batch.ts'
import { CANCEL_GRACE } from '../execute/calls.ts'
import { timesOf } from '../execute/chunk-times.ts'
import { chunkTimedOut, processEnded } from '../execute/failure.ts'
import type { WorkerSettings } from '../execute/messages.ts'
import { type IndexedValue, NOTHING_PACKED } from '../values/pack.ts'
import { killProcessGroup } from './process-group.ts'
import type { QuarantineOrder, QuarantineReport } from './quarantine-messages.ts'
import { StderrTail } from './stderr-tail.ts'

export interface ChunkToQuarantine {
  /** The file of the bundle. */
  file: string
  chunk: IndexedValue
  settings: WorkerSettings
  maxHeapMb: number | undefined
  signal: AbortSignal
  chunkTimeout: number | undefined
  /** Whether to add start and end times to the outcome. Default false. */
  times?: boolean | undefined
}

/** If a process has not ended this time (ms) after it should have ended, it is killed. The process itself gives its thread {@link CANCEL_GRACE}. */
const PROCESS_GRACE = 2 * CANCEL_GRACE
/** The longest wait (ms) for the output of a process that has ended, because a child of the process may keep the pipes open. */
const REST_LIMIT = 1_000
/** @throws P2pWorkerError when the process could not be started; after an abort, the signal's reason */
export async function runQuarantined(chunk: ChunkToQuarantine, handlers: BatchHandlers): Promise<void> {
  chunk.signal.throwIfAborted()
  await new ChunkProcess(chunk, handlers).run()
}

class ChunkProcess {
  readonly #order: ChunkToQuarantine
  readonly #handlers: BatchHandlers
  readonly #child: ChildProcess
  readonly #stderr: StderrTail
  #hasTaken = false
  #hasOutcome = false
  #isLate = false
  /** The start of the chunk, by `performance.now()`; until the process reports the start, the time at which the process was started. */
  #startedAt = performance.now()
  #timer: NodeJS.Timeout | undefined

  constructor(order: ChunkToQuarantine, handlers: BatchHandlers) {
    this.#order = order
    this.#handlers = handlers
    this.#child = fork(builtFile('tasks/process/quarantine-process.js'), {
      env: environmentWithoutSecrets(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      execArgv: [],
      // The process has its own process group. So its children are killed with it, and the signals of a terminal reach only the peer.
      detached: true
    })
    this.#stderr = new StderrTail(this.#child.stderr)
  }

  async run(): Promise<void> {
    const { signal, file, chunk, settings, maxHeapMb, chunkTimeout, times = false } = this.#order
    const child = this.#child
    const cancel = (): void => {
      this.#tell({ type: 'cancel' })
      this.#killAfter(PROCESS_GRACE)
    }
    signal.addEventListener('abort', cancel, { once: true })
    child.on('message', (report: QuarantineReport) => this.#onReport(report))
    this.#tell({ type: 'run', file, chunk, settings, maxHeapMb, chunkTimeout, times })
    try {
      const why = await this.#end()
      if (this.#hasOutcome) return
      signal.throwIfAborted()
      if (!this.#hasTaken) throw new P2pWorkerError(`the process for chunk ${chunk.index} ended before it ran: ${why}`)
      const { index } = chunk
      const failure = this.#isLate ? chunkTimedOut(index, chunkTimeout ?? 0) : processEnded(index, why)
      const end = Date.now()
      const start = end - (performance.now() - this.#startedAt)
      const how = this.#isLate ? 'timed-out' : 'failed'
      const known = times ? { times: timesOf({ index, start, end, how }) } : {}
      this.#report({ partials: NOTHING_PACKED, failed: [{ index, failure }], ...known }, 0)
    } finally {
      clearTimeout(this.#timer)
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Waits until the process has ended, and kills its group; resolves with a description of the end. */
  async #end(): Promise<string> {
    const child = this.#child
    const closed = once(child, 'close').catch(() => {})
    const [code, signal] = await once(child, 'exit').catch(cause => {
      throw new P2pWorkerError(`a process for chunk ${this.#order.chunk.index} could not be started`, { cause })
    })
    if (child.pid !== undefined) killProcessGroup(child.pid)
    await atMost(closed, REST_LIMIT)
    return this.#stderr.describeEnd(code, signal)
  }

  #onReport(report: QuarantineReport): void {
    const { index } = this.#order.chunk
    switch (report.type) {
      case 'taken':
        this.#hasTaken = true
        break
      case 'started':
        this.#startedAt = performance.now()
        this.#handlers.onStarted?.(index)
        // The process enforces `chunkTimeout` itself. This timer is needed if the process is paused or hangs.
        if (this.#order.chunkTimeout !== undefined && !this.#order.signal.aborted)
          this.#killAfter(this.#order.chunkTimeout + PROCESS_GRACE)
        break
      case 'log':
        this.#handlers.onLog?.(report.line)
        break
      case 'outcomes':
        this.#report(report.outcomes, report.busyMs)
        break
    }
  }

  #report(outcomes: Outcomes, busyMs: number): void {
    if (this.#hasOutcome || this.#order.signal.aborted) return
    this.#hasOutcome = true
    this.#killAfter(PROCESS_GRACE)
    this.#handlers.onOutcomes(outcomes, busyMs)
  }

  #killAfter(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isLate = !this.#order.signal.aborted
      if (this.#child.pid !== undefined) killProcessGroup(this.#child.pid)
    }, ms)
  }

  #tell(order: QuarantineOrder): void {
    // If the process has ended, `#end` reports the end.
    if (this.#child.connected) this.#child.send(order, () => {})
  }
}
