import type { TaskFunction } from '../errors.ts'
import type { Channel, PeerIdString } from '../network/types.ts'
import { DIGEST_BYTES } from '../tasks/checkpoint.ts'
import type { JobDriver } from '../tasks/executor.ts'
import { type TaskFailure, TaskFailureError } from '../tasks/failure.ts'
import type { IndexedPack, Pack } from '../tasks/pack.ts'
import { type JobCheckpoint, resumeFrom } from './checkpoint.ts'
import { Checkpointer } from './checkpointer.ts'
import type { Folded } from './coordinator-types.ts'
import { Delivery } from './delivery.ts'
import { LineBuffer } from './line-buffer.ts'
import { PackedValues } from './packed-values.ts'
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
  /** Chunks without a partial, as they travel; by the digests of all that were pulled together. */
  readonly chunks = new PackedValues<Uint8Array>()
  /** Those that are not folded, by who computed them. */
  readonly partials = new PackedValues<PeerIdString>()
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
  /** Where a client reads the partials. */
  readonly #delivery: Delivery | undefined
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
    this.#delivery = submission.partials
      ? new Delivery((reader, says) => {
          // A reader that is gone tells by its channel's close.
          reader.send({ job: id, epoch: parts.epoch, ...says }).catch(() => {})
        })
      : undefined
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

  /** A client brings the job, and reads its partials from `got` on, where whoever submitted it wanted to. */
  reads(channel: Channel<SubmitMessage>, got: number): void {
    this.#delivery?.reads(channel, got)
  }

  /** Whoever reads the partials needs none before `next` any more. */
  got(channel: Channel<SubmitMessage>, next: number): void {
    this.#delivery?.got(channel, next)
  }

  /** A watcher's channel broke: it may come back. */
  unwatch(channel: Channel<SubmitMessage>): void {
    this.#delivery?.gone(channel)
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
    this.#delivery?.gone(channel)
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
  async pull(max: number): Promise<{ first: number; sizes: Uint32Array; done: boolean }> {
    const { first, chunks, digests, done } = await (await this.#driver).pull(max)
    const { lengths: sizes } = chunks
    const large = sizes.findIndex(size => size > MAX_PAYLOAD_BYTES)
    if (large >= 0) throw new TaskFailureError(tooLarge('split', 'chunk', sizes[large]!, first + large))
    this.chunks.add({ indices: range(first, sizes.length), ...chunks }, digests)
    return { first, sizes, done }
  }

  /** Chunks without a partial as they travel, and their digests, one after the other. */
  chunksOf(indices: readonly number[]): { chunks: Pack; digests: Uint8Array } {
    const digests = new Uint8Array(indices.length * DIGEST_BYTES)
    let at = 0
    const chunks = this.chunks.gather(indices, (all, position, count) => {
      digests.set(all.subarray(position * DIGEST_BYTES, (position + count) * DIGEST_BYTES), at)
      at += count * DIGEST_BYTES
    })
    return { chunks, digests }
  }

  /** Of a chunk without a partial. */
  digestOf(index: number): Uint8Array | undefined {
    const found = this.chunks.whence(index)
    return found?.origin.subarray(found.position * DIGEST_BYTES, (found.position + 1) * DIGEST_BYTES)
  }

  /** Holds the partials at these positions, and forgets their chunks. */
  keep(partials: IndexedPack, positions: readonly number[], peer: PeerIdString): void {
    this.partials.add(partials, peer, positions)
    for (const position of positions) this.chunks.delete(partials.indices[position]!)
  }

  async fold(first: number, count: number): Promise<void> {
    const indices = range(first, count)
    const perPeer = new Map<PeerIdString, number>()
    const partials = this.partials.gather(indices, (peer, _, some) =>
      perPeer.set(peer, (perPeer.get(peer) ?? 0) + some)
    )
    await this.#delivery?.deliver(first, partials)
    const state = await (await this.#driver).fold(first, partials)
    // The driver has taken the buffer.
    this.#checkpointer.folded(state, { count, perPeer, partials: () => this.partials.gather(indices) })
    for (const index of indices) this.partials.delete(index)
  }

  /** Resolves when others hold all that is folded now. */
  checkpoint(): Promise<void> {
    return this.#checkpointer.flush()
  }

  async finish(): Promise<void> {
    const result = await (await this.#driver).finish()
    if (result.byteLength > MAX_PAYLOAD_BYTES)
      throw new TaskFailureError(tooLarge('finish', 'result', result.byteLength))
    this.result = result
  }

  /** Frees the thread and the payloads. */
  async close(): Promise<void> {
    clearTimeout(this.#orphanTimer)
    this.lines.stop()
    this.#checkpointer.stop()
    this.#delivery?.stop(new Error(`job ${this.id} is over`))
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

function range(first: number, count: number): number[] {
  const indices: number[] = new Array(count)
  for (let i = 0; i < count; i++) indices[i] = first + i
  return indices
}

function tooLarge(fn: TaskFunction, what: string, size: number, index?: number): TaskFailure {
  const message = `the ${what} has ${size} bytes, more than the ${MAX_PAYLOAD_BYTES} that can travel: make it smaller`
  return { function: fn, index, name: 'MessageTooLargeError', message, stack: '' }
}
