import type { Channel, PeerIdString } from '../network/types.ts'
import { type JobCheckpoint, resumeFrom } from './checkpoint.ts'
import { Checkpointer } from './checkpointer.ts'
import type { Folded } from './coordinator-types.ts'
import { Delivery } from './delivery.ts'
import { DrivenJob } from './driven-job.ts'
import { LineBuffer } from './line-buffer.ts'
import type { CodeKeeper, Runner } from './runner.ts'
import type { FromLeaderSays, Submission, SubmitMessage } from './submit-messages.ts'
import type { TaskLogLine } from './types.ts'
import { MAX_PAYLOAD_BYTES } from './wire-parts.ts'

/** A job whose clients are all gone for so long (ms) is cancelled, unless it is detached: nobody waits for it. */
const ORPHAN_MS = 10_000
/** A client that has so many bytes not yet read misses progress and log lines, never the outcome. */
const SLOW_CLIENT_BYTES = 4 * 2 ** 20

/** A job at the leader: what drives it, what others keep of it, and who watches it. */
export class LeaderJob {
  readonly id: string
  readonly submission: Submission
  readonly driven: DrivenJob
  readonly lines: LineBuffer<TaskLogLine>
  /** Tells it from other jobs that are submitted under the same id. */
  readonly birth: string
  /** What earlier leaders have folded. */
  readonly from: Folded | undefined
  /** How many chunks some client knows to have been folded under earlier leaders. */
  seen = 0
  /** The coordinator knows the chunks before it: they have been split here, or were folded before. */
  splitEnd: number
  /** What is known of it survives this leader: its clients may be told so. */
  accepted = false
  readonly #epoch: number
  readonly #watchers = new Set<Channel<SubmitMessage>>()
  readonly #checkpointer: Checkpointer
  /** Where a client reads the partials. */
  readonly #delivery: Delivery | undefined
  readonly #onOrphaned: () => void
  #orphanTimer: NodeJS.Timeout | undefined
  #orphaned = false
  #closed = false

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
      ? new Delivery({
          from: checkpoint?.next ?? 0,
          awayMs: ORPHAN_MS,
          send: (reader, says) => {
            // A reader that is gone tells by its channel's close.
            reader.send({ job: id, epoch: parts.epoch, ...says }).catch(() => {})
          }
        })
      : undefined
    this.driven = new DrivenJob({
      id,
      submission,
      slots,
      runner,
      codeStore,
      resume: checkpoint && resumeFrom(checkpoint),
      onLog: line => this.lines.add({ ...line, peer: self }),
      deliver: (first, partials) => this.#delivery?.deliver(first, partials),
      onFolded: (state, folded) => this.#checkpointer.folded(state, folded)
    })
    this.#checkpointer = new Checkpointer({
      from: checkpoint,
      mostBytes: MAX_PAYLOAD_BYTES - submission.code.byteLength - submission.input.byteLength,
      take: () => this.driven.checkpoint(),
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
    this.#delivery?.left(channel)
    if (this.#watchers.delete(channel) && this.#needsWatcher) this.#orphan()
  }

  get #needsWatcher(): boolean {
    return !this.submission.detach && this.#watchers.size === 0 && !this.#closed
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

  /** Resolves when others hold all that is folded now. */
  checkpoint(): Promise<void> {
    return this.#checkpointer.flush()
  }

  /** Frees the thread and the payloads. */
  close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#orphanTimer)
    this.lines.stop()
    this.#checkpointer.stop()
    this.#delivery?.stop(new Error(`job ${this.id} is over`))
    return this.driven.close()
  }
}
