import { type JobCheckpoint, resumeFrom } from '../../journal/checkpoint.ts'
import type { Channel, PeerIdString } from '../../network/types.ts'
import { filterIndexed, type IndexedPack, type Pack } from '../../tasks/values/pack.ts'
import { LogLineBatcher } from '../protocol/log-line-batcher.ts'
import {
  bytesOfSubmission,
  type FromLeaderSays,
  type Submission,
  type SubmitMessage
} from '../protocol/submit-messages.ts'
import { MAX_PAYLOAD_BYTES } from '../protocol/wire-parts.ts'
import type { Folded, JobTerms } from '../scheduler/index.ts'
import type { ChunkRecord } from '../shared/chunk-record.ts'
import type { CodeKeeper, Runner } from '../shared/runner.ts'
import type { JobDurability, JobProgress, TaskLogLine } from '../shared/types.ts'
import { Checkpointer } from './checkpointer.ts'
import { JobExecution } from './job-execution.ts'
import { PartialDelivery } from './partial-delivery.ts'
import { StreamDriver } from './stream-driver.ts'

/** The most chunks and bytes of a stream that the leader reads ahead. The client does not read later items yet. */
const STREAM_AHEAD = { chunks: 65_536, bytes: 8 * 2 ** 20 }
/** The most unacknowledged results of an ordered stream, in chunks and in bytes, while later results are folded. */
const DELIVERED_AHEAD = { chunks: 16_384, bytes: 8 * 2 ** 20 }
/** After this time (ms) without a client a job is cancelled, unless the job is detached. */
const ORPHAN_MS = 10_000
/**
 * The longest time that workers keep results that the client of a stream already has, in ms. Acknowledging each single
 * result to the workers would take too many messages.
 */
const COVERED_MS = 100
/** A client with more unread bytes than this gets no progress and no log lines, but still gets the outcome. */
const SLOW_CLIENT_BYTES = 4 * 2 ** 20

export interface LeaderJobInit {
  id: string
  submissionId: string
  submission: Submission
  submitter: PeerIdString | undefined
  epoch: number
  self: PeerIdString
  slots: number
  runner: Runner
  codeStore: CodeKeeper
  /** The checkpoint that the job resumes from. `undefined` if the job begins. */
  checkpoint: JobCheckpoint | undefined
  /** Replicates a checkpoint. Calls `held` when the checkpoint is replicated. */
  onCheckpoint: (checkpoint: JobCheckpoint, held: () => void) => void
  /** Called when the client of a stream has the results of the items before `next`. */
  onCovered: (next: number) => void
  onOrphaned: () => void
}

/** A job at the leader: its execution, its checkpoints, and the clients that watch it. */
export class LeaderJob {
  readonly id: string
  readonly submission: Submission
  readonly execution: JobExecution
  readonly lines: LogLineBatcher<TaskLogLine>
  /** Distinguishes this job from other submissions with the same id. */
  readonly submissionId: string
  /** When the job arrived at this leader, by `performance.now()`. */
  readonly since = performance.now()
  /** The chunks that earlier leaders have folded. `undefined` if earlier leaders have folded no chunk. */
  from: Folded | undefined
  /** The largest number of chunks that, according to a client, earlier leaders have folded. */
  seen = 0
  /** The index before which all chunks were split by this leader or folded by earlier leaders. */
  splitEnd: number
  /** The state of each chunk. `undefined` before the job begins. */
  chunks: ChunkRecord | undefined
  /** Whether the scheduler has the job. */
  begun = false
  /** Whether an earlier leader had the job. */
  resumed = false
  /** Whether the job is replicated and the clients have received `accepted`. */
  accepted = false
  readonly #init: Omit<LeaderJobInit, 'checkpoint'>
  readonly #watchers = new Set<Channel<SubmitMessage>>()
  /** Takes the checkpoints of the job. `undefined` for a stream, because the client of a stream has all folded results. */
  readonly #checkpointer: Checkpointer | undefined
  /** Delivers the partials to a client. `undefined` if no client reads the partials. */
  readonly #delivery: PartialDelivery | undefined
  /** Receives the items of a stream. `undefined` for other jobs. */
  readonly #stream: StreamDriver | undefined
  /** Whether the job is a resumed stream that waits until its client reports its position. */
  awaitsClient = false
  /** Number of leading results that a stream's client has. */
  #covered = 0
  #coveredTimer: NodeJS.Timeout | undefined
  #orphanTimer: NodeJS.Timeout | undefined
  #abandoned = false
  /** Why the job does not begin, as the clients were told. */
  refusal: Extract<FromLeaderSays, { type: 'refused' }> | undefined
  #closed = false

