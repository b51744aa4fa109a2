import pDefer from 'p-defer'
import { orAborted } from '../../lib/abort.ts'
import { CHUNKS_A_GROUP, isGroupShort } from '../../tasks/execute/group.ts'
import type { FailedChunk, Outcomes } from '../../tasks/executor.ts'
import type { IndexedPack } from '../../tasks/values/pack.ts'
import { LogLineBatcher } from '../protocol/log-line-batcher.ts'
import { MAX_CHUNKS_A_MESSAGE, MAX_PAYLOAD_BYTES, type WorkerLogLine } from '../protocol/wire-parts.ts'
import type { BatchMessage } from '../protocol/work-messages.ts'
import type { RunMode } from '../scheduler/index.ts'
import { withCombined } from '../shared/combined-groups.ts'
import { InFlightChunks, type PartialsKeeper } from './in-flight-chunks.ts'
import { FLUSH_AFTER, OutcomeBatcher, type OutcomesToSend } from './outcome-batcher.ts'
import { ShardRoundChunks } from './shard-round-chunks.ts'
import type { ValueCache } from './value-cache.ts'
import { WaitingChunks } from './waiting-chunks.ts'

/**
 * The work that a thread takes at once, in ms. Much longer batches would not be shared evenly, and much shorter batches would spend their time on starts.
 */
const WORK_AT_ONCE = 50
const MOST_AT_ONCE = 16_384
/** The most announced chunks in one run: if their peer dies, the leader assumes that all of them were running. */
const MOST_ANNOUNCED = 16
/** The longest time that outcomes wait for more outcomes, in ms. */
const MOST_HELD = 100
/** The weight of the newest measurement in the average duration of a chunk. */
const WEIGHT = 0.4

/** Chunks that run in one thread, one after the other. */
export interface RunningBatch {
  mode: RunMode
  indices: readonly number[]
  /** Stops one chunk. Later chunks of the batch still run. */
  cancel(index: number): void
  stop(reason: Error): void
}

export interface WorkerJobInit {
  values: ValueCache
  /** Keeps the retained partials on disk. `undefined` if they are in memory only. */
  keeper: PartialsKeeper | undefined
  /** The usual time of a chunk in an earlier job of the same task, in ms. `undefined` if the time is unknown. */
  remembered: number | undefined
  /** Whether the worker has a leader to which it can send messages. */
  hasLeader(): boolean
  sendLines(lines: WorkerLogLine[]): Promise<void>
  sendOutcomes(outcomes: OutcomesToSend): void
}

/** One job at a worker: its waiting and running chunks, its retained partials, and its measurements. */
export class WorkerJob {
  readonly id: string
  /** The id of the submission that the leader has under this job id now. `undefined` before a leader has sent a message about the job. */
  submissionId: string | undefined
  readonly sha256: string
  /** The longest time that a chunk may run, in ms. `undefined` if there is no limit. */
  chunkTimeout: number | undefined
  priority = 0
  /** Whether the partials of whole groups are combined here. */
  combine = false
  readonly inFlight: InFlightChunks
  readonly batches = new Set<RunningBatch>()
  readonly waiting = new WaitingChunks()
  /** The chunks of an iteration that lack a shard or a state. These chunks cannot run yet. */
  readonly shardRound: ShardRoundChunks
  readonly outcomes: OutcomeBatcher
  readonly lines: LogLineBatcher<WorkerLogLine>
  /** The functions to call when the leader has answered `go`, by the first chunk of the announced batch. */
  readonly announced = new Map<number, () => void>()
  /** The smoothed milliseconds that a chunk takes. `undefined` before the first measurement. */
  duration: number | undefined
  readonly #remembered: number | undefined
  /** Whether the leader has sent a message about the job. Only then the leader wants the output of the job. */
  hasReader = false

  constructor(id: string, sha256: string, init: WorkerJobInit) {
    this.id = id
    this.sha256 = sha256
    this.inFlight = new InFlightChunks(init.keeper)
    this.#remembered = init.remembered
    this.shardRound = new ShardRoundChunks(id, init.values)
    this.lines = new LogLineBatcher(init.sendLines, () => this.hasReader && init.hasLeader())
    this.outcomes = new OutcomeBatcher(id, outcomes => {
      // The outcomes may end the job, so its output has to arrive first.
      this.lines.flush()
      init.sendOutcomes(outcomes)
    })
  }

