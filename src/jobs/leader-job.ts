import type { TaskFunction } from '../errors.ts'
import type { Channel, PeerIdString } from '../network/types.ts'
import { DIGEST_BYTES } from '../tasks/checkpoint.ts'
import type { JobDriver } from '../tasks/executor.ts'
import { type TaskFailure, TaskFailureError } from '../tasks/failure.ts'
import { type JobCheckpoint, resumeFrom } from './checkpoint.ts'
import { Checkpointer } from './checkpointer.ts'
import type { Folded } from './coordinator-types.ts'
import { LineBuffer } from './line-buffer.ts'
import type { CodeKeeper, Runner } from './runner.ts'
import type { FromLeaderSays, Submission, SubmitMessage } from './submit-messages.ts'
import type { TaskLogLine } from './types.ts'
import { MAX_PAYLOAD_BYTES } from './wire-parts.ts'

/** A job whose clients are all gone for so long (ms) is cancelled, unless it is detached: nobody waits for it. */
const ORPHAN_MS = 10_000
/** A client that has so many bytes not yet read misses progress and log lines, never the outcome. */
const SLOW_CLIENT_BYTES = 4 * 2 ** 20

/** A job at the leader: its payloads, the thread that drives it, and who watches it. */
export class LeaderJob {
  readonly id: string
  readonly submission: Submission
  /** Chunks without a partial, as they travel, and what tells them from others. */
  readonly chunks = new Map<number, { bytes: Uint8Array; digest: Uint8Array }>()
  readonly partials = new Map<number, { bytes: Uint8Array; peer: PeerIdString }>()
  readonly lines: LineBuffer<TaskLogLine>
  /** Tells it from other jobs that are submitted under the same id. */
  readonly birth: string
  /** What earlier leaders have folded. */
  readonly from: Folded | undefined
  /** How many chunks some client knows to have been folded under earlier leaders. */
  seen = 0
  /** The coordinator knows the chunks before it: they have been split here, or were folded before. */
  splitEnd: number
  /** What `finish` returned. */
  result: Uint8Array | undefined
  /** What is known of it survives this leader: its clients may be told so. */
  accepted = false
  readonly #epoch: number
  readonly #watchers = new Set<Channel<SubmitMessage>>()
  readonly #controller = new AbortController()
  readonly #driver: Promise<JobDriver>
  readonly #checkpointer: Checkpointer
  readonly #onOrphaned: () => void
  #orphanTimer: NodeJS.Timeout | undefined
  #orphaned = false

  constructor(parts: {
    id: string
    birth: string
    submission: Submission
    epoch: number
    self: PeerIdString
    slots: number
    runner: Runner
    codeStore: CodeKeeper
    /** What it goes on from. */
    checkpoint: JobCheckpoint | undefined
    /** To be kept by others; `held` is called when they do. */
    onCheckpoint: (checkpoint: JobCheckpoint, held: () => void) => void
    onOrphaned: () => void
  }) {
    const { id, submission, self, slots, runner, codeStore, checkpoint } = parts
    this.id = id
    this.birth = parts.birth
    this.submission = submission
    this.#epoch = parts.epoch
    this.#onOrphaned = parts.onOrphaned
    this.from = checkpoint && { next: checkpoint.next, perPeer: checkpoint.perPeer }
    this.splitEnd = checkpoint?.next ?? 0
    this.lines = new LineBuffer(lines => this.#tellPatiently({ type: 'log', lines }))
    const { sha256, code, input } = submission
    const open = async (): Promise<JobDriver> => {
      await codeStore.put(sha256, code)
      return runner.openDriver({
        sha256,
        input,
        slots,
        resume: checkpoint && resumeFrom(checkpoint),
        signal: this.#controller.signal,
        onLog: line => this.lines.add({ ...line, peer: self })
      })
    }
    this.#driver = open()
    // Whoever uses the driver gets the error; nobody may be using it when it comes.
    this.#driver.catch(() => {})
    this.#checkpointer = new Checkpointer({
      from: checkpoint,
      mostBytes: MAX_PAYLOAD_BYTES - code.byteLength - input.byteLength,
      take: async () => {
        const driver = await this.#driver
        const checkpoint = await driver.checkpoint()
        return { checkpoint, tookMs: driver.checkpointMs }
      },
      write: parts.onCheckpoint
    })
  }

  /** Whether it ends because nobody waits for it. */
  get orphaned(): boolean {
    return this.#orphaned
  }

  watch(channel: Channel<SubmitMessage>): void {
    // It may have gone while what it said waited to be read.
    if (channel.closed.aborted) return
    clearTimeout(this.#orphanTimer)
    this.#orphanTimer = undefined
    this.#watchers.add(channel)
  }

  /** A watcher's channel broke: it may come back. */
  unwatch(channel: Channel<SubmitMessage>): void {
    if (this.#watchers.delete(channel)) this.awaitWatcher()
  }

  /** Somebody has to come for it, else it is cancelled. */
  awaitWatcher(): void {
    if (!this.#needsWatcher) return
    clearTimeout(this.#orphanTimer)
    this.#orphanTimer = setTimeout(() => this.#orphan(), ORPHAN_MS)
  }

  /** A watcher has gone for good. */
  leave(channel: Channel<SubmitMessage>): void {
    if (this.#watchers.delete(channel) && this.#needsWatcher) this.#orphan()
  }

  get #needsWatcher(): boolean {
    return !this.submission.detach && this.#watchers.size === 0 && !this.#controller.signal.aborted
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
    const { first, chunks, digests, done } = await (await this.#driver).pull(max)
    const sizes: number[] = []
    for (const chunk of chunks) {
      const index = first + sizes.length
      if (chunk.byteLength > MAX_PAYLOAD_BYTES) throw new TaskFailureError(tooLarge('split', 'chunk', chunk, index))
      const at = sizes.length * DIGEST_BYTES
      this.chunks.set(index, { bytes: chunk, digest: digests.subarray(at, at + DIGEST_BYTES) })
      sizes.push(chunk.byteLength)
    }
    return { first, sizes, done }
  }

  /** Of chunks without a partial, one after the other. */
  digestsOf(indices: readonly number[]): Uint8Array {
    const digests = new Uint8Array(indices.length * DIGEST_BYTES)
    for (const [i, index] of indices.entries()) digests.set(this.chunks.get(index)!.digest, i * DIGEST_BYTES)
    return digests
  }

  async fold(first: number, count: number): Promise<void> {
    const partials: Uint8Array[] = []
    const peers: PeerIdString[] = []
    for (let index = first; index < first + count; index++) {
      const { bytes, peer } = this.partials.get(index)!
      partials.push(bytes)
      peers.push(peer)
    }
    this.#checkpointer.folded(await (await this.#driver).fold(first, partials), partials, peers)
    for (let index = first; index < first + count; index++) this.partials.delete(index)
  }

  /** Resolves when others hold all that is folded now. */
  checkpoint(): Promise<void> {
    return this.#checkpointer.flush()
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
    this.#checkpointer.stop()
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
