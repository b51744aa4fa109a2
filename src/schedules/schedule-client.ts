import { P2pWorkerError, StoppedError } from '../common/errors.ts'
import type { LeaderSource } from '../jobs/client/leader-source.ts'
import { LeaderTimeout, leaderInTime } from '../jobs/client/leader-timeout.ts'
import { eitherSignal } from '../lib/abort.ts'
import { Backoff } from '../lib/backoff.ts'
import { PendingRequests } from '../network/channel/pending-requests.ts'
import type { AbortOptions, Channel, PeerIdString } from '../network/types.ts'
import type { ScheduleState } from './core/types.ts'
import { isRequest, type ScheduleMessage, type ScheduleReply, type ScheduleRequest } from './messages.ts'

/** The pauses before a client asks a leader again that does not answer, in ms. */
const PAUSES = { first: 50, last: 1_000 } as const

export interface ScheduleClientInit {
  leaderSource: LeaderSource
  open(leader: PeerIdString, options: AbortOptions): Promise<Channel<ScheduleMessage>>
}

/** An answer of a leader. `isRepeated`: the request may have reached another leader before, or this one. */
export type ScheduleAnswered = Exclude<ScheduleReply, { type: 'not-leader' }> & { isRepeated: boolean }

/** Asks the leader about schedules, and the next leader when the first one is gone. Each request may be repeated. */
export class ScheduleClient {
  readonly #init: ScheduleClientInit
  readonly #requests = new PendingRequests<ScheduleMessage, Exclude<ScheduleReply, { type: 'not-leader' }>>()
  readonly #stopped = new AbortController()
  /** Ends the pending requests when the cluster shuts this process out. */
  #shutOut = new AbortController()

  constructor(init: ScheduleClientInit) {
    this.#init = init
  }

  /**
   * Resolves with the answer of a leader.
   *
   * @throws NoClusterError, StoppedError, or the signal's reason
   */
  async ask(request: ScheduleRequest, signal?: AbortSignal): Promise<ScheduleAnswered> {
    const open = eitherSignal(this.#shutOut.signal, this.#stopped.signal)
    const either = eitherSignal(signal, open.signal)
    try {
      return await this.#ask(request, either.signal)
    } finally {
      either.release()
      open.release()
    }
  }

  async #ask(request: ScheduleRequest, signal: AbortSignal): Promise<ScheduleAnswered> {
    const { leaderSource, open } = this.#init
    const patience = new LeaderTimeout()
    const backoff = new Backoff(PAUSES.first, PAUSES.last)
    for (let isRepeated = false; ; ) {
      const leader = await leaderInTime(leaderSource, signal)
      patience.calls(leader)
      try {
        const channel = await open(leader.id, { signal })
        const answer = await this.#requests.send(channel, id => ({ request: id, ...request }), signal)
        return { ...answer, isRepeated }
      } catch (error) {
        signal.throwIfAborted()
        isRepeated ||= !(error instanceof NotLeading)
        patience.failed(error)
      }
      await backoff.wait(signal)
    }
  }

  /** Returns all schedules, in the order of their names. */
  async states(signal?: AbortSignal): Promise<ScheduleState[]> {
    const states: ScheduleState[] = []
    for (let after = ''; ; ) {
      const answer = await this.ask({ type: 'list', after }, signal)
      if (answer.type !== 'schedules') throw new P2pWorkerError('the leader does not list its schedules')
      states.push(...answer.schedules)
      const last = answer.schedules.at(-1)
      if (!answer.more || last === undefined) return states
      after = last.name
    }
  }

  onMessage(message: ScheduleMessage, channel: Channel<ScheduleMessage>): void {
    if (isRequest(message)) return
    const { request, ...answer } = message
    const pending = this.#requests.get(request, channel)
    if (answer.type === 'not-leader') pending?.reject(new NotLeading(`${channel.remote} does not lead`))
    else pending?.resolve(answer)
  }

  /** Rejects the pending requests with this error. Later requests try again. */
  giveUp(reason: Error): void {
    this.#shutOut.abort(reason)
    this.#shutOut = new AbortController()
  }

  stop(): void {
    this.#stopped.abort(new StoppedError('this process was stopped while it asked the leader about schedules'))
  }
}

class NotLeading extends P2pWorkerError {}
