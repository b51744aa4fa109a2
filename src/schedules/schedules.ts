/** The schedules of a process: of a peer, which may also keep them as the leader, or of an attached client. */
import type { Limits } from '../common/limits.ts'
import { type Logger, silent } from '../common/logger.ts'
import type { Election } from '../election/types.ts'
import type { LeaderSource } from '../jobs/client/leader-source.ts'
import type { DueJobs, LedSchedules, ScheduleKeeper } from '../jobs/leader/due-jobs.ts'
import type { Membership } from '../membership/types.ts'
import { memoryChannel } from '../network/channel/memory-channel.ts'
import type { Channel, Network, PeerIdString, ProtocolHandler } from '../network/types.ts'
import { loadCalendars } from './calendar.ts'
import { LeaderSchedules } from './leader-schedules.ts'
import {
  isRequest,
  type ScheduleMessage,
  type ScheduleReply,
  type ScheduleRequest,
  scheduleProtocol
} from './messages.ts'
import { ScheduleClient } from './schedule-client.ts'

type ScheduleChannel = Channel<ScheduleMessage>

/** The schedules of a process. */
export interface ScheduleRequests extends Pick<ScheduleClient, 'ask' | 'states'> {
  stop(): Promise<void>
}

/** The schedules of a peer. */
export interface PeerSchedules extends ScheduleRequests, ScheduleKeeper {}

/** The schedules of an attached process. The cluster may shut the process out. */
export interface AttachedSchedules extends ScheduleRequests {
  /** Rejects all pending calls with this error. */
  giveUp(reason: Error): void
}

export function createScheduleClient({
  network,
  leaderSource
}: {
  network: Network
  leaderSource: LeaderSource
}): AttachedSchedules {
  const client: ScheduleClient = new ScheduleClient({
    leaderSource,
    open: (leader, options) => protocol.channel(leader, options)
  })
  const protocol = network.register(scheduleProtocol, {
    onMessage: (message, channel) => {
      if (isRequest(message)) channel.send({ request: message.request, type: 'not-leader' }).catch(() => {})
      else client.onMessage(message, channel)
    }
  })
  return {
    ask: (request, signal) => client.ask(request, signal),
    states: signal => client.states(signal),
    giveUp: reason => client.giveUp(reason),
    stop: async () => {
      client.stop()
      await protocol.close()
    }
  }
}

export interface PeerSchedulesInit {
  network: Network
  membership: Pick<Membership, 'clockOffset'>
  election: Pick<Election, 'isLeader' | 'leader' | 'remaining'>
  leaderSource: LeaderSource
  limits: Limits
  logger?: Logger | undefined
  /** The wall clock, in ms since the Unix epoch. Default: the clock of this machine. */
  wall?: (() => number) | undefined
}

export function createSchedules(init: PeerSchedulesInit): PeerSchedules {
  return new SchedulesOfPeer(init)
}

class SchedulesOfPeer implements PeerSchedules {
  readonly #init: PeerSchedulesInit
  readonly #client: ScheduleClient
  readonly #close: () => Promise<void>
  #leading: LeaderSchedules | undefined
  #own: ScheduleChannel | undefined

  constructor(init: PeerSchedulesInit) {
    this.#init = init
    const { network, leaderSource } = init
    const protocol = network.register(scheduleProtocol, this.#handler)
    this.#client = new ScheduleClient({
      leaderSource,
      open: (leader, options) =>
        leader === network.self ? Promise.resolve(this.#toSelf(leader)) : protocol.channel(leader, options)
    })
    this.#close = () => protocol.close()
  }

  ask: ScheduleRequests['ask'] = (request, signal) => this.#client.ask(request, signal)
  states: ScheduleRequests['states'] = signal => this.#client.states(signal)

  lead(jobs: DueJobs): LedSchedules {
    const { membership, election, limits, logger = silent, wall = Date.now } = this.#init
    const leading: LeaderSchedules = new LeaderSchedules({
      jobs,
      limits,
      logger,
      loadCalendars,
      wall,
      clockOffset: () => membership.clockOffset(),
      lasts: () => election.isLeader && election.leader?.epoch === jobs.epoch && election.remaining > 0,
      onStop: () => {
        if (this.#leading === leading) this.#leading = undefined
      }
    })
    this.#leading = leading
    return leading
  }

  async stop(): Promise<void> {
    this.#client.stop()
    this.#own?.abort(new Error('this peer was stopped'))
    await this.#close()
  }

  readonly #handler: ProtocolHandler<ScheduleMessage> = {
    onMessage: (message, channel) =>
      isRequest(message) ? this.#onRequest(message, channel) : this.#client.onMessage(message, channel)
  }

  #onRequest(message: { request: number } & ScheduleRequest, channel: ScheduleChannel): void | Promise<void> {
    const { request } = message
    const answer = (reply: ScheduleReply): Promise<void> => channel.send({ request, ...reply }).catch(() => {})
    if (this.#leading === undefined) return answer({ type: 'not-leader' })
    const { admission, refusals } = this.#init.network
    if (message.type === 'list' || admission.may(channel.remote, 'submit'))
      return this.#leading.onRequest(message, answer)
    refusals.count(
      'role',
      channel.remote,
      `${channel.remote} asked to change a schedule: the allow list does not let it submit`
    )
    const reason = `the allow list does not let ${channel.remote} change schedules: it needs the right to submit`
    return answer({ type: 'refused', reason, notAdmitted: true, noRoom: false })
  }

  #toSelf(self: PeerIdString): ScheduleChannel {
    if (this.#own === undefined || this.#own.closed.aborted)
      this.#own = memoryChannel(self, this.#handler, this.#handler)[0]
    return this.#own
  }
}
