/** The view that a client has of its job, under any leader. */
import { TypedEventEmitter } from 'main-event'
import pDefer from 'p-defer'
import {
  InvalidOptionError,
  JobCancelledError,
  JobSuspendedError,
  NoClusterError,
  NoRoomError,
  NoSuchJobError,
  NotAdmittedError,
  NotDurableError,
  P2pWorkerError,
  StoppedError
} from '../../common/errors.ts'
import { orAborted } from '../../lib/abort.ts'
import type { AbortOptions, Channel, PeerIdString } from '../../network/types.ts'
import { decode, encode } from '../../tasks/values/payload.ts'
import {
  type Busy,
  type FromLeaderSays,
  type Hello,
  isToLeader,
  type JobOutcome,
  type SubmissionContent,
  type SubmitMessage,
  type ToLeaderSays
} from '../protocol/submit-messages.ts'
import type { SchedulerStats } from '../scheduler/index.ts'
import { jobFailed, lastProgress, NOTHING_DONE } from '../shared/job-end.ts'
import type { Job, JobDurability, JobEvents, JobProgress, JobState, JobStats } from '../shared/types.ts'
import type { ItemSource } from './item-source.ts'
import { LeaderFollower } from './leader-follower.ts'
import { type FollowedLeader, type LeaderSource, sameLeader } from './leader-source.ts'
import { PartialStream } from './partial-stream.ts'
import { UnorderedResults } from './unordered-results.ts'

export interface ClientJobInit {
  id: string
  /** The first message that the client sends to each leader. */
  hello: Hello
  /** Whether the client cancels the job if the job is suspended. Default false. */
  cancelsSuspended?: boolean
  /** The folder of the task's file. Error stacks point to this folder. `undefined` if the folder is unknown. */
  folder: string | undefined
  /** The source of the items of a stream. `undefined` if the job is no stream. */
  items?: ItemSource<unknown> | undefined
  leaderSource: LeaderSource
  /** Opens the channel to the leader. */
  open(leader: PeerIdString, options: AbortOptions): Promise<Channel<SubmitMessage>>
  onState(state: JobState, leader: PeerIdString | undefined): void
  /** Called when the leader has no room for the submission. {@link ClientJob.again} submits the job again. An attached job has no handler. */
  onBusy?(busy: Busy): void
  /**
   * Whether no other Job of this process has this id. Jobs with the same id share a channel, and a `leave` on this
   * channel ends all Jobs with this id.
   */
  isAlone(): boolean
}

export class ClientJob<Result, Partial = unknown> extends TypedEventEmitter<JobEvents> implements Job<Result, Partial> {
  readonly id: string
  readonly #init: ClientJobInit
  readonly #startedAt = performance.now()
  readonly #accepted = pDefer<void>()
  readonly #completed = pDefer<void>()
  /** The encoded result, until the first caller of `result()` decodes it. */
  #encoded: Uint8Array | undefined
  #result: Promise<Result> | undefined
  /** Aborts when this client has learned that the job has ended. */
  readonly #over = new AbortController()
  #progress = NOTHING_DONE
  #stats: JobStats | undefined
  #durability: JobDurability | undefined
  readonly #follower: LeaderFollower<SubmitMessage>
  #acceptedBy: FollowedLeader | undefined
  #cancelling = false
  /** The counts of the job under earlier leaders. */
  readonly #earlier = { retries: 0, recomputed: 0, speculated: 0 }
  /** The largest number of folded chunks that any leader has reported. */
  #seen = 0
  /** `undefined` if the submission did not ask for the partials. */
  readonly #partials: PartialStream<Partial> | UnorderedResults<Partial> | undefined

