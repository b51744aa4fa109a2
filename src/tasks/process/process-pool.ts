import { StoppedError } from '../../common/errors.ts'
import { eitherSignal } from '../../lib/abort.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { CANCEL_GRACE, type CallEnd, type CallOptions, type CallPool, type TaskCall } from '../execute/calls.ts'
import type { MainMessage } from '../execute/messages.ts'
import type { Activity, Stop } from '../execute/shared-state.ts'
import { CallWatchdog } from './call-watchdog.ts'
import { type ProcessSettings, TaskProcess } from './task-process.ts'

export interface ProcessPoolOptions extends ProcessSettings {
  /** The limit of processes; further calls wait. Processes start on demand. */
  processes: number
  /** Whether to keep a process for the next call with the same bundle. */
  keep: boolean
}

/** A process without a call is killed after this time (ms), because a task may have left timers or sockets in the process. */
const IDLE_MS = 30_000

/**
 * A pool of processes for the user's code. Each process runs only one bundle, so the state that a job leaves behind in a process reaches no
 * other code. The processes run under Node's permission model.
 */
export class ProcessPool implements CallPool {
  readonly #options: ProcessPoolOptions
  readonly #running: Semaphore
  /** The processes without a call. The process that has been idle for the longest time comes first. */
  readonly #idle: TaskProcess[] = []
  readonly #all = new Set<TaskProcess>()
  readonly #expiry = new WeakMap<TaskProcess, NodeJS.Timeout>()
  readonly #stop = new AbortController()

  constructor(options: ProcessPoolOptions) {
    this.#options = options
    this.#running = new Semaphore(options.processes)
  }

  get busy(): number {
    return this.#running.taken
  }

  call(options: CallOptions): TaskCall {
    const call = new ProcessCall()
    const { signal, release } = eitherSignal(options.signal, this.#stop.signal)
    const ended = this.#run(options, signal, call).finally(release)
    return Object.assign(call, { ended })
  }

  /** Ends all processes. Running calls end as cancelled. */
  async stop(): Promise<void> {
    this.#stop.abort(new StoppedError('the processes were stopped'))
    for (const process of this.#idle.splice(0)) process.kill('it was stopped')
    await Promise.all([...this.#all].map(process => process.gone))
  }

  async #run(options: CallOptions, signal: AbortSignal, call: ProcessCall): Promise<CallEnd> {
    let release: () => void
    try {
      release = await this.#running.acquire(signal)
    } catch (reason) {
      return { type: 'cancelled', reason }
    }
    let grace: NodeJS.Timeout | undefined
    let process: TaskProcess | undefined
    const cancel = () => {
      grace = setTimeout(() => process?.kill('it was cancelled'), CANCEL_GRACE)
      call.cancel()
    }
    const watchdog = new CallWatchdog(
      options,
      () => call.activity,
      why => process?.kill(why)
    )
    try {
      process = await this.#take(options.data.file, signal)
      const onMessage: CallOptions['onMessage'] = message => {
        watchdog.heard(message)
        options.onMessage?.(message)
      }
      const running = process.run({ ...options, onMessage }, () => {
        call.start(process as TaskProcess)
        watchdog.begin()
      })
      call.process = process
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
      const end = await running
      if (end.type === 'returned') this.#giveBack(process)
      if (signal.aborted) return { type: 'cancelled', reason: signal.reason }
      if (end.type === 'returned') return { type: 'done', result: undefined }
      return { type: 'died', ran: 'process', why: end.why, activity: end.activity }
    } catch (error) {
      if (signal.aborted) return { type: 'cancelled', reason: signal.reason }
      return { type: 'died', ran: 'process', why: `before it began: ${(error as Error).message}`, activity: undefined }
    } finally {
      clearTimeout(grace)
      watchdog.end()
      signal.removeEventListener('abort', cancel)
      call.end()
      release()
    }
  }

  /** Takes an idle process that has this bundle or no bundle; otherwise starts a process. If the pool is full, first ends the longest idle process. */
  async #take(bundle: string | undefined, signal: AbortSignal): Promise<TaskProcess> {
    const usable = this.#idle.filter(each => !each.isEnding)
    const process =
      usable.findLast(each => bundle === undefined || each.bundle === bundle) ??
      usable.findLast(each => each.bundle === undefined)
    if (process !== undefined) {
      this.#removeIdle(process)
      clearTimeout(this.#expiry.get(process))
      return process
    }
    // If the pool is full, at least one process is idle, because the semaphore admits only as many calls as the pool has processes.
    if (this.#all.size >= this.#options.processes) {
      const oldest = this.#idle.shift()
      oldest?.kill('another task needs its place')
      await oldest?.gone
    }
    signal.throwIfAborted()
    return await this.#start()
  }

  #removeIdle(process: TaskProcess): void {
    const at = this.#idle.indexOf(process)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  async #start(): Promise<TaskProcess> {
    const process = await TaskProcess.start(this.#options)
    this.#all.add(process)
    process.gone.then(() => {
      this.#all.delete(process)
      this.#removeIdle(process)
    })
    if (this.#stop.signal.aborted) process.kill('it was stopped')
    return process
  }

  #giveBack(process: TaskProcess): void {
    if (process.isEnding) return
    if (!this.#options.keep || this.#stop.signal.aborted) {
      process.kill('its call is over')
      return
    }
    this.#idle.push(process)
    const idle = setTimeout(() => this.#idle.includes(process) && process.kill('it had nothing to do'), IDLE_MS)
    idle.unref()
    this.#expiry.set(process, idle)
  }
}

type Order = (process: TaskProcess) => void

/** A call in a process. Orders for the call wait until the process has started the call. */
class ProcessCall implements Omit<TaskCall, 'ended'> {
  process: TaskProcess | undefined
  #isStarted = false
  #waiting: Order[] = []
  readonly #stops = new Map<number, Stop>()

  get activity(): Activity | undefined {
    return this.#isStarted ? this.process?.activity : undefined
  }

  stopOf(position: number): Stop | undefined {
    return this.#stops.get(position)
  }

  stop(position: number, stop: Stop): void {
    this.#stops.set(position, stop)
    this.#order(process => process.stop(position, stop))
  }

  post(message: MainMessage): void {
    this.#order(process => process.post(message))
  }

  kill(): void {
    const kill: Order = process => process.kill('it did not come back in time')
    if (this.process === undefined) this.#order(kill)
    else kill(this.process)
  }

  cancel(): void {
    this.#order(process => process.cancel())
    this.post({ type: 'cancel' })
  }

  /** Sends the waiting orders when the process has received the call. */
  start(process: TaskProcess): void {
    this.#isStarted = true
    for (const order of this.#waiting.splice(0)) order(process)
  }

  end(): void {
    this.process = undefined
    this.#waiting = []
  }

  #order(order: Order): void {
    if (!this.#isStarted) this.#waiting.push(order)
    else if (this.process !== undefined) order(this.process)
  }
}
