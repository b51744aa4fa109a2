import { StoppedError, type TaskFunction } from '../errors.ts'
import { threadEnded } from './batch.ts'
import { TaskFailureError } from './failure.ts'
import type { DriverReply, DriverRequest, LogLine, ThreadMessage } from './messages.ts'
import { pack, unpack } from './pack.ts'
import type { CallEnd, ThreadCall, ThreadPool } from './thread-pool.ts'

/** A driver that was closed and does not answer in this time (ms) has its thread ended. */
const CLOSE_LIMIT = 1000

export interface DriverOptions {
  file: string
  /** The encoded input. */
  input: Uint8Array
  /** What `split` is told of the cluster. */
  slots: number
  signal?: AbortSignal | undefined
  onLog?: ((line: LogLine) => void) | undefined
}

/**
 * `split`, `reduce` and `finish` of one job, in a thread of its own. Failures of the user's code reject with
 * {@link TaskFailureError}; after an abort everything rejects with the signal's reason.
 */
export interface JobDriver {
  /** The next chunks, in order: at least one, or none and `done`. Fewer than `max` when that takes long. */
  pull(max: number): Promise<{ first: number; chunks: Uint8Array[]; done: boolean }>
  /** Folds partials that follow on the ones before. Without `reduce` they are collected. */
  fold(first: number, partials: readonly Uint8Array[]): Promise<void>
  /** The encoded result. */
  finish(): Promise<Uint8Array>
  /** Ends the split and frees the thread. */
  close(): Promise<void>
}

interface Pending {
  function: TaskFunction
  resolve(reply: DriverReply): void
  reject(error: unknown): void
}

type Question = Exclude<DriverRequest, { type: 'close' }>
// Omit would flatten the union.
type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never

const FUNCTION = { pull: 'split', fold: 'reduce', finish: 'finish' } as const

export class ThreadDriver implements JobDriver {
  readonly #call: ThreadCall
  readonly #pending = new Map<number, Pending>()
  #id = 0
  /** Set when no question can be answered any more. */
  #over: { error: unknown } | undefined
  #closing: Promise<void> | undefined

  constructor(pool: ThreadPool, { file, input, slots, signal, onLog }: DriverOptions) {
    const { bytes } = pack([input])
    this.#call = pool.call({
      handler: 'runDriver',
      data: { file, input: bytes, slots },
      transfer: [bytes.buffer],
      signal,
      onMessage: message => this.#receive(message, onLog)
    })
    // A split that never comes back must not keep its callers waiting for its thread's end.
    const onAbort = () => this.#end(signal?.reason)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
    this.#call.ended.then(end => {
      signal?.removeEventListener('abort', onAbort)
      this.#end(this.#errorOf(end))
    })
  }

  /** Resolves when the thread is free. */
  get ended(): Promise<unknown> {
    return this.#call.ended
  }

  async pull(max: number): Promise<{ first: number; chunks: Uint8Array[]; done: boolean }> {
    const reply = await this.#ask({ type: 'pull', max })
    if (reply.type !== 'chunks') throw new TypeError('a pull was answered with bytes')
    return { first: reply.first, chunks: unpack(reply), done: reply.done }
  }

  async fold(first: number, partials: readonly Uint8Array[]): Promise<void> {
    const { lengths, bytes } = pack(partials)
    await this.#ask({ type: 'fold', first, lengths, bytes }, [bytes.buffer])
  }

  async finish(): Promise<Uint8Array> {
    const reply = await this.#ask({ type: 'finish' })
    if (reply.type !== 'bytes') throw new TypeError('finish was answered with chunks')
    return reply.bytes
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#end(new StoppedError('the driver was closed'))
    this.#call.post({ type: 'close' })
    const timer = setTimeout(() => this.#call.kill(), CLOSE_LIMIT)
    await this.#call.ended
    clearTimeout(timer)
  }

  #ask(request: WithoutId<Question>, transfer: ArrayBuffer[] = []): Promise<DriverReply> {
    return new Promise((resolve, reject) => {
      if (this.#over !== undefined) return reject(this.#over.error)
      const id = ++this.#id
      this.#pending.set(id, { function: FUNCTION[request.type], resolve, reject })
      this.#call.post({ ...request, id } as Question, transfer)
    })
  }

  #receive(message: ThreadMessage, onLog: DriverOptions['onLog']): void {
    if (message.type === 'log') for (const line of message.lines) onLog?.(line)
    if (message.type !== 'reply' && message.type !== 'failed') return
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.type === 'reply') pending?.resolve(message.value)
    else pending?.reject(new TaskFailureError(message.failure))
  }

  #errorOf(end: CallEnd): unknown {
    if (end.type === 'cancelled') return end.reason
    if (end.type === 'done') return new StoppedError('the driver was closed')
    const waiting = this.#pending.values().next().value
    const fn = end.activity?.function ?? waiting?.function ?? 'load'
    return new TaskFailureError(threadEnded(fn, end.why, end.activity?.index))
  }

  #end(error: unknown): void {
    this.#over ??= { error }
    for (const { reject } of this.#pending.values()) reject(this.#over.error)
    this.#pending.clear()
  }
}
