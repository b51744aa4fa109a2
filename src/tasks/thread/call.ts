import type { TaskFunction } from '../../common/errors.ts'
import type { CallData, CallPort, MainMessage, ThreadMessage } from '../execute/messages.ts'
import type { CallState, Stop } from '../execute/shared-state.ts'
import { LogSink } from './log-sink.ts'
import { currentScope, Scope } from './scope.ts'

const calls = new Set<Call>()

// `process.exit()` in user code ends the thread, so this handler first sends the outcomes.
process.on('exit', code => {
  for (const call of calls) call.exiting(code)
})

/** One call of the main thread into this thread. */
export class Call {
  readonly state: CallState
  readonly sink: LogSink
  /** Called when the thread exits during the call. */
  onExit: () => void = () => {}
  /** Called as soon as the event loop is free after the main thread has asked the call or its chunk to stop. */
  onStop: () => void = () => {}
  /** Returns why the running chunk must stop; undefined if the chunk need not stop. */
  stopOf: () => Stop | undefined = () => undefined
  readonly #port: CallPort
  #controller: AbortController | undefined
  readonly #leave = () => this.state.leave()

  constructor({ port, state }: Pick<CallData, 'port' | 'state'>, onMessage: (message: MainMessage) => void = () => {}) {
    this.#port = port
    this.state = state
    this.sink = new LogSink(port)
    this.state.start()
    calls.add(this)
    port.on('message', (message: MainMessage) => {
      if (message.type === 'cancel' || message.type === 'stop-chunk') {
        this.onStop()
        this.#abortIfStopped()
      }
      onMessage(message)
    })
  }

  post(message: ThreadMessage, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer)
  }

  scope(fn: TaskFunction, index?: number): Scope {
    this.state.enter(fn, index)
    return new Scope(fn, index, this.sink)
  }

  /** Calls one of the user's functions. Returns a promise only if the function returns a promise. */
  invoke<Value>(fn: TaskFunction, index: number | undefined, use: () => Value): Value | Promise<Awaited<Value>> {
    return this.scope(fn, index).run(use, this.#leave)
  }

  /** Like {@link invoke}, but always returns a promise. */
  async within<Value>(fn: TaskFunction, index: number | undefined, use: () => Value): Promise<Awaited<Value>> {
    return await this.invoke(fn, index, use)
  }

  /** Called when another chunk starts: from then on, a stop no longer aborts the signal of the previous chunk. */
  nextChunk(): void {
    this.#controller = undefined
  }

  /** Creates the signal of one chunk. The signal aborts when the chunk is stopped or the job is cancelled. */
  signal(): AbortSignal {
    const controller = new AbortController()
    this.#controller = controller
    const { signal } = controller
    // Code that blocks the event loop gets no message, but the code may poll `signal.aborted`.
    const look = () => {
      if (this.#controller === controller) this.#abortIfStopped()
    }
    Object.defineProperty(signal, 'aborted', {
      get: () => {
        look()
        return Reflect.get(AbortSignal.prototype, 'aborted', signal)
      }
    })
    Object.defineProperty(signal, 'throwIfAborted', {
      value: () => {
        look()
        AbortSignal.prototype.throwIfAborted.call(signal)
      }
    })
    look()
    return signal
  }

  #abortIfStopped(): void {
    if (this.#controller === undefined) return
    const stop = this.stopOf()
    if (stop === 'timed-out') this.#controller.abort(new DOMException("the chunk's time is over", 'TimeoutError'))
    else if (stop === 'cancelled') this.#controller.abort(new DOMException('the chunk was cancelled', 'AbortError'))
    else if (this.state.cancelled) this.#controller.abort(new DOMException('the job was cancelled', 'AbortError'))
  }

  exiting(code: number): void {
    this.onExit()
    const scope = currentScope()
    const activity = scope === undefined ? this.state.activity : { function: scope.function, index: scope.index }
    scope?.end()
    this.sink.close()
    this.post({ type: 'exit', code, activity })
  }

  /** Ends the call. The call posts no more messages. The main thread closes the port when it has read all messages. */
  end(): void {
    calls.delete(this)
    this.sink.close()
    this.#controller = undefined
  }
}
