import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { longestRetry } from '../../lib/backoff.ts'
import { isLive, type Member } from '../../membership/core/member.ts'
import type { Membership } from '../../membership/types.ts'
import { memoryChannel } from '../../network/channel/memory-channel.ts'
import type { Channel, PeerIdString, Protocol, ProtocolHandler } from '../../network/types.ts'
import type { LeaderSays, WorkMessage } from '../protocol/work-messages.ts'
import type { WorkerTraits } from '../scheduler/index.ts'
import { leaderComputes } from './leader-computes.ts'

/** The pause before the leader opens a broken channel again, in ms. Each retry doubles the pause, up to MAX_RETRY_MS, or longer while many workers are lost. */
const RETRY_MS = 50
const MAX_RETRY_MS = 2_000
/**
 * If a worker does not answer a welcome in this time (ms), the leader sends the welcome again. The worker may not have known this leader.
 */
const WELCOME_AGAIN_MS = 500

interface Link {
  id: PeerIdString
  controller: AbortController
  channel: Channel<WorkMessage> | undefined
  joined: boolean
  /** Whether the worker has announced that it leaves. `dismissed`: whether the leader has allowed the worker to leave. */
  leaving: boolean
  dismissed: boolean
  /** The number of slots that the worker has reported. */
  slots: number
  /** The traits that were last passed to the scheduler. `undefined` if no traits were passed yet. */
  told: WorkerTraits | undefined
}

export interface WorkerLinksEvents {
  joined(worker: PeerIdString, traits: WorkerTraits): void
  changed(worker: PeerIdString, traits: WorkerTraits): void
  /** Called when a worker is gone, with the reason as in the event `worker-gone` of the scheduler. */
  gone(worker: PeerIdString, why: 'died' | 'left' | 'lost'): void
}

export interface WorkerLinksInit {
  epoch: number
  protocol: Protocol<WorkMessage>
  membership: Membership
  /** Receives the messages of this peer's own worker. */
  onMessage: ProtocolHandler<WorkMessage>['onMessage']
  /** This peer's own worker. */
  self: ProtocolHandler<WorkMessage>
  events: WorkerLinksEvents
}

/** The channels of the leader to its workers. Every live member that computes has one channel. */
export class WorkerLinks {
  readonly #init: WorkerLinksInit
  readonly #membership: Membership
  readonly #events: WorkerLinksEvents
  readonly #links = new Map<PeerIdString, Link>()

  constructor(init: WorkerLinksInit) {
    this.#init = init
    this.#membership = init.membership
    this.#events = init.events
  }

