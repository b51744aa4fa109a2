/** Keeps a client with whoever leads: says to one leader after the other what it wants, for as long as it wants it. */

import { NoClusterError } from '../../common/errors.ts'
import { signalAfter } from '../../lib/abort.ts'
import { Backoff } from '../../lib/backoff.ts'
import type { AbortOptions, Channel, PeerIdString } from '../../network/types.ts'
import type { SubmitMessage, ToLeaderSays } from '../protocol/submit-messages.ts'
import { type FollowedLeader, type LeaderSource, sameLeader, waitForLeader } from './leader-source.ts'
import { LeaderTimeout, NO_LEADER_MS } from './leader-timeout.ts'

/** Before the same leader is asked again, in ms; doubles up to the second. */
const RETRY_MS = 50
const MAX_RETRY_MS = 1_000

export interface LeaderFollowerInit {
  /** The job that it is about. */
  job: string
  leaderSource: LeaderSource
  /** Opens the channel to the leader. */
  open(leader: PeerIdString, options: AbortOptions): Promise<Channel<SubmitMessage>>
  /** What is said to a leader first. */
  hello(): ToLeaderSays
  /** Aborts when nothing is wanted of any leader any more. */
  over: AbortSignal
  /** There was no leader to talk to for too long, unless it is patient. */
  onGivenUp(error: NoClusterError): void
}

export class LeaderFollower {
  readonly #init: LeaderFollowerInit
  readonly #patience = new LeaderTimeout()
  #channel: Channel<SubmitMessage> | undefined
  #leader: FollowedLeader | undefined
  #hasTold = false
  /** Whether it waits for a leader for as long as it takes. */
  patient = false
  /** Ends the wait at the present leader, or for one. */
  #moveOn: () => void = () => {}

  constructor(init: LeaderFollowerInit) {
    this.#init = init
  }

  /** To the leader that has been told what is wanted. */
  get channel(): Channel<SubmitMessage> | undefined {
    return this.#channel
  }

  /** The leadership that is, or was last, asked. */
  get leader(): FollowedLeader | undefined {
    return this.#leader
  }

  /** Whether some leader may have heard of the job. */
  get hasTold(): boolean {
    return this.#hasTold
  }

  start(): void {
    void this.#follow()
  }

  /** Says something more to the leader; a channel that breaks leads to the next hello. */
  say(says: ToLeaderSays): void {
    if (this.#channel === undefined) this.#moveOn()
    else this.#channel.send({ job: this.#init.job, ...says }).catch(() => this.#moveOn())
  }

  /** Says hello once more, where a leader has been told. */
  greet(): void {
    if (this.#channel !== undefined) this.say(this.#init.hello())
  }

  /** This leader is not the one to ask any more. */
  moveOn(): void {
    this.#moveOn()
  }

  closed(channel: Channel<SubmitMessage>): void {
    if (channel === this.#channel) this.#moveOn()
  }

  async #follow(): Promise<void> {
    const { over, leaderSource } = this.#init
    const backoff = new Backoff(RETRY_MS, MAX_RETRY_MS)
    while (!over.aborted) {
      const attempt = new AbortController()
      this.#moveOn = () => attempt.abort()
      let leader: FollowedLeader | undefined
      try {
        leader = await this.#findLeader(AbortSignal.any([over, attempt.signal]))
        await this.#stayWith(leader, attempt)
        backoff.reset()
      } catch (error) {
        if (error instanceof NoClusterError && !over.aborted) this.#init.onGivenUp(error)
      }
      this.#moveOn = () => {}
      this.#channel = undefined
      if (over.aborted) return
      if (!sameLeader(leader, leaderSource.leader())) continue
      await backoff.wait(over).catch(() => {})
    }
  }

  async #findLeader(signal: AbortSignal): Promise<FollowedLeader> {
    const { leaderSource } = this.#init
    if (this.patient) return waitForLeader(leaderSource, { signal })
    const limit = signalAfter(NO_LEADER_MS)
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
      // As with a leader that is missing.
      if (!this.patient && !signal.aborted) this.#patience.failed(error)
      throw error
    }
  }

  /** Says hello to one leader; resolves when that leader is not the one to wait for any more, or nothing is wanted any more. */
  async #stayWith(leader: FollowedLeader, attempt: AbortController): Promise<void> {
    const { job, over, leaderSource } = this.#init
    this.#leader = leader
    const signal = AbortSignal.any([over, attempt.signal])
    const unsubscribe = leaderSource.subscribe(() => {
      const now = leaderSource.leader()
      // Without a leader, the old one is still the best to ask: the news may come late.
      if (now !== undefined && !sameLeader(now, leader)) attempt.abort()
    })
    try {
      const channel = await this.#open(leader, signal)
      this.#channel = channel
      this.#hasTold = true
      await channel.send({ job, ...this.#init.hello() }, { signal })
      if (channel.closed.aborted || signal.aborted) return
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
    } finally {
      unsubscribe()
    }
  }
}
