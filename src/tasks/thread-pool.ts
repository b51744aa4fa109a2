import { once, setMaxListeners } from 'node:events'
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { builtFile } from '../built-file.ts'
import { environmentWithoutSecrets } from '../clean-environment.ts'
import { StoppedError } from '../errors.ts'
import { atMost } from './at-most.ts'
import type { MainMessage, ThreadMessage, WorkerSettings } from './messages.ts'
import { type Activity, SharedState } from './shared-state.ts'

export interface ThreadPoolOptions {
  /** Threads at most; calls beyond wait for one. They start when they are needed. */
  threads: number
  settings: WorkerSettings
  /** The heap that a thread may use, in MiB. Default: Node's own limit. */
  maxHeapMb?: number | undefined
  /** Keep threads for the next call. */
  keep: boolean
}

export interface CallOptions {
  handler: 'runBatch' | 'runDriver' | 'runInspection' | 'runNothing' | 'runWhole'
  /** The handler's data but for the port and the shared memory. */
  data: object
  transfer?: ArrayBuffer[]
  signal?: AbortSignal | undefined
  onMessage?: (message: ThreadMessage) => void
}

/** How a call ended. */
export type CallEnd =
  | { type: 'done'; result: unknown }
  /** `result`: what the call came back with, if it did. */
  | { type: 'cancelled'; reason: unknown; result?: unknown }
  /** The thread ended under the call. */
  | { type: 'died'; why: string; activity: Activity | undefined }

export interface ThreadCall {
  readonly ended: Promise<CallEnd>
  readonly state: SharedState
  post(message: MainMessage, transfer?: ArrayBuffer[]): void
  /** Ends the thread. */
  kill(): void
}

/** A thread that does not come back so long (ms) after its call was cancelled is ended. */
export const CANCEL_GRACE = 500
/** A thread inside a system call cannot be ended before that returns: how long (ms) to wait for it. */
const EXIT_LIMIT = 5000

/** Worker threads for the user's code: piscina, and what it lacks (cancelling, a reason when a thread dies). */
export class ThreadPool {
  readonly #pool: Piscina
  readonly #maxHeapMb: number | undefined
  readonly #threads: number
  readonly #exits = new Map<Worker, Promise<unknown>>()
  readonly #active = new Set<{ state: SharedState; fail: (error: Error) => void }>()
  readonly #waiting: (() => void)[] = []
  readonly #stop = new AbortController()
  #busy = 0

