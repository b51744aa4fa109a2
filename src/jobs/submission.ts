/** A job as its client sees it, whoever leads: it follows the leader and hands the job to the next one. */
import { setTimeout as delay } from 'node:timers/promises'
import { TypedEventEmitter } from 'main-event'
import { deferred } from '../deferred.ts'
import { JobCancelledError, JobFailedError, NoClusterError, P2pWorkerError } from '../errors.ts'
import type { AbortOptions, Channel, PeerIdString } from '../network/types.ts'
import { decode } from '../tasks/payload.ts'
import { describeFailure } from '../tasks/stack.ts'
import type { CoordinatorStats } from './coordinator-types.ts'
import { LeaderPatience, NO_LEADER_MS } from './leader-patience.ts'
import { type FollowedLeader, type LeaderSource, sameLeader, waitForLeader } from './leader-source.ts'
import {
  type FromLeaderSays,
  isToLeader,
  type JobOutcome,
  type Submission,
  type SubmissionContent,
  type SubmitMessage
} from './submit-messages.ts'
import type { Job, JobEvents, JobProgress, JobState, JobStats } from './types.ts'

/** Before the same leader is asked again, in ms; doubles up to the second. */
const RETRY_MS = 50
const MAX_RETRY_MS = 1_000

export interface SubmissionInit {
  id: string
  submission: Submission
  /** The folder of the task's file: stacks point into it. */
  folder: string
  leaderSource: LeaderSource
  /** Opens the channel to the leader. */
  open(leader: PeerIdString, options: AbortOptions): Promise<Channel<SubmitMessage>>
  onState(state: JobState, leader: PeerIdString | undefined): void
}

export class JobSubmission<Result> extends TypedEventEmitter<JobEvents> implements Job<Result> {
  readonly id: string
  readonly #init: SubmissionInit
  readonly #startedAt = performance.now()
  readonly #accepted = deferred<void>()
  readonly #result = deferred<Result>()
  /** Aborts when the job has ended, as this client sees it. */
  readonly #over = new AbortController()
  #progress: JobProgress = { state: 'accepted', done: 0, total: undefined, peers: 0, retries: 0 }
  #stats: JobStats | undefined
  #channel: Channel<SubmitMessage> | undefined
  /** Ends the wait at the present leader. */
  #moveOn: () => void = () => {}
  /** The leadership that the job is being handed to. */
  #followed: FollowedLeader | undefined
  #acceptedBy: FollowedLeader | undefined
  readonly #patience = new LeaderPatience()
  #cancelling = false
  #recomputed = 0
  /** Retries under earlier leaders. */
  #earlierRetries = 0

  constructor(init: SubmissionInit) {
    super()
    this.id = init.id
    this.#init = init
    // The job may fail while nobody waits for its result.
    this.#result.promise.catch(() => {})
    this.#accepted.promise.catch(() => {})
    void this.#follow()
  }

