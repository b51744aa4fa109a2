import type { TaskFunction } from '../errors.ts'
import type { Channel, PeerIdString } from '../network/types.ts'
import type { JobDriver } from '../tasks/executor.ts'
import { type TaskFailure, TaskFailureError } from '../tasks/failure.ts'
import { LineBuffer } from './line-buffer.ts'
import type { CodeKeeper, Runner } from './runner.ts'
import type { FromLeaderSays, Submission, SubmitMessage } from './submit-messages.ts'
import type { TaskLogLine } from './types.ts'
import { MAX_PAYLOAD_BYTES } from './wire-parts.ts'

/** A job whose clients are all gone for so long (ms) is cancelled: nobody waits for it. */
const ORPHAN_MS = 10_000
/** A client that has so many bytes not yet read misses progress and log lines, never the outcome. */
const SLOW_CLIENT_BYTES = 4 * 2 ** 20

/** A job at the leader: its payloads, the thread that drives it, and who watches it. */
export class LeaderJob {
  readonly id: string
  readonly submission: Submission
  readonly chunks = new Map<number, Uint8Array>()
  readonly partials = new Map<number, Uint8Array>()
  readonly lines: LineBuffer<TaskLogLine>
  /** What `finish` returned. */
  result: Uint8Array | undefined
  readonly #epoch: number
  readonly #watchers = new Set<Channel<SubmitMessage>>()
  readonly #controller = new AbortController()
  readonly #driver: Promise<JobDriver>
  readonly #onOrphaned: () => void
  #orphanTimer: NodeJS.Timeout | undefined
  #orphaned = false

  constructor(parts: {
    id: string
    submission: Submission
    epoch: number
    self: PeerIdString
    slots: number
    runner: Runner
    codeStore: CodeKeeper
    onOrphaned: () => void
  }) {
    const { id, submission, self, slots, runner, codeStore } = parts
    this.id = id
    this.submission = submission
    this.#epoch = parts.epoch
    this.#onOrphaned = parts.onOrphaned
    this.lines = new LineBuffer(lines => this.#tellPatiently({ type: 'log', lines }))
    const { sha256, code, input } = submission
    const open = async (): Promise<JobDriver> => {
      await codeStore.put(sha256, code)
      return runner.openDriver({
        sha256,
        input,
        slots,
        signal: this.#controller.signal,
        onLog: line => this.lines.add({ ...line, peer: self })
      })
    }
    this.#driver = open()
    // Whoever uses the driver gets the error; nobody may be using it when it comes.
    this.#driver.catch(() => {})
  }

  /** Whether it ends because nobody waits for it. */
  get orphaned(): boolean {
    return this.#orphaned
  }

  watch(channel: Channel<SubmitMessage>): void {
    clearTimeout(this.#orphanTimer)
    this.#orphanTimer = undefined
    this.#watchers.add(channel)
  }

  /** A watcher's channel broke: it may come back. */
  unwatch(channel: Channel<SubmitMessage>): void {
    if (!this.#watchers.delete(channel) || this.#watchers.size > 0) return
    this.#orphanTimer = setTimeout(() => this.#orphan(), ORPHAN_MS)
  }

  /** A watcher has gone for good. */
  leave(channel: Channel<SubmitMessage>): void {
    if (this.#watchers.delete(channel) && this.#watchers.size === 0) this.#orphan()
  }

  #orphan(): void {
    this.#orphaned = true
    this.#onOrphaned()
  }

  /** Tells all watchers. */
  tell(says: FromLeaderSays): void {
    this.send({ job: this.id, epoch: this.#epoch, ...says })
  }

  send(message: SubmitMessage): void {
    // A watcher that is gone tells by its channel's close.
    for (const watcher of this.#watchers) watcher.send(message).catch(() => {})
  }

  /** Tells those who read what they are told; resolves when they have been sent it. */
  async #tellPatiently(says: FromLeaderSays): Promise<void> {
    const readers = [...this.#watchers].filter(({ pendingBytes }) => pendingBytes < SLOW_CLIENT_BYTES)
    await Promise.allSettled(readers.map(reader => reader.send({ job: this.id, epoch: this.#epoch, ...says })))
  }

  tellProgress(says: FromLeaderSays): void {
    void this.#tellPatiently(says)
  }

  /** Takes chunks from `split`; resolves with the first index and the sizes. */
  async pull(max: number): Promise<{ first: number; sizes: number[]; done: boolean }> {
    const { first, chunks, done } = await (await this.#driver).pull(max)
    const sizes: number[] = []
    for (const chunk of chunks) {
      const index = first + sizes.length
      if (chunk.byteLength > MAX_PAYLOAD_BYTES) throw new TaskFailureError(tooLarge('split', 'chunk', chunk, index))
      this.chunks.set(index, chunk)
      sizes.push(chunk.byteLength)
    }
    return { first, sizes, done }
  }

  async fold(first: number, count: number): Promise<void> {
    const partials: Uint8Array[] = []
    for (let index = first; index < first + count; index++) partials.push(this.partials.get(index)!)
    await (await this.#driver).fold(first, partials)
    for (let index = first; index < first + count; index++) this.partials.delete(index)
  }

  async finish(): Promise<void> {
    const result = await (await this.#driver).finish()
    if (result.byteLength > MAX_PAYLOAD_BYTES) throw new TaskFailureError(tooLarge('finish', 'result', result))
    this.result = result
  }

  /** Frees the thread and the payloads. */
  async close(): Promise<void> {
    clearTimeout(this.#orphanTimer)
    this.lines.stop()
    this.chunks.clear()
    this.partials.clear()
    this.#controller.abort(new Error(`job ${this.id} is over`))
    const driver = await this.#driver.catch(() => undefined)
    await driver?.close()
  }
}

/** Whatever the driver rejected with, as something that can be told to the client. */
export function failureOf(error: unknown, fn: TaskFunction): TaskFailure {
  if (error instanceof TaskFailureError) return error.failure
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { function: fn, name, message, stack: '' }
}

function tooLarge(fn: TaskFunction, what: string, bytes: Uint8Array, index?: number): TaskFailure {
  const message = `the ${what} has ${bytes.byteLength} bytes, more than the ${MAX_PAYLOAD_BYTES} that can travel: make it smaller`
  return { function: fn, index, name: 'MessageTooLargeError', message, stack: '' }
}