  start(): void {
    this.#membership.addEventListener('member', this.#onMember)
    for (const member of this.#membership.live()) this.#update(member)
  }

  /** Number of slots of the members that compute, connected or not. */
  slots(): number {
    let sum = 0
    const live = this.#membership.live()
    for (const member of live) if (this.#computes(member, live)) sum += member.slots
    return sum
  }

  send(worker: PeerIdString, message: LeaderSays): void {
    // The send fails if the channel is gone. The closing of the channel reports that, and the scheduler then moves the chunks to other workers.
    this.#links
      .get(worker)
      ?.channel?.send({ epoch: this.#init.epoch, ...message })
      .catch(() => {})
  }

  broadcast(message: LeaderSays): void {
    for (const [id, link] of this.#links) if (link.joined) this.send(id, message)
  }

  /** The workers that the leader has welcomed or is about to welcome. */
  ids(): PeerIdString[] {
    return [...this.#links.keys()]
  }

  /** Whether a worker was welcomed on this channel and has not answered yet. */
  awaits(channel: Channel<WorkMessage>): boolean {
    const link = this.#links.get(channel.remote)
    return link?.channel === channel && !link.joined
  }

  /** Whether this is the channel of a joined worker. */
  isCurrent(channel: Channel<WorkMessage>): boolean {
    const link = this.#links.get(channel.remote)
    return link?.channel === channel && link.joined
  }

  /** Handles that a worker has answered the welcome. */
  hello(channel: Channel<WorkMessage>, slots: number, leaving: boolean): void {
    if (!this.awaits(channel)) return
    const link = this.#links.get(channel.remote)!
    link.joined = true
    link.slots = slots
    link.leaving = leaving
    link.dismissed = false
    link.told = this.#traits(link)
    this.#events.joined(link.id, link.told)
  }

  /** Handles that a worker takes no more chunks. */
  leaves(channel: Channel<WorkMessage>): void {
    const link = this.#links.get(channel.remote)
    if (link?.channel !== channel) return
    link.leaving = true
    this.#tellChange(link.id)
  }

  /**
   * Dismisses the leaving workers that have no chunks. The worker of this peer stays, to send its outcomes to the next
   * leader.
   */
  dismiss(isFree: (worker: PeerIdString) => boolean): void {
    for (const link of this.#links.values()) {
      if (!link.joined || !link.leaving || link.dismissed || link.id === this.#membership.self.id) continue
      if (!isFree(link.id)) continue
      link.dismissed = true
      this.send(link.id, { type: 'dismissed' })
    }
  }

  stop(): void {
    this.#membership.removeEventListener('member', this.#onMember)
    for (const link of this.#links.values()) link.controller.abort()
    this.#links.clear()
  }

  readonly #onMember = ({ detail }: CustomEvent<{ member: Member }>): void => {
    this.#update(detail.member)
    this.#tellChange(detail.member.id)
    // Whether this peer computes depends on the other members.
    this.#tellChange(this.#membership.self.id)
  }

  #tellChange(id: PeerIdString): void {
    const link = this.#links.get(id)
    if (link === undefined || !link.joined) return
    const traits = this.#traits(link)
    if (isDeepStrictEqual(traits, link.told)) return
    link.told = traits
    this.#events.changed(id, traits)
  }

  #update(member: Member): void {
    const wanted = isLive(member) && member.role !== 'leader'
    const link = this.#links.get(member.id)
    if (wanted && link === undefined) this.#open(member.id)
    else if (!wanted && link !== undefined) {
      this.#links.delete(member.id)
      link.controller.abort()
      this.#close(link, member.state === 'dead' ? 'died' : 'left')
    }
  }

  #traits({ id, slots, leaving }: Link): WorkerTraits {
    const { self } = this.#membership
    const spared = id === self.id && !leaderComputes(self, this.#membership.live())
    const tags = (id === self.id ? self : this.#membership.get(id))?.tags ?? {}
    return { slots: leaving ? 0 : slots, tags, spared }
  }

  #computes(member: Member, live: readonly Member[]): boolean {
    return member.id === this.#membership.self.id ? leaderComputes(member, live) : member.role !== 'leader'
  }

  #open(id: PeerIdString): void {
    const controller = new AbortController()
    const link: Link = {
      id,
      controller,
      channel: undefined,
      joined: false,
      leaving: false,
      dismissed: false,
      slots: 0,
      told: undefined
    }
    this.#links.set(id, link)
    void this.#keep(link)
  }

  async #keep(link: Link): Promise<void> {
    const { signal } = link.controller
    let pause = RETRY_MS
    while (!signal.aborted) {
      try {
        const channel = await this.#channel(link.id, signal)
        link.channel = channel
        await this.#welcome(link, channel)
        pause = RETRY_MS
      } catch {
        // The worker cannot be reached now. The leader retries for as long as the worker is a live member.
      }
      if (!signal.aborted) this.#close(link, 'lost')
      await delay(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(
        longestRetry(MAX_RETRY_MS, this.#links.values(), ({ channel }) => channel === undefined),
        pause * 2
      )
    }
  }

  async #channel(id: PeerIdString, signal: AbortSignal): Promise<Channel<WorkMessage>> {
    if (id !== this.#membership.self.id) return this.#init.protocol.channel(id, { signal })
    const [near] = memoryChannel(id, { onMessage: this.#init.onMessage }, this.#init.self)
    // The listener is removed with the channel, because the worker of this peer may close many channels.
    const { closed } = near
    signal.addEventListener('abort', () => near.abort(new Error('this peer leads no more')), {
      once: true,
      signal: closed
    })
    return near
  }

  /** Sends welcomes until the worker answers. Resolves when the channel or the link has ended. */
  async #welcome(link: Link, channel: Channel<WorkMessage>): Promise<void> {
    const signal = AbortSignal.any([link.controller.signal, channel.closed])
    while (!signal.aborted && !link.joined) {
      await channel.send({ epoch: this.#init.epoch, type: 'welcome' }, { signal })
      await delay(WELCOME_AGAIN_MS, undefined, { signal }).catch(() => {})
    }
    if (!signal.aborted) await once(signal, 'abort')
  }

  #close(link: Link, why: 'died' | 'left' | 'lost'): void {
    link.channel = undefined
    const { joined } = link
    link.joined = false
    // A broken channel does not mean that the peer is dead. Its membership state decides later.
    if (joined || why !== 'lost') this.#events.gone(link.id, why)
  }
}
