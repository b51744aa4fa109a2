import type { TaskFunction } from '../../common/errors.ts'
import { filledAtLast } from '../../lib/pending-bytes.ts'
import type { PeerIdString } from '../../network/types.ts'
import {
  type Checkpoint,
  DIGEST_BYTES,
  type DriverResume,
  type FoldState,
  type Pulled
} from '../../tasks/execute/checkpoint.ts'
import { type TaskFailure, TaskFailureError } from '../../tasks/execute/failure.ts'
import type { ValueBatch } from '../../tasks/execute/messages.ts'
import type { JobDriver, LogLine } from '../../tasks/executor.ts'
import type { IndexedPack, OwnPack, Pack } from '../../tasks/values/pack.ts'
import type { JobOutcome, Submission } from '../protocol/submit-messages.ts'
import { MAX_CHUNKS_A_MESSAGE, MAX_PAYLOAD_BYTES } from '../protocol/wire-parts.ts'
import { FIRST_PULL, type SchedulerEffect } from '../scheduler/index.ts'
import type { CodeKeeper, Runner } from '../shared/runner.ts'
import { BatchIndex } from './batch-index.ts'
import type { FoldedPartials } from './checkpointer.ts'
import { ShardRoundValues } from './shard-round-values.ts'

export interface JobExecutionInit {
  id: string
  submission: Pick<Submission, 'sha256' | 'code' | 'input' | 'scheduledFor'>
  /** The peer that submitted the job. `undefined` if the peer is unknown. Submitters take turns when many jobs begin. */
  submitter?: PeerIdString | undefined
  /** The number of slots in the cluster. `split` receives this number. */
  slots: number
  runner: Runner
  codeStore: CodeKeeper
  /** The state that the job resumes from. `undefined` if the job begins. */
  resume?: DriverResume | undefined
  /** Drives the job in place of a thread. */
  driver?: JobDriver | undefined
  onLog(line: LogLine): void
  /** Delivers partials to the client that reads them. Resolves when the partials may be folded. */
  deliver?(first: number, partials: Pack): Promise<void> | undefined
  onFolded?(state: FoldState, folded: FoldedPartials): void
}

/** The data about pulled chunks that the scheduler needs. */
export interface PulledSizes {
  first: number
  sizes: Uint32Array
  done: boolean
  /** Number of chunks in a round of an iteration. `undefined` for other tasks. */
  roundOf: number | undefined
  /** Whether the task combines partials. */
  combines: boolean
  /** The time that `split` took for each chunk, in ms. `undefined` if the time was not measured. */
  msEach: number | undefined
}

/** The payloads of a job, and the thread that drives the job once chunks are pulled. The scheduler has only indices and sizes. */
export class JobExecution {
  /** The encoded chunks without a partial. The origin of a pack has the digests of all chunks of one pull. */
  readonly chunks = new BatchIndex<Uint8Array>()
  /** Partials that are not folded, by the peer that computed them. */
  readonly partials = new BatchIndex<PeerIdString>()
  /** The values that the chunks of an iteration refer to. Empty for other tasks. */
  readonly values = new ShardRoundValues()
  /** Whether the task combines partials. This is known when the first chunks are pulled. */
  combines = false
  /** The result that `finish` has returned. */
  result: Uint8Array | undefined
  readonly #init: JobExecutionInit
  #opened: Promise<JobDriver> | undefined
  readonly #over = new AbortController()
  /** The first chunks of a new job. They are pulled while the job is being replicated. */
  #early: Promise<Pulled> | undefined

  constructor(init: JobExecutionInit) {
    this.#init = init
  }

  /** Pulls the first chunks of a new job, while the job is being replicated. A job that is not prepared has no thread before its first pull. */
  prepare(): void {
    if (this.#init.driver !== undefined) return
    this.#early = this.#driver.then(driver => driver.pull(FIRST_PULL))
    this.#early.catch(() => {})
  }

  get #driver(): Promise<JobDriver> {
    this.#opened ??= this.#open()
    return this.#opened
  }

