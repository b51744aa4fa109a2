import { once } from 'node:events'
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { builtFile } from '../../common/built-file.ts'
import { StoppedError } from '../../common/errors.ts'
import { environmentWithoutSecrets } from '../../common/secrets.ts'
import { atMost, eitherSignal } from '../../lib/abort.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { CANCEL_GRACE, type CallEnd, type CallOptions, type CallPool, type TaskCall } from './calls.ts'
import { outOfMemory } from './failure.ts'
import type { MainMessage, ThreadMessage, WorkerSettings } from './messages.ts'
import { SharedState } from './shared-state.ts'

export interface ThreadPoolOptions {
  /** The limit of threads; further calls wait. Threads start on demand. */
  threads: number
  settings: WorkerSettings
  /** The heap limit of a thread, in MiB. Default: Node's own limit. */
  maxHeapMb?: number | undefined
  /** Whether to keep threads for the next call. */
  keep: boolean
}

/** The longest wait (ms) for the end of a thread. A thread cannot be terminated before its current system call returns. */
const EXIT_LIMIT = 5000

/** The resources of one call. */
interface Parts {
  port: MessagePort
  remote: MessagePort
  state: SharedState
  killer: AbortController
}

/** A pool of worker threads for user code. The pool adds cancellation and the reasons of thread deaths to piscina. */
export class ThreadPool implements CallPool {
  readonly #pool: Piscina
  readonly #maxHeapMb: number | undefined
  readonly #running: Semaphore
  readonly #exits = new Map<Worker, Promise<unknown>>()
  readonly #active = new Set<{ state: SharedState; fail: (error: Error) => void }>()
  readonly #stop = new AbortController()

  constructor({ threads, settings, maxHeapMb, keep }: ThreadPoolOptions) {
    this.#running = new Semaphore(threads)
    this.#maxHeapMb = maxHeapMb
    this.#pool = new Piscina({
      filename: builtFile('tasks/thread/thread-entry.cjs'),
      // piscina looks up the export with this name while a thread starts. Without a name, piscina would also `import` a default export.
      name: 'runNothing',
      // Calls wait in this class and never inside piscina, because piscina loses waiting calls when it terminates a thread.
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: keep ? Number.POSITIVE_INFINITY : 0,
      // With Atomics an idle thread would block, and sockets and timers that a task left open would stall.
      atomics: 'disabled',
      execArgv: [],
      env: environmentWithoutSecrets(),
      recordTiming: false,
      workerData: settings,
      ...(maxHeapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
    })
    this.#pool.on('error', () => {
      // An idle thread has ended. The next call starts another thread.
    })
  }

  get busy(): number {
    return this.#running.taken
  }

  call(options: CallOptions): TaskCall {
    const { port1, port2 } = new MessageChannel()
    const state = new SharedState(options.chunks ?? 0)
    const killer = new AbortController()
    const { signal, release } = eitherSignal(options.signal, this.#stop.signal)
    const ended = this.#run(options, signal, { port: port1, remote: port2, state, killer }).finally(() => {
      release()
      port1.close()
    })
    return {
      ended,
      get activity() {
        return state.activity
      },
      stopOf: position => state.stopOf(position),
      stop: (position, stop) => state.stop(position, stop),
      post: (message, transfer = []) => port1.postMessage(message, transfer),
      kill: () => killer.abort()
    }
  }

  /** Ends all threads; running calls end as cancelled. */
  async stop(): Promise<void> {
    this.#stop.abort(new StoppedError('the threads were stopped'))
    await atMost(this.#pool.destroy(), EXIT_LIMIT)
    await this.#exitOfRemoved()
  }

  async #run(
    { handler, data, transfer = [], onMessage = () => {} }: CallOptions,
    signal: AbortSignal,
    { port, remote, state, killer }: Parts
  ): Promise<CallEnd> {
    let release: () => void
    try {
      release = await this.#running.acquire(signal)
    } catch (reason) {
      return { type: 'cancelled', reason }
    }

    let exit: Extract<ThreadMessage, { type: 'exit' }> | undefined
    let isWorn = false
    const receive = (message: ThreadMessage) => {
      if (message.type === 'exit') exit = message
      else if (message.type === 'worn') {
        isWorn = true
        // An abort is the only way to make piscina drop a single thread. No caller waits until the thread has ended.
        killer.abort()
      } else onMessage(message)
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
      if (isWorn && !signal.aborted) return { type: 'done', result: undefined }
      await this.#exitOfRemoved()
      if (signal.aborted) return { type: 'cancelled', reason: signal.reason }
      return {
        type: 'died',
        ran: 'thread',
        why: exit === undefined ? this.#reason(lost ?? error) : `the code called process.exit(${exit.code})`,
        activity: exit?.activity ?? state.activity
      }
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', cancel)
      this.#active.delete(active)
      release()
    }
  }

  #watchThreads(): void {
    for (const worker of this.#pool.threads) {
      if (this.#exits.has(worker)) continue
      const exit = once(worker, 'exit').catch(() => {})
      this.#exits.set(worker, exit)
      worker.once('exit', () => {
        this.#exits.delete(worker)
        if (this.#pool.threads.length > 0) return
        // If a thread fails while it starts, piscina drops the thread, but the call of the thread never settles.
        for (const call of this.#active) {
          if (!call.state.started) call.fail(new Error('the thread could not start'))
        }
      })
    }
  }

  /** Waits until the dropped threads have ended. */
  async #exitOfRemoved(): Promise<void> {
    const used = new Set(this.#pool.threads)
    const removed = [...this.#exits].filter(([worker]) => !used.has(worker)).map(([, exit]) => exit)
    await atMost(Promise.all(removed), EXIT_LIMIT)
  }

  #reason(error: unknown): string {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return outOfMemory(this.#maxHeapMb)
    }
    return error instanceof Error ? error.message : String(error)
  }
}

/** Delivers the messages that have arrived on a port. */
function drain(port: MessagePort, receive: (message: ThreadMessage) => void): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    receive(next.message as ThreadMessage)
  }
}