  /** Whether a batch belongs to this job, and not to another submission with its id. */
  isOf({ submissionId, sha256 }: BatchMessage): boolean {
    return sha256 === this.sha256 && (this.submissionId ?? submissionId) === submissionId
  }

  /** Handles that the leader gives chunks of the job. */
  begin({ submissionId, chunkTimeout, priority, combine }: BatchMessage): void {
    Object.assign(this, { submissionId, chunkTimeout, priority, combine })
    this.beginOutput()
  }

  beginOutput(): void {
    this.hasReader = true
    this.lines.flush()
  }

  measured(chunks: number, busyMs: number): void {
    if (chunks === 0 || busyMs === 0) return
    const sample = busyMs / chunks
    this.duration = this.duration === undefined ? sample : this.duration + (sample - this.duration) * WEIGHT
  }

  /** The number of waiting chunks that a thread takes at once. */
  countToRun(mode: RunMode, slots: number, freeSlots: number): number {
    if (mode === 'quarantined') return 1
    const share = Math.ceil(this.waiting.size / freeSlots)
    const duration = this.duration ?? this.#remembered
    const quick = duration === undefined ? 1 : Math.max(1, Math.floor(WORK_AT_ONCE / duration))
    const most = Math.min(share, quick, mode === 'announced' ? MOST_ANNOUNCED : MOST_AT_ONCE)
    // With fewer chunks than this, whole groups would leave other threads without chunks.
    const isEnough = this.waiting.size >= CHUNKS_A_GROUP * slots
    return this.combine && isEnough && isGroupShort(duration) ? this.waiting.wholeGroups(most) : most
  }

  /**
   * How long (ms) outcomes may wait for more outcomes to share a message. While the worker has enough work, the leader can
   * wait.
   */
  holdMs(slots: number): number {
    const ahead = (this.waiting.size * (this.duration ?? 0)) / slots
    return Math.max(FLUSH_AFTER, Math.min(MOST_HELD, ahead / 2))
  }

  /** Announces a batch with `say`. Resolves when the leader answers `go`. Rejects with the reason of the signal. */
  async announce([first]: readonly number[], signal: AbortSignal, say: () => void): Promise<void> {
    const known = pDefer<void>()
    this.announced.set(first!, known.resolve)
    try {
      say()
      await orAborted(known.promise, signal)
    } finally {
      this.announced.delete(first!)
    }
  }

  /** Handles that a batch has ended. Sends the pending outcomes at once if no more outcomes are expected. */
  flushIfDue(slots: number): void {
    const isLong = this.duration === undefined || this.duration > 1
    if (this.waiting.size === 0 || (isLong && this.holdMs(slots) === FLUSH_AFTER)) this.outcomes.flush()
  }

  /** Retains the partials, and queues the outcomes that the leader waits for. Returns the indices of these partials. */
  complete(outcomes: Outcomes, busyMs: number, slots: number): readonly number[] {
    const partials = this.inFlight.done(outcomes.partials)
    const failed = outcomes.failed.filter(({ index }) => this.inFlight.failed(index))
    const sent = this.combine ? combinedOf(partials, outcomes) : partials
    this.outcomes.add({ partials: sent, failed }, busyMs, this.holdMs(slots))
    return partials.indices
  }

  /** Removes and returns all chunks that do not run yet. */
  takeWaiting(): number[] {
    return [...this.waiting.clear(), ...this.shardRound.clear()]
  }
}

/** Failures of chunks that could not be loaded. */
export function loadFailures(indices: readonly number[], error: unknown): FailedChunk[] {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  return indices.map(index => ({ index, failure: { function: 'load', index, name, message, stack: '' } }))
}

/**
 * Returns the partials to send, with whole groups combined. The worker retains the uncombined partials, because the next leader may lack
 * only a part of a group.
 */
function combinedOf(told: IndexedPack, { partials, combined }: Outcomes): IndexedPack {
  // All partials of a group must be in one message.
  if (combined === undefined || told !== partials || told.indices.length > MAX_CHUNKS_A_MESSAGE) return told
  const sent = withCombined(partials, combined)
  return sent.bytes.byteLength <= MAX_PAYLOAD_BYTES ? sent : told
}