  constructor(init: LeaderJobInit) {
    // A checkpoint may be large, so the job does not keep the checkpoint.
    const { checkpoint, ...rest } = init
    this.#init = rest
    const { id, submission, submitter, self, slots, runner, codeStore } = rest
    this.id = id
    this.submissionId = init.submissionId
    this.submission = submission
    this.from = checkpoint && { next: checkpoint.next, perPeer: checkpoint.perPeer }
    this.splitEnd = checkpoint?.next ?? 0
    this.lines = new LogLineBatcher(lines => this.#tellPatiently({ type: 'log', lines }))
    const send = (reader: Channel<SubmitMessage>, says: FromLeaderSays): void => {
      // The send fails if the reader is gone. The closing of its channel reports that.
      reader.send({ job: id, epoch: init.epoch, ...says }).catch(() => {})
    }
    const sendAll = (reader: Channel<SubmitMessage>, got: number): void => {
      for (const outputs of this.execution.unfolded(got, this.splitEnd)) send(reader, { type: 'outputs', outputs })
    }
    this.#delivery = submission.partials
      ? new PartialDelivery({
          from: checkpoint?.next ?? 0,
          awayMs: ORPHAN_MS,
          send,
          ...(submission.stream && { onRead: next => this.#cover(next) }),
          ...(submission.stream === 'ordered' && { ahead: DELIVERED_AHEAD }),
          ...(submission.stream === 'unordered' && { sendAll })
        })
      : undefined
    this.#stream = submission.stream && new StreamDriver({ send, drained: async () => this.#delivery?.drained() })
    this.execution = new JobExecution({
      id,
      submission,
      submitter,
      slots,
      runner,
      codeStore,
      resume: checkpoint && resumeFrom(checkpoint),
      driver: this.#stream,
      onLog: line => this.lines.add({ ...line, peer: self }),
      deliver: (first, partials) => this.#delivery?.deliver(first, partials),
      onFolded: (state, folded) => this.#checkpointer?.folded(state, folded)
    })
    if (this.#stream !== undefined) return
    this.#checkpointer = new Checkpointer({
      from: checkpoint,
      mostBytes: MAX_PAYLOAD_BYTES - this.bytes,
      take: () => this.execution.checkpoint(),
      write: init.onCheckpoint
    })
  }

  /** The client that submitted the job to this leader. `undefined` if an earlier leader accepted the job. */
  get submitter(): PeerIdString | undefined {
    return this.#init.submitter
  }

  /** Bytes of the job's code and input. */
  get bytes(): number {
    return bytesOfSubmission(this.submission)
  }

  /** The terms of the job for the scheduler. */
  get terms(): JobTerms {
    const { retries, speculate, requires, priority, sha256 } = this.submission
    const terms = { retries, speculate, requires, priority }
    // All command streams share one task, and durations depend on the items, so a stream has no `task` to learn
    // durations by.
    return this.#stream === undefined ? { ...terms, task: sha256 } : { ...terms, ahead: STREAM_AHEAD }
  }

  /** Starts a stream at the first result that its client does not have. */
  beginAt(next: number): void {
    this.from = { next, perPeer: {} }
    this.splitEnd = next
    this.#covered = next
    this.#delivery?.begin(next)
    this.#stream?.begin(next)
  }

  /** Whether the job ends without an outcome: no client waits for the job, or the job was refused. */
  get abandoned(): boolean {
    return this.#abandoned
  }

  /** Tells the clients that the job does not begin. */
  refuse(says: Extract<FromLeaderSays, { type: 'refused' }>): void {
    this.#abandoned = true
    this.refusal = says
    this.tell(says)
  }

  watch(channel: Channel<SubmitMessage>): void {
    // The channel may have closed while the client's message was queued.
    if (channel.closed.aborted) return
    clearTimeout(this.#orphanTimer)
    this.#orphanTimer = undefined
    this.#watchers.add(channel)
  }

  /** Lets a client of the job read the partials from `got` on, if the submission asked for partials. */
  reads(channel: Channel<SubmitMessage>, got: number): void {
    this.#delivery?.reads(channel, got)
    this.#stream?.reads(channel)
  }

  /** Handles that the client of a stream sends items. */
  items(channel: Channel<SubmitMessage>, first: number, items: Pack, done: boolean): void {
    this.#stream?.receive(channel, first, items, done)
  }

  /** Sends new partials at once to the reader of an unordered stream. */
  tellOutputs(partials: IndexedPack, positions: readonly number[]): void {
    const reader = this.submission.stream === 'unordered' ? this.#delivery?.reader : undefined
    if (reader === undefined || positions.length === 0) return
    const kept = new Set(positions)
    const outputs = filterIndexed(partials, (_, position) => kept.has(position))
    reader.send({ job: this.id, epoch: this.#init.epoch, type: 'outputs', outputs }).catch(() => {})
  }

  #cover(next: number): void {
    this.#covered = next
    this.#coveredTimer ??= setTimeout(() => {
      this.#coveredTimer = undefined
      this.#init.onCovered(this.#covered)
    }, COVERED_MS)
  }

  /** Records that the reader has the partials before `next`. */
  got(channel: Channel<SubmitMessage>, next: number): void {
    this.#delivery?.got(channel, next)
  }

  /** Records that the channel of a watcher has closed. The client may reconnect. */
  unwatch(channel: Channel<SubmitMessage>): void {
    this.#delivery?.gone(channel)
    this.#stream?.gone(channel)
    if (this.#watchers.delete(channel)) this.awaitWatcher()
  }

  /** Cancels the job after ORPHAN_MS, unless a client watches the job then. */
  awaitWatcher(): void {
    if (!this.#needsWatcher) return
    clearTimeout(this.#orphanTimer)
    this.#orphanTimer = setTimeout(() => this.#orphan(), ORPHAN_MS)
  }

  /** Records that a watcher has left and will not return. */
  leave(channel: Channel<SubmitMessage>): void {
    this.#delivery?.left(channel)
    if (this.#watchers.delete(channel) && this.#needsWatcher) this.#orphan()
  }

  get #needsWatcher(): boolean {
    return !this.submission.detach && this.#watchers.size === 0 && !this.#closed
  }

  #orphan(): void {
    this.#abandoned = true
    this.#init.onOrphaned()
  }

  /** Sends a message to all watchers. */
  tell(says: FromLeaderSays): void {
    this.send({ job: this.id, epoch: this.#init.epoch, ...says })
  }

  send(message: SubmitMessage): void {
    // The send fails if the watcher is gone. The closing of its channel reports that.
    for (const watcher of this.#watchers) watcher.send(message).catch(() => {})
  }

  /** Sends a message to the watchers that have few unread bytes. Resolves when the messages are sent. */
  async #tellPatiently(says: FromLeaderSays): Promise<void> {
    const readers = [...this.#watchers].filter(({ pendingBytes }) => pendingBytes < SLOW_CLIENT_BYTES)
    await Promise.allSettled(readers.map(reader => reader.send({ job: this.id, epoch: this.#init.epoch, ...says })))
  }

  /** Tells the watchers at how many peers the job is held. They hear of it with `accepted` the first time. */
  tellHeld(durability: JobDurability): void {
    if (this.accepted) this.tell({ type: 'durability', durability })
  }

  /** Sends progress to the watchers. Drops the progress while the watchers have not received `accepted`. */
  tellProgress(progress: JobProgress): void {
    if (this.accepted) void this.#tellPatiently({ type: 'progress', progress })
  }

  get isOver(): boolean {
    return this.#closed
  }

  /**
   * For how long (ms) folded partials have been in no replicated checkpoint. 0 for a stream: its client has the
   * results.
   */
  get checkpointAge(): number {
    return this.#checkpointer?.age ?? 0
  }

  /** Resolves when replicas hold all partials folded so far. */
  async checkpoint(): Promise<void> {
    await this.#checkpointer?.flush()
  }

  /** Frees the thread and the payloads. */
  close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#orphanTimer)
    this.lines.stop()
    this.#checkpointer?.stop()
    clearTimeout(this.#coveredTimer)
    this.#delivery?.stop(new Error(`job ${this.id} is over`))
    return this.execution.close()
  }
}
