/** Keeps a client connected to the present leader: greets one leader after the other until the client needs none any more. */
import { setTimeout as delay } from 'node:timers/promises'
import { NoClusterError } from '../../common/errors.ts'
import type { AbortOptions, Channel, PeerIdString } from '../../network/types.ts'
import { type FollowedLeader, type LeaderSource, sameLeader, waitForLeader } from './leader-source.ts'
import { LeaderTimeout, leaderInTime } from './leader-timeout.ts'

/** The pause before the client asks the same leader again, in ms. Each retry doubles the pause, up to MAX_RETRY_MS. */
const RETRY_MS = 50
const MAX_RETRY_MS = 1_000
/** No caller sees this reason. Without one, each abort would create an error with a stack. */
const MOVES_ON = new Error('the client needs this leader no more')

export interface LeaderFollowerInit<Message> {
  leaderSource: LeaderSource
  /** Opens the channel to the leader. */
  open(leader: PeerIdString, options: AbortOptions): Promise<Channel<Message>>
  /** The first messages that the client sends to a leader. */
  hello(): readonly Message[]
  /** Aborts when the client needs no leader any more. */
  over: AbortSignal
  /** Called when no leader could be reached for NO_LEADER_MS. Never called while `patient` is true. */
  onGivenUp(error: NoClusterError): void
}

export class LeaderFollower<Message> {
  readonly #init: LeaderFollowerInit<Message>
  readonly #patience = new LeaderTimeout()
  #channel: Channel<Message> | undefined
  #leader: FollowedLeader | undefined
  #hasTold = false
  /** Whether the client waits for a leader without a time limit. */
  patient = false
  /** Makes the client leave the present leader, or ends the wait for a leader. */
  #moveOn: () => void = () => {}

  constructor(init: LeaderFollowerInit<Message>) {
    this.#init = init
  }

  /** The channel to the leader that has received the hello. `undefined` if there is no channel. */
  get channel(): Channel<Message> | undefined {
    return this.#channel
  }

  /** The leadership that the client follows, or followed last. */
  get leader(): FollowedLeader | undefined {
    return this.#leader
  }

  /** Whether some leader may have received a hello. */
  get hasTold(): boolean {
    return this.#hasTold
  }

  start(): void {
    void this.#follow()
  }

  /** Sends a message to the leader. A channel that breaks leads to the next hello. */
  say(message: Message): void {
    if (this.#channel === undefined) this.#moveOn()
    else this.#channel.send(message).catch(() => this.#moveOn())
  }

  /** Sends the hello again to the present leader, if there is a channel. */
  greet(): void {
    if (this.#channel !== undefined) for (const message of this.#init.hello()) this.say(message)
  }

  /** Leaves the present leader and looks for the next one. */
  moveOn(): void {
    this.#moveOn()
  }

  closed(channel: Channel<Message>): void {
    if (channel === this.#channel) this.#moveOn()
  }

  async #follow(): Promise<void> {
    const { over, leaderSource } = this.#init
    let pause = RETRY_MS
    while (!over.aborted) {
      const attempt = new AbortController()
      const moveOn = (): void => attempt.abort(MOVES_ON)
      this.#moveOn = moveOn
      over.addEventListener('abort', moveOn, { once: true })
      let leader: FollowedLeader | undefined
      try {
        leader = leaderSource.leader() ?? (await this.#findLeader(attempt.signal))
        await this.#stayWith(leader, attempt)
        pause = RETRY_MS
      } catch (error) {
        if (error instanceof NoClusterError && !over.aborted) this.#init.onGivenUp(error)
      } finally {
        over.removeEventListener('abort', moveOn)
      }
      this.#moveOn = () => {}
      this.#channel = undefined
      if (over.aborted) return
      if (!sameLeader(leader, leaderSource.leader())) continue
      await delay(pause, undefined, { signal: over }).catch(() => {})
      pause = Math.min(MAX_RETRY_MS, pause * 2)
    }
  }

  async #findLeader(signal: AbortSignal): Promise<FollowedLeader> {
    const { leaderSource } = this.#init
    return this.patient ? waitForLeader(leaderSource, { signal }) : leaderInTime(leaderSource, signal)
  }

  async #open(leader: FollowedLeader, signal: AbortSignal): Promise<Channel<Message>> {
    this.#patience.calls(leader)
    try {
      const channel = await this.#init.open(leader.id, { signal })
      this.#patience.reached()
      return channel
    } catch (error) {
      // A leader that does not answer counts as a missing leader.
      if (!this.patient && !signal.aborted) this.#patience.failed(error)
      throw error
    }
  }

  /** Greets one leader. Resolves when the client must ask another leader, or the job has ended. */
  async #stayWith(leader: FollowedLeader, attempt: AbortController): Promise<void> {
    const { leaderSource } = this.#init
    const { signal } = attempt
    this.#leader = leader
    const unsubscribe = leaderSource.subscribe(() => {
      const now = leaderSource.leader()
      // If no leader is known, the client asks the old leader again, because the old leader may still lead.
      if (now !== undefined && !sameLeader(now, leader)) attempt.abort(MOVES_ON)
    })
    try {
      const channel = await this.#open(leader, signal)
      this.#channel = channel
      this.#hasTold = true
      for (const message of this.#init.hello()) await channel.send(message, { signal })
      if (channel.closed.aborted || signal.aborted) return
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
    } finally {
      unsubscribe()
    }
  }
}