  get progress(): JobProgress {
    return { ...this.#progress, retries: this.#progress.retries + this.#earlierRetries }
  }

  get stats(): JobStats | undefined {
    return this.#stats
  }

  get content(): SubmissionContent {
    return this.#init.submission
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
    if (signal === undefined) return this.#result.promise
    signal.throwIfAborted()
    const aborted = deferred<never>()
    const abort = (): void => aborted.reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await Promise.race([this.#result.promise, aborted.promise])
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  async cancel(): Promise<void> {
    if (this.#over.signal.aborted) return
    if (!this.#cancelling) {
      this.#cancelling = true
      // A leader that has not been told of the job need not be told of its end.
      if (this.#channel === undefined) this.#endCancelled(undefined)
      else this.#channel.send({ job: this.id, type: 'cancel' }).catch(() => this.#moveOn())
    }
    await this.#result.promise.catch(() => {})
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel()
  }

  /** This process stops: the leader is told, and ends the job unless somebody else waits for it. */
  abandon(reason: Error): void {
    if (this.#over.signal.aborted) return
    this.#channel?.send({ job: this.id, type: 'leave' }).catch(() => {})
    this.#fail('cancelled', reason, undefined)
  }

  handle(message: SubmitMessage, channel: Channel<SubmitMessage>): void {
    if (channel !== this.#channel || this.#over.signal.aborted) return
    if (isToLeader(message)) return
    if (message.type === 'not-leader') this.#moveOn()
    // What an earlier leadership of the same peer still had to say is of no interest. (The epochs of different peers tell
    // nothing: a cluster that was started anew, or the other side of a cut, counts from where it is.)
    else if (message.epoch >= (this.#followed?.epoch ?? 0)) this.#hear(message, channel.remote)
  }

  closed(channel: Channel<SubmitMessage>): void {
    if (channel === this.#channel) this.#moveOn()
  }

  #hear(message: FromLeaderSays & { epoch: number }, leader: PeerIdString): void {
    switch (message.type) {
      case 'accepted':
        this.#onAccepted({ id: leader, epoch: message.epoch })
        break
      case 'progress':
        this.#setProgress(message.progress)
        break
      case 'log':
        for (const detail of message.lines) this.dispatchEvent(new CustomEvent('log', { detail }))
        break
      case 'refused':
        this.#fail('failed', new P2pWorkerError(`the leader refused job ${this.id}: ${message.reason}`), undefined)
        break
      default:
        this.#end(message)
    }
  }

  #onAccepted(leader: FollowedLeader): void {
    if (this.#acceptedBy !== undefined && !sameLeader(this.#acceptedBy, leader)) {
      this.#recomputed += this.#progress.done
      this.#earlierRetries += this.#progress.retries
      this.#setProgress({ state: 'accepted', done: 0, total: undefined, peers: 0, retries: 0 })
    }
    this.#acceptedBy = leader
    this.#accepted.resolve()
    this.#init.onState('accepted', leader.id)
  }

  #setProgress(progress: JobProgress): void {
    const before = this.#progress.state
    this.#progress = progress
    if (progress.state !== before && progress.state === 'running') this.#init.onState('running', this.#channel?.remote)
    this.dispatchEvent(new CustomEvent('progress', { detail: this.progress }))
  }

  #end(outcome: JobOutcome): void {
    if (outcome.type === 'cancelled') {
      this.#endCancelled(outcome.stats)
      return
    }
    if (outcome.type === 'failed') {
      const { failure } = outcome
      const { message, stack } = describeFailure(failure, this.#init.folder)
      const detail = { jobId: this.id, function: failure.function, index: failure.index, taskStack: stack }
      this.#fail('failed', new JobFailedError(message, detail), outcome.stats)
      return
    }
    try {
      // What finish returned is what the task's type says it returns.
      const result = decode(outcome.result, 'result') as Result
      this.#settle('completed', outcome.stats)
      this.#result.resolve(result)
    } catch (error) {
      this.#fail('failed', error, outcome.stats)
    }
  }

  #endCancelled(stats: CoordinatorStats | undefined): void {
    this.#fail('cancelled', new JobCancelledError(`job ${this.id} was cancelled`), stats)
  }

  #fail(state: 'failed' | 'cancelled', error: unknown, stats: CoordinatorStats | undefined): void {
    this.#settle(state, stats)
    this.#accepted.reject(error)
    this.#result.reject(error)
  }

  #settle(state: 'completed' | 'failed' | 'cancelled', stats: CoordinatorStats | undefined): void {
    const elapsedMs = performance.now() - this.#startedAt
    const { chunks = 0, retries = this.#progress.retries, perPeer = {} } = stats ?? {}
    const [recomputed, speculated] = [this.#recomputed, 0]
    this.#stats = { chunks, retries: retries + this.#earlierRetries, recomputed, speculated, elapsedMs, perPeer }
    const whole = state === 'completed' ? { done: chunks, total: chunks } : {}
    this.#progress = { ...this.#progress, ...whole, state, peers: 0, retries }
    this.#over.abort(new Error(`job ${this.id} is over`))
    this.dispatchEvent(new CustomEvent('progress', { detail: this.progress }))
    this.#init.onState(state, this.#channel?.remote)
  }

  /** Hands the job to whoever leads, until it has ended. */
  async #follow(): Promise<void> {
    const { signal } = this.#over
    let pause = RETRY_MS
    while (!signal.aborted) {
      let leader: FollowedLeader | undefined
      try {
        leader = await this.#leader()
        await this.#submitTo(leader)
        pause = RETRY_MS
      } catch (error) {
        if (error instanceof NoClusterError && !signal.aborted) this.#fail('failed', error, undefined)
      }
      this.#channel = undefined
      if (signal.aborted) return
      // The leader that was told to cancel is gone, and no other will hear of the job.
      if (this.#cancelling) return this.#endCancelled(undefined)
      if (!sameLeader(leader, this.#init.leaderSource.leader())) continue
      await delay(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(MAX_RETRY_MS, pause * 2)
    }
  }

  async #leader(): Promise<FollowedLeader> {
    const { leaderSource } = this.#init
    const { signal } = this.#over
    // Once it was accepted, the job is on its way, and its client waits as long as it likes.
    if (this.#acceptedBy !== undefined) return waitForLeader(leaderSource, { signal })
    const limit = AbortSignal.timeout(NO_LEADER_MS)
    try {
      return await waitForLeader(leaderSource, { signal: AbortSignal.any([signal, limit]) })
    } catch (cause) {
      if (!limit.aborted || signal.aborted) throw cause
      const message = `the cluster has had no leader for ${NO_LEADER_MS / 1_000} s: is there a peer whose role is not worker?`
      throw new NoClusterError(message, { cause })
    }
  }

  async #open(leader: FollowedLeader, signal: AbortSignal): Promise<Channel<SubmitMessage>> {
    this.#patience.calls(leader)
    try {
      const channel = await this.#init.open(leader.id, { signal })
      this.#patience.reached()
      return channel
    } catch (error) {
      // As with a leader that is missing, a job that was accepted once is not given up.
      if (this.#acceptedBy === undefined && !signal.aborted) this.#patience.failed(error)
      throw error
    }
  }

  /** Submits to one leader; resolves when that leader is not the one to wait for any more, or the job is over. */
  async #submitTo(leader: FollowedLeader): Promise<void> {
    const { id, submission, leaderSource } = this.#init
    const attempt = new AbortController()
    this.#moveOn = () => attempt.abort()
    this.#followed = leader
    const signal = AbortSignal.any([this.#over.signal, attempt.signal])
    const unsubscribe = leaderSource.subscribe(() => {
      const now = leaderSource.leader()
      // Without a leader, the old one is still the best to ask: the news may come late.
      if (now !== undefined && !sameLeader(now, leader)) this.#moveOn()
    })
    try {
      const channel = await this.#open(leader, signal)
      this.#channel = channel
      await channel.send({ job: id, type: 'submit', submission }, { signal })
      if (channel.closed.aborted || signal.aborted) return
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
    } finally {
      unsubscribe()
      this.#moveOn = () => {}
    }
  }
}