  constructor({ threads, settings, maxHeapMb, keep }: ThreadPoolOptions) {
    this.#threads = threads
    this.#maxHeapMb = maxHeapMb
    this.#pool = new Piscina({
      filename: builtFile('tasks/thread.js'),
      // Calls never wait inside piscina, which would forget those that wait when it ends a thread.
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: keep ? Number.POSITIVE_INFINITY : 0,
      // With atomics an idle thread is blocked: sockets and timers that a task left open would stall.
      atomics: 'disabled',
      execArgv: [],
      env: environmentWithoutSecrets(),
      recordTiming: false,
      workerData: settings,
      ...(maxHeapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    })
    this.#pool.on('error', () => {
      // An idle thread ended; the next call starts another.
    })
  }

  /** Calls that have a thread. */
  get busy(): number {
    return this.#busy
  }

  call(options: CallOptions): ThreadCall {
    const { port1, port2 } = new MessageChannel()
    const state = new SharedState()
    const killer = new AbortController()
    const { signal, release } = either(options.signal, this.#stop.signal)
    const ended = this.#run(options, signal, port1, port2, state, killer).finally(() => {
      release()
      port1.close()
    })
    return {
      ended,
      state,
      post: (message, transfer = []) => port1.postMessage(message, transfer),
      kill: () => killer.abort()
    }
  }

  /** Ends all threads; calls that run end as cancelled. */
  async stop(): Promise<void> {
    this.#stop.abort(new StoppedError('the threads were stopped'))
    await atMost(this.#pool.destroy(), EXIT_LIMIT)
    await this.#exitOfRemoved()
  }

  async #run(
    { handler, data, transfer = [], onMessage = () => {} }: CallOptions,
    signal: AbortSignal,
    port: MessagePort,
    remote: MessagePort,
    state: SharedState,
    killer: AbortController
  ): Promise<CallEnd> {
    if (!(await this.#thread(signal))) return { type: 'cancelled', reason: signal.reason }

    let exit: Extract<ThreadMessage, { type: 'exit' }> | undefined
    const receive = (message: ThreadMessage) => {
      if (message.type === 'exit') exit = message
      else onMessage(message)
    }
    port.on('message', receive)
    let grace: NodeJS.Timeout | undefined
    const cancel = () => {
      state.cancel()
      port.postMessage({ type: 'cancel' } satisfies MainMessage)
      grace = setTimeout(() => killer.abort(), CANCEL_GRACE)
    }
    signal.addEventListener('abort', cancel, { once: true })
    let lost: Error | undefined
    const active = {
      state,
      fail: (error: Error) => {
        lost = error
        killer.abort()
      }
    }
    this.#active.add(active)
    try {
      const running = this.#pool.run(
        { ...data, port: remote, state: state.buffer },
        { name: handler, signal: killer.signal, transferList: [remote, ...transfer] }
      )
      this.#watchThreads()
      const result: unknown = await running
      drain(port, receive)
      return signal.aborted ? { type: 'cancelled', reason: signal.reason, result } : { type: 'done', result }
    } catch (error) {
      drain(port, receive)
      await this.#exitOfRemoved()
      if (signal.aborted) return { type: 'cancelled', reason: signal.reason }
      return {
        type: 'died',
        why: exit === undefined ? this.#reason(lost ?? error) : `the code called process.exit(${exit.code})`,
        activity: exit?.activity ?? state.activity
      }
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', cancel)
      this.#active.delete(active)
      this.#busy--
      this.#waiting.shift()?.()
    }
  }

  /** Waits for a free thread; false when the signal came first. */
  async #thread(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted && this.#busy >= this.#threads) {
      await new Promise<void>(resolve => {
        const go = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = () => {
          this.#waiting.splice(this.#waiting.indexOf(go), 1)
          resolve()
        }
        this.#waiting.push(go)
        signal.addEventListener('abort', leave, { once: true })
      })
    }
    if (signal.aborted) {
      // The turn that came together with the signal is the next one's.
      if (this.#busy < this.#threads) this.#waiting.shift()?.()
      return false
    }
    this.#busy++
    return true
  }

  #watchThreads(): void {
    for (const worker of this.#pool.threads) {
      if (this.#exits.has(worker)) continue
      const exit = once(worker, 'exit').catch(() => {})
      this.#exits.set(worker, exit)
      worker.once('exit', () => {
        this.#exits.delete(worker)
        if (this.#pool.threads.length > 0) return
        // piscina gives up on threads that fail while they start, and leaves their calls waiting.
        for (const call of this.#active) {
          if (!call.state.started) call.fail(new Error('the thread could not start'))
        }
      })
    }
  }

  /** Waits for the threads that are no longer in use to be gone. */
  async #exitOfRemoved(): Promise<void> {
    const used = new Set(this.#pool.threads)
    const removed = [...this.#exits].filter(([worker]) => !used.has(worker)).map(([, exit]) => exit)
    await atMost(Promise.all(removed), EXIT_LIMIT)
  }

  #reason(error: unknown): string {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return `it ran out of memory${this.#maxHeapMb === undefined ? '' : ` (its heap may have ${this.#maxHeapMb} MiB: maxHeapMb, --max-heap-mb)`}`
    }
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * A signal that follows two, until it is released. `AbortSignal.any` would leave something at the long-lived ones for
 * each of a million calls.
 */
function either(first: AbortSignal | undefined, second: AbortSignal): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const sources = first === undefined ? [second] : [first, second]
  const follow = () => controller.abort(sources.find(source => source.aborted)?.reason)
  if (sources.some(source => source.aborted)) follow()
  for (const source of sources) {
    // One job's signal may well have a listener for each of many threads.
    setMaxListeners(0, source)
    source.addEventListener('abort', follow, { once: true })
  }
  const release = () => {
    for (const source of sources) source.removeEventListener('abort', follow)
  }
  return { signal: controller.signal, release }
}

/** Takes what has arrived on a port but was not delivered yet. */
function drain(port: MessagePort, receive: (message: ThreadMessage) => void): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    receive(next.message as ThreadMessage)
  }
}
