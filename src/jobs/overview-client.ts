import { setTimeout as delay } from 'node:timers/promises'
import { deferred } from '../deferred.ts'
import { P2pWorkerError, StoppedError } from '../errors.ts'
import type { AbortOptions, Channel, PeerIdString } from '../network/types.ts'
import { LeaderPatience } from './leader-patience.ts'
import { type LeaderSource, waitForLeader } from './leader-source.ts'
import type { Overview, OverviewMessage } from './overview-messages.ts'

/** Before the leader is asked again, in ms. */
const RETRY_MS = 100

interface Question {
  channel: Channel<OverviewMessage>
  answer(overview: Overview): void
  fail(error: Error): void
}

/** Asks the leader what goes on. */
export class OverviewClient {
  readonly #leaderSource: LeaderSource
  readonly #open: (leader: PeerIdString, options: AbortOptions) => Promise<Channel<OverviewMessage>>
  readonly #questions = new Map<number, Question>()
  readonly #stopped = new AbortController()
  #id = 0

  constructor(parts: {
    leaderSource: LeaderSource
    open(leader: PeerIdString, options: AbortOptions): Promise<Channel<OverviewMessage>>
  }) {
    this.#leaderSource = parts.leaderSource
    this.#open = parts.open
  }

  /**
   * Follows the leader until one answers. Rejects with the signal's reason.
   *
   * @throws NoClusterError when the leader is known and did not answer for 10 s
   */
  async ask(signal?: AbortSignal): Promise<Overview> {
    const stopped = this.#stopped.signal
    const either = signal === undefined ? stopped : AbortSignal.any([stopped, signal])
    const patience = new LeaderPatience()
    for (;;) {
      const leader = await waitForLeader(this.#leaderSource, { signal: either })
      patience.calls(leader)
      try {
        return await this.#askOnce(leader.id, either)
      } catch (error) {
        either.throwIfAborted()
        patience.failed(error)
      }
      await delay(RETRY_MS, undefined, { signal: either }).catch(() => either.throwIfAborted())
    }
  }

  onMessage(message: OverviewMessage, channel: Channel<OverviewMessage>): void {
    const question = this.#questions.get(message.id)
    if (question === undefined || question.channel !== channel || message.type === 'request') return
    if (message.type === 'overview') question.answer(message.overview)
    else question.fail(new P2pWorkerError(`${channel.remote} does not lead`))
  }

  onClose(channel: Channel<OverviewMessage>): void {
    for (const question of this.#questions.values()) {
      if (question.channel === channel) question.fail(new P2pWorkerError(`the channel to ${channel.remote} is closed`))
    }
  }

  stop(): void {
    this.#stopped.abort(new StoppedError('this process was stopped while it asked the leader'))
  }

  async #askOnce(leader: PeerIdString, signal: AbortSignal): Promise<Overview> {
    const channel = await this.#open(leader, { signal })
    const id = ++this.#id % 2 ** 32
    const { promise, resolve, reject } = deferred<Overview>()
    const abort = (): void => reject(signal.reason)
    // It may be settled while the request is still on its way.
    promise.catch(() => {})
    signal.addEventListener('abort', abort, { once: true })
    this.#questions.set(id, { channel, answer: resolve, fail: reject })
    try {
      await channel.send({ id, type: 'request' }, { signal })
      return await promise
    } finally {
      signal.removeEventListener('abort', abort)
      this.#questions.delete(id)
    }
  }
}
