import { type JobCheckpoint, resumeFrom } from '../../journal/checkpoint.ts'
import type { Channel, PeerIdString } from '../../network/types.ts'
import { filterIndexed, type IndexedPack, type Pack } from '../../tasks/values/pack.ts'
import { LogLineBatcher } from '../protocol/log-line-batcher.ts'
import type { FromLeaderSays, Submission, SubmitMessage } from '../protocol/submit-messages.ts'
import { MAX_PAYLOAD_BYTES } from '../protocol/wire-parts.ts'
import type { Folded, JobTerms } from '../scheduler/index.ts'
import type { ChunkRecord } from '../shared/chunk-record.ts'
import type { CodeKeeper, Runner } from '../shared/runner.ts'
import type { JobProgress, TaskLogLine } from '../shared/types.ts'
import { Checkpointer } from './checkpointer.ts'
import { JobExecution } from './job-execution.ts'
import { PartialDelivery } from './partial-delivery.ts'
import { StreamDriver } from './stream-driver.ts'

/** How much of a stream the leader should hold: what does not fit stays at the client, and is not read there. */
const STREAM_AHEAD = { chunks: 65_536, bytes: 8 * 2 ** 20 }
/** How many of its results may be on their way to the client while those behind them are made ready. */
const DELIVERED_AHEAD = { chunks: 16_384, bytes: 8 * 2 ** 20 }
/** A job whose clients are all gone for so long (ms) is cancelled, unless it is detached: nobody waits for it. */
const ORPHAN_MS = 10_000
/** How long (ms) workers keep what the client of a stream has, at most: to tell them each time would be many messages. */
const COVERED_MS = 100
/** A client that has so many bytes not yet read misses progress and log lines, never the outcome. */
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
  /** What it goes on from. */
  checkpoint: JobCheckpoint | undefined
  /** To be kept by others; `held` is called when they do. */
  onCheckpoint: (checkpoint: JobCheckpoint, held: () => void) => void
  /** The client of a stream has what was made of the items before `next`. */
  onCovered: (next: number) => void
  onOrphaned: () => void
}

/** A job at the leader: what drives it, what others keep of it, and who watches it. */
export class LeaderJob {
  readonly id: string
  readonly submission: Submission
  readonly execution: JobExecution
  readonly lines: LogLineBatcher<TaskLogLine>
  /** Tells it from other jobs that are submitted under the same id. */
  readonly submissionId: string
  /** When it came to this leader, by `performance.now()`. */
  readonly since = performance.now()
  /** What earlier leaders have folded. */
  from: Folded | undefined
  /** How many chunks some client knows to have been folded under earlier leaders. */
  seen = 0
  /** The scheduler knows the chunks before it: they have been split here, or were folded before. */
  splitEnd: number
  /** What has become of its chunks; undefined: it has not begun. */
  chunks: ChunkRecord | undefined
  /** The scheduler has it. */
  begun = false
  /** An earlier leader has had it. */
  resumed = false
  /** It survives this leader, and its clients have been told so. */
  accepted = false
  readonly #init: Omit<LeaderJobInit, 'checkpoint'>
  readonly #watchers = new Set<Channel<SubmitMessage>>()
  /** A stream needs none: what is folded of it, its client has. */
  readonly #checkpointer: Checkpointer | undefined
  /** Where a client reads the partials. */
  readonly #delivery: PartialDelivery | undefined
  /** Where the items of a stream come from. */
  readonly #stream: StreamDriver | undefined
  /** It goes on where its client says: until that has come, it has not begun. */
  awaitsClient = false
  /** How much of a stream its client has. */
  #covered = 0
  #coveredTimer: NodeJS.Timeout | undefined
  #orphanTimer: NodeJS.Timeout | undefined
  #orphaned = false
  #closed = false

  constructor(init: LeaderJobInit) {
    // A checkpoint may be large: it is not kept for as long as the job runs.
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
      // A reader that is gone tells by its channel's close.
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

  /** The client that submitted it to this leader; undefined: an earlier leader accepted it. */
  get submitter(): PeerIdString | undefined {
    return this.#init.submitter
  }

  /** Of its code and input. */
  get bytes(): number {
    return bytesOfSubmission(this.submission)
  }

  /** What the scheduler is told of it. */
  get terms(): JobTerms {
    const { retries, speculate, requires, priority, sha256 } = this.submission
    const terms = { retries, speculate, requires, priority }
    // What items take depends on what they are, and commands are all of one task.
    return this.#stream === undefined ? { ...terms, task: sha256 } : { ...terms, ahead: STREAM_AHEAD }
  }

  /** A stream goes on behind what its client has. */
  beginAt(next: number): void {
    this.from = { next, perPeer: {} }
    this.splitEnd = next
    this.#covered = next
    this.#delivery?.begin(next)
    this.#stream?.begin(next)
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
    this.#stream?.reads(channel)
  }

  /** The client of a stream brings items. */
  items(channel: Channel<SubmitMessage>, first: number, items: Pack, done: boolean): void {
    this.#stream?.receive(channel, first, items, done)
  }

  /** Partials have come: a reader who does not mind the order has them at once. */
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

  /** Whoever reads the partials needs none before `next` any more. */
  got(channel: Channel<SubmitMessage>, next: number): void {
    this.#delivery?.got(channel, next)
  }

  /** A watcher's channel broke: it may come back. */
  unwatch(channel: Channel<SubmitMessage>): void {
    this.#delivery?.gone(channel)
    this.#stream?.gone(channel)
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
    this.#delivery?.left(channel)
    if (this.#watchers.delete(channel) && this.#needsWatcher) this.#orphan()
  }

  get #needsWatcher(): boolean {
    return !this.submission.detach && this.#watchers.size === 0 && !this.#closed
  }

  #orphan(): void {
    this.#orphaned = true
    this.#init.onOrphaned()
  }

  /** Tells all watchers. */
  tell(says: FromLeaderSays): void {
    this.send({ job: this.id, epoch: this.#init.epoch, ...says })
  }

  send(message: SubmitMessage): void {
    // A watcher that is gone tells by its channel's close.
    for (const watcher of this.#watchers) watcher.send(message).catch(() => {})
  }

  /** Tells those who read what they are told; resolves when they have been sent it. */
  async #tellPatiently(says: FromLeaderSays): Promise<void> {
    const readers = [...this.#watchers].filter(({ pendingBytes }) => pendingBytes < SLOW_CLIENT_BYTES)
    await Promise.allSettled(readers.map(reader => reader.send({ job: this.id, epoch: this.#init.epoch, ...says })))
  }

  /** Tells the watchers, once they know that the job is accepted. */
  tellProgress(progress: JobProgress): void {
    if (this.accepted) void this.#tellPatiently({ type: 'progress', progress })
  }

  get isOver(): boolean {
    return this.#closed
  }

  /** For how long (ms) something of it has been folded that nobody else holds. Of a stream, its client does. */
  get checkpointAge(): number {
    return this.#checkpointer?.age ?? 0
  }

  /** Resolves when others hold all that is folded now. */
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

/** The bytes of its code and input. */
export function bytesOfSubmission({ code, input }: Submission): number {
  return code.byteLength + input.byteLength
}
