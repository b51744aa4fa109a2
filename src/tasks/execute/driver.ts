import { StoppedError, type TaskFunction } from '../../common/errors.ts'
import { type OwnPack, pack } from '../values/pack.ts'
import type { CallEnd, TaskCall } from './calls.ts'
import type { Checkpoint, DriverResume, FoldKind, FoldState, Pulled } from './checkpoint.ts'
import type { DriverThread } from './driver-threads.ts'
import { endedUnder, TaskFailureError } from './failure.ts'
import type { DriverReply, DriverRequest, LogLine, ResumeData, ThreadMessage } from './messages.ts'

/** If the thread of a closed driver does not answer within this time (ms), the thread is terminated. */
const CLOSE_LIMIT = 1000

export interface DriverOptions {
  file: string
  /** The encoded input. */
  input: Uint8Array
  /** The slots of the cluster, which `split` gets. */
  slots: number
  /** The due time of the job, which `split` gets, in ms since the Unix epoch. */
  scheduledFor?: number | undefined
  /**
   * Resumes from a checkpoint: the first chunk to pull and the first partial to fold have the index `next`. The thread splits
   * the earlier chunks again. If the earlier chunks have changed, the first pull fails with a `SplitChangedError`.
   */
  resume?: DriverResume | undefined
  signal?: AbortSignal | undefined
  onLog?: ((line: LogLine) => void) | undefined
}

/**
 * Runs `split`, `reduce` and `finish` of one job in a separate thread. If the user's code fails, a call rejects with
 * {@link TaskFailureError}; after an abort, every call rejects with the signal's reason.
 */
export interface JobDriver {
  /**
   * Returns the next chunks, in order: at least one chunk, or no chunk and `done`. If `split` is slow, the result has fewer than `max`
   * chunks. In an iteration, a round starts when all partials of the previous round are folded.
   */
  pull(max: number): Promise<Pulled>
  /** Folds the next partials; resolves with the progress of the fold. The buffer of the partials is transferred to the thread. */
  fold(first: number, partials: OwnPack): Promise<FoldState>
  /** Whether the task folds its partials or appends them. */
  kind(): Promise<FoldKind>
  /**
   * Returns the state from which another driver can resume the job. The state includes all folds that have been answered, and perhaps
   * further folds. The chunks of these folds must have been pulled from this driver. Returns undefined while the accumulator is large
   * and not plain data, because a clone would differ. Then an earlier checkpoint stays valid, and a later call may succeed.
   */
  checkpoint(): Promise<Checkpoint | undefined>
  /** The time (ms) that the thread spent on the last checkpoint. */
  readonly checkpointMs: number
  /** Returns the encoded result. */
  finish(): Promise<Uint8Array>
  /** Ends `split` and frees the thread. */
  close(): Promise<void>
}

interface Pending {
  function: TaskFunction
  resolve(reply: DriverReply): void
  reject(error: unknown): void
}

type Question = Exclude<DriverRequest, { type: 'close' }>
// Distributes over the union: a plain `Omit` would merge the members of the union into one type.
type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never

const FUNCTION = { pull: 'split', fold: 'reduce', kind: 'load', checkpoint: 'reduce', finish: 'finish' } as const

export class ThreadDriver implements JobDriver {
  readonly #call: TaskCall
  readonly #pending = new Map<number, Pending>()
  checkpointMs = 0
  #id = 0
  /** The error with which every further call rejects; set when the thread no longer answers. */
  #over: { error: unknown } | undefined
  #closing: Promise<void> | undefined

  constructor(thread: DriverThread, { file, input, signal, onLog, resume, ...context }: DriverOptions) {
    const { bytes } = pack([input])
    const state = resume === undefined ? undefined : resumeData(resume)
    this.#call = thread({
      data: { file, input: bytes, ...context, resume: state },
      transfer: state === undefined ? [bytes.buffer] : [bytes.buffer, state.bytes.buffer],
      signal,
      onMessage: message => this.#receive(message, onLog)
    })
    // After an abort, no caller may wait for a `split` that never returns.
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

  async pull(max: number): Promise<Pulled> {
    const reply = await this.#ask('chunks', { type: 'pull', max })
    const { first, lengths, bytes, digests, digest, values, roundOf, combines, msEach, done } = reply
    return { first, chunks: { lengths, bytes }, digests, digest, values, roundOf, combines, msEach, done }
  }

  async fold(first: number, { lengths, bytes }: OwnPack): Promise<FoldState> {
    return (await this.#ask('folded', { type: 'fold', first, lengths, bytes }, [bytes.buffer, lengths.buffer])).state
  }

  async kind(): Promise<FoldKind> {
    return (await this.#ask('kind', { type: 'kind' })).kind
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    const { checkpoint, tookMs } = await this.#ask('checkpoint', { type: 'checkpoint' })
    this.checkpointMs = tookMs
    return checkpoint
  }

  async finish(): Promise<Uint8Array> {
    return (await this.#ask('bytes', { type: 'finish' })).bytes
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

  async #ask<Type extends DriverReply['type']>(
    type: Type,
    request: WithoutId<Question>,
    transfer: ArrayBuffer[] = []
  ): Promise<Extract<DriverReply, { type: Type }>> {
    if (this.#over !== undefined) throw this.#over.error
    const id = ++this.#id
    const reply = await new Promise<DriverReply>((resolve, reject) => {
      this.#pending.set(id, { function: FUNCTION[request.type], resolve, reject })
      this.#call.post({ ...request, id } as Question, transfer)
    })
    if (reply.type !== type) throw new TypeError(`a driver answered ${request.type} with ${reply.type}`)
    return reply as Extract<DriverReply, { type: Type }>
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
    return new TaskFailureError(endedUnder(fn, end, end.activity?.index))
  }

  #end(error: unknown): void {
    this.#over ??= { error }
    for (const { reject } of this.#pending.values()) reject(this.#over.error)
    this.#pending.clear()
  }
}

function resumeData(resume: DriverResume): ResumeData & OwnPack {
  const { kind, next } = resume
  // The digest is copied, because a message that contains a view carries the whole buffer of the view.
  const digest = Uint8Array.from(resume.digest)
  return { kind, next, digest, ...pack(kind === 'folded' ? [resume.accumulator] : resume.partials) }
}