  async #open(): Promise<JobDriver> {
    const { submission, submitter: by, slots, runner, codeStore, resume, driver, onLog } = this.#init
    const { sha256, code, input, scheduledFor } = submission
    await this.readCode()
    await codeStore.put(sha256, code)
    if (driver !== undefined) return runner.limited?.(driver) ?? driver
    const { signal } = this.#over
    const whenTaken = (): Promise<void> | undefined => filledAtLast(signal, input)
    return runner.openDriver({ sha256, by, input, whenTaken, slots, scheduledFor, resume, signal, onLog })
  }

  /** Reads the code, if it is still on disk only. */
  readCode(): Promise<void> | undefined {
    return filledAtLast(this.#over.signal, this.#init.submission.code)
  }

  /** Pulls chunks from `split`. Resolves with the first index and the sizes of the chunks. */
  async pull(max: number): Promise<PulledSizes> {
    const early = this.#early
    this.#early = undefined
    const {
      first,
      chunks,
      digests,
      values,
      roundOf,
      combines = false,
      msEach,
      done
    } = await (early ?? (await this.#driver).pull(max))
    const { lengths: sizes } = chunks
    const large = sizes.findIndex(size => size > MAX_PAYLOAD_BYTES)
    if (large >= 0) throw new TaskFailureError(tooLarge('split', 'chunk', sizes[large]!, first + large))
    if (values !== undefined) {
      checkValues(values)
      this.values.add(values)
    }
    this.chunks.add({ indices: range(first, sizes.length), ...chunks }, digests)
    this.combines = combines
    return { first, sizes, done, roundOf, combines, msEach }
  }

  /** Encoded chunks without a partial, and their digests in the same order. */
  chunksOf(indices: readonly number[]): { chunks: Pack; digests: Uint8Array } {
    const digests = new Uint8Array(indices.length * DIGEST_BYTES)
    let at = 0
    const chunks = this.chunks.gather(indices, (all, position, count) => {
      digests.set(all.subarray(position * DIGEST_BYTES, (position + count) * DIGEST_BYTES), at)
      at += count * DIGEST_BYTES
    })
    return { chunks, digests }
  }

  /** The digests of chunks without a partial, in the same order. */
  digestsOf(indices: readonly number[]): Uint8Array {
    const digests = new Uint8Array(indices.length * DIGEST_BYTES)
    for (const [i, index] of indices.entries()) digests.set(this.digestOf(index)!, i * DIGEST_BYTES)
    return digests
  }

  /** Returns the digest of a chunk without a partial. Returns `undefined` if the partial of the chunk has arrived. */
  digestOf(index: number): Uint8Array | undefined {
    const found = this.chunks.whence(index)
    return found?.origin.subarray(found.position * DIGEST_BYTES, (found.position + 1) * DIGEST_BYTES)
  }

  /** Keeps the partials at these positions, and drops their chunks. */
  keep(partials: IndexedPack, positions: readonly number[], peer: PeerIdString): void {
    this.partials.add(partials, peer, positions)
    for (const position of positions) this.chunks.delete(partials.indices[position]!)
  }

  /** The unfolded partials from `first` to `end` (exclusive), in packs that fit a message. */
  *unfolded(first: number, end: number): Generator<IndexedPack> {
    const indices = this.partials.indices(first, end)
    let some: number[] = []
    let bytes = 0
    for (const index of indices) {
      const size = this.partials.byteLengthOf(index)
      if (some.length === MAX_CHUNKS_A_MESSAGE || (some.length > 0 && bytes + size > MAX_PAYLOAD_BYTES)) {
        yield { indices: some, ...this.partials.gather(some) }
        some = []
        bytes = 0
      }
      some.push(index)
      bytes += size
    }
    if (some.length > 0) yield { indices: some, ...this.partials.gather(some) }
  }

  async fold(first: number, count: number): Promise<void> {
    const indices = range(first, count)
    const perPeer = new Map<PeerIdString, number>()
    const credit = (peer: PeerIdString, _: number, some: number): void => {
      perPeer.set(peer, (perPeer.get(peer) ?? 0) + some)
    }
    // A thread takes ownership of the buffer. The driver of a stream does not.
    const partials =
      this.#init.driver === undefined
        ? this.partials.gatherOwn(indices, credit)
        : (this.partials.gather(indices, credit) as OwnPack)
    await this.#init.deliver?.(first, partials)
    const state = await (await this.#driver).fold(first, partials)
    // The driver owns the first buffer, so the partials are gathered again.
    this.#init.onFolded?.(state, { count, perPeer, partials: () => this.partials.gatherOwn(indices) })
    for (const index of indices) this.partials.delete(index)
  }

  /** Returns the state that another driver needs to resume. `tookMs` is the time that the thread has spent, in ms. */
  async checkpoint(): Promise<{ checkpoint: Checkpoint | undefined; tookMs: number }> {
    const driver = await this.#driver
    const checkpoint = await driver.checkpoint()
    return { checkpoint, tookMs: driver.checkpointMs }
  }

  async finish(): Promise<void> {
    const result = await (await this.#driver).finish()
    if (result.byteLength > MAX_PAYLOAD_BYTES)
      throw new TaskFailureError(tooLarge('finish', 'result', result.byteLength))
    this.result = result
  }

  /** The outcome of a job that has ended, from the scheduler's effect. */
  outcomeOf({ state, stats, failure }: Extract<SchedulerEffect<TaskFailure>, { type: 'state' }>): JobOutcome {
    if (state === 'completed') return { type: 'completed', result: this.result ?? new Uint8Array(), stats }
    if (failure !== undefined) return { type: 'failed', failure, stats }
    return { type: 'cancelled', stats }
  }

  /** Frees the thread and the payloads. */
  async close(): Promise<void> {
    this.chunks.clear()
    this.partials.clear()
    this.values.clear()
    this.#over.abort(new Error(`job ${this.#init.id} is over`))
    const driver = await this.#opened?.catch(() => undefined)
    await (driver ?? this.#init.driver)?.close()
  }
}

function range(first: number, count: number): number[] {
  const indices: number[] = new Array(count)
  for (let i = 0; i < count; i++) indices[i] = first + i
  return indices
}

/** @throws TaskFailureError if a value is too large for a message */
function checkValues({ lengths, hasState }: ValueBatch): void {
  const large = lengths.findIndex(size => size > MAX_PAYLOAD_BYTES)
  if (large < 0) return
  const isState = hasState && large === 0
  throw new TaskFailureError(tooLarge(isState ? 'next' : 'split', isState ? 'state' : 'shard', lengths[large]!))
}

function tooLarge(fn: TaskFunction, what: string, size: number, index?: number): TaskFailure {
  const message = `the ${what} has ${size} bytes, more than the ${MAX_PAYLOAD_BYTES} that can travel: make it smaller`
  return { function: fn, index, name: 'MessageTooLargeError', message, stack: '' }
}