  constructor(init: ClientJobInit) {
    super()
    this.id = init.id
    this.#init = init
    // Without a handler, the failure of a job that no caller awaits would be an unhandled rejection.
    this.#completed.promise.catch(() => {})
    this.#accepted.promise.catch(() => {})
    if (init.hello.type === 'submit' && init.hello.submission.partials) {
      const onGot = (next: number): void => {
        // If there is no channel, the hello to the next leader contains the position.
        if (this.#follower.channel !== undefined) this.#say({ type: 'got', next })
      }
      const { stream } = init.hello.submission
      this.#partials = stream === 'unordered' ? new UnorderedResults(onGot) : new PartialStream(onGot)
    }
    this.#follower = new LeaderFollower({
      leaderSource: init.leaderSource,
      open: init.open,
      // Until the next leader receives the cancel, the next leader continues the job.
      hello: () => {
        if (this.#cancelling) return [{ job: init.id, type: 'cancel' }]
        // A stream resumes after the results that have arrived: the client has dropped the items before them.
        const got = (init.items === undefined ? this.#partials?.got : this.#partials?.received) ?? 0
        init.items?.forget(got)
        return [{ job: init.id, ...init.hello, seen: this.#seen, got }]
      },
      over: this.#over.signal,
      onGivenUp: error => this.#onGivenUp(error)
    })
    this.#follower.start()
  }

  get progress(): JobProgress {
    const now = this.#progress
    const { retries, recomputed, speculated } = this.#earlier
    return {
      ...now,
      retries: now.retries + retries,
      recomputed: now.recomputed + recomputed,
      speculated: now.speculated + speculated
    }
  }

  get stats(): JobStats | undefined {
    return this.#stats
  }

  get durability(): JobDurability | undefined {
    return this.#durability
  }

  /** The submitted content; `undefined` if this client attached to a job that another client submitted. */
  get content(): SubmissionContent | undefined {
    const { hello } = this.#init
    return hello.type === 'submit' ? hello.submission : undefined
  }

  /** Resolves when a leader has accepted the job. */
  accepted(): Promise<void> {
    return this.#accepted.promise
  }

  /** Aborts when the job has ended. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  async result({ signal }: AbortOptions = {}): Promise<Result> {
    await orAborted(this.#completed.promise, signal)
    this.#result ??= this.#decoded()
    return await this.#result
  }

  /** The encoded result, for callers that forward it: decoding can block this thread for seconds. */
  async encodedResult({ signal }: AbortOptions = {}): Promise<Uint8Array> {
    await orAborted(this.#completed.promise, signal)
    return this.#encoded ?? encode(await this.result(), 'result')
  }

  async #decoded(): Promise<Result> {
    const encoded = this.#encoded as Uint8Array
    this.#encoded = undefined
    // The type of the task declares the type that `finish` returns.
    return decode(encoded, 'result') as Result
  }

  partials(): AsyncIterable<Partial> {
    if (this.#partials !== undefined) return this.#partials
    throw new InvalidOptionError('the partials of this job were not asked for: submit it with `partials: true`')
  }

  async cancel(): Promise<void> {
    if (this.#over.signal.aborted) return
    if (!this.#cancelling) {
      this.#cancelling = true
      // A leader that never received the job needs no cancel message.
      if (!this.#follower.hasTold) this.#endCancelled(undefined)
      else {
        this.#follower.patient = false
        this.#say({ type: 'cancel' })
      }
    }
    await this.#completed.promise.catch((error: unknown) => {
      if (error instanceof NoClusterError) throw error
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#outlivesClient) return this.cancel()
    this.abandon(
      new StoppedError(`job ${this.id} goes on, but this process no longer waits for it: its Job was disposed of`)
    )
  }

  /**
   * Stops waiting for the job, and tells the leader. The leader ends the job unless the job is detached or another client
   * waits for the job.
   */
  abandon(reason: Error): void {
    if (this.#over.signal.aborted) return
    if (this.#init.isAlone()) this.#say({ type: 'leave' })
    if (!this.#outlivesClient) {
      this.#fail('cancelled', reason, undefined)
      return
    }
    this.#letGo(reason)
  }

  /** Ends this Job object without an outcome. The job in the cluster continues, or has ended. The last known progress remains. */
  #letGo(reason: Error): void {
    this.#over.abort(reason)
    this.#accepted.reject(reason)
    this.#completed.reject(reason)
    this.#partials?.end(undefined, reason)
  }

  /** Whether the job continues without this client: the client attached to it, or the job is detached. */
  get #outlivesClient(): boolean {
    const { hello } = this.#init
    return hello.type === 'watch' || hello.submission.detach
  }

  handle(message: SubmitMessage, channel: Channel<SubmitMessage>): void {
    if (channel !== this.#follower.channel || this.#over.signal.aborted) return
    if (isToLeader(message)) return
    if (message.type === 'not-leader') this.#follower.moveOn()
    // Messages of an earlier leadership of the same peer are stale. Epochs of different peers do not compare: a cluster
    // that restarted, or the other side of a partition, has its own count.
    else if (message.epoch >= (this.#follower.leader?.epoch ?? 0)) this.#hear(message, channel.remote)
  }

  closed(channel: Channel<SubmitMessage>): void {
    this.#follower.closed(channel)
  }

  #say(says: ToLeaderSays): void {
    this.#follower.say({ job: this.id, ...says })
  }

  /** Sends the hello again to the present leader if there is a channel. Otherwise the next leader receives a hello anyway. */
  again(): void {
    this.#follower.greet()
  }

  #hear(message: FromLeaderSays & { epoch: number }, leader: PeerIdString): void {
    switch (message.type) {
      case 'accepted':
        this.#onAccepted({ id: leader, epoch: message.epoch }, message)
        break
      case 'durability':
        this.#durability = message.durability
        break
      case 'progress':
        this.#setProgress(message.progress)
        break
      case 'partials':
        if (this.#partials instanceof PartialStream) this.#partials.receive(message.first, message.partials)
        this.#settleItems()
        break
      case 'outputs':
        if (this.#partials instanceof UnorderedResults) this.#partials.receive(message.outputs)
        this.#settleItems()
        break
      case 'wants':
        this.#init.items?.wanted(message.first, message.most, items => this.#say(items))
        break
      case 'log':
        for (const detail of message.lines) this.dispatchEvent(new CustomEvent('log', { detail }))
        break
      case 'unknown':
        if (this.content === undefined) this.#letGo(new NoSuchJobError(this.id, message.end))
        break
      case 'busy':
        this.#init.onBusy?.(message)
        break
      case 'refused':
        if (message.notAdmitted === true) {
          const why = `the leader refused job ${this.id}: ${message.reason}: its owner can add that right to the list`
          this.#fail('failed', new NotAdmittedError(why), undefined)
          break
        }
        if (message.suspended === true) {
          this.#onSuspended()
          break
        }
        // The leader refuses another Job of this process, which has the same id and other content.
        if (this.content === undefined) break
        if (message.end !== undefined) {
          this.#letGo(new NoSuchJobError(this.id, message.end))
          break
        }
        this.#fail('failed', this.#refusal(message), undefined)
        break
      default:
        this.#end(message)
    }
  }

  #onSuspended(): void {
    const { hello, cancelsSuspended = false } = this.#init
    // The leader refuses another Job of this process with this id: the hello of this one resumes the job.
    if (hello.type === 'submit' || hello.resume === true) return
    // If no leader receives the cancel, `accepted()` rejects with the reason.
    if (cancelsSuspended) this.cancel().catch(() => {})
    else this.#letGo(new JobSuspendedError(this.id))
  }

  #refusal({ reason, noRoom, disks }: Extract<FromLeaderSays, { type: 'refused' }>): P2pWorkerError {
    const text = `the leader refused job ${this.id}: ${reason}`
    const { hello } = this.#init
    if (disks !== undefined && hello.type === 'submit')
      return new NotDurableError(text, { disks, durable: hello.submission.durable })
    return noRoom === true ? new NoRoomError(text) : new P2pWorkerError(text)
  }

  #settleItems(): void {
    if (this.#partials !== undefined) this.#init.items?.settled(this.#partials.received)
  }

  #onAccepted(
    leader: FollowedLeader,
    { folded, progress, durability }: Extract<FromLeaderSays, { type: 'accepted' }>
  ): void {
    this.#durability = durability
    if (this.#acceptedBy !== undefined && !sameLeader(this.#acceptedBy, leader)) {
      const { retries, recomputed, speculated } = this.#progress
      this.#earlier.retries += retries
      this.#earlier.recomputed += recomputed
      this.#earlier.speculated += speculated
      this.#setProgress({ ...NOTHING_DONE, done: folded })
    }
    this.#acceptedBy = leader
    // A leader has accepted the job, so the client waits for a leader without a time limit.
    this.#follower.patient = !this.#cancelling
    this.#accepted.resolve()
    this.#init.onState('accepted', leader.id)
    if (progress !== undefined) this.#setProgress(progress)
  }

  #setProgress(progress: JobProgress): void {
    const before = this.#progress.state
    this.#progress = progress
    this.#seen = Math.max(this.#seen, progress.done)
    if (progress.state !== before && progress.state === 'running')
      this.#init.onState('running', this.#follower.channel?.remote)
    this.dispatchEvent(new CustomEvent('progress', { detail: this.progress }))
  }

  #end(outcome: JobOutcome): void {
    // A client that attaches to an ended job receives only the end, never an `accepted`.
    if (this.content === undefined) this.#accepted.resolve()
    if (outcome.type === 'cancelled') {
      this.#endCancelled(outcome.stats)
      return
    }
    if (outcome.type === 'failed') {
      this.#fail('failed', jobFailed(this.id, outcome.failure, this.#init.folder), outcome.stats)
      return
    }
    this.#encoded = outcome.result
    this.#settle('completed', outcome.stats)
    this.#completed.resolve()
    this.#partials?.end(outcome.stats.chunks)
  }

  /**
   * Called when no leader answers. A job that this client wanted to cancel ends as cancelled, unless the job outlives its client.
   */
  #onGivenUp(error: NoClusterError): void {
    if (this.#cancelling && !this.#outlivesClient) this.#endCancelled(undefined)
    else this.#fail('failed', error, undefined)
  }

  #endCancelled(stats: SchedulerStats | undefined): void {
    this.#fail('cancelled', new JobCancelledError(`job ${this.id} was cancelled`), stats)
  }

  #fail(state: 'failed' | 'cancelled', error: unknown, stats: SchedulerStats | undefined): void {
    this.#settle(state, stats)
    this.#accepted.reject(error)
    this.#completed.reject(error)
    this.#partials?.end(undefined, error)
  }

  #settle(state: 'completed' | 'failed' | 'cancelled', stats: SchedulerStats | undefined): void {
    const elapsedMs = performance.now() - this.#startedAt
    this.#progress = lastProgress(this.#progress, state, stats)
    const { retries, recomputed, speculated } = this.progress
    const { chunks, perPeer } = stats ?? { chunks: 0, perPeer: {} }
    this.#stats = { chunks, retries, recomputed, speculated, elapsedMs, perPeer }
    this.#over.abort(new Error(`job ${this.id} is over`))
    this.dispatchEvent(new CustomEvent('progress', { detail: this.progress }))
    this.#init.onState(state, this.#follower.channel?.remote)
  }
}
