import { TypedEventEmitter } from 'main-event'
import pDefer from 'p-defer'
import { eitherSignal, orAborted, signalAfter } from '../lib/abort.ts'
import { isLive, type Member } from '../membership/core/member.ts'
import type { Channel, Network, PeerIdString, Protocol } from '../network/types.ts'
import { type AttachMessage, attachProtocol, type Prioritized, type View } from './view.ts'

export interface AttachmentEvents {
  /** The view changed. The new view may come from another peer than the previous view. */
  view: CustomEvent<View>
}

/** How long a peer may take to answer before the client tries the next peer, in ms. */
const ATTACH_TIMEOUT_MS = 3_000
/** The pause after a round in which no peer answered, in ms. */
const RETRY_MS = 200
/** The interval of pings, in ms. */
const PING_MS = 1_000
/** The number of unanswered pings after which the client tries another peer. */
const MAX_UNANSWERED = 3

/**
 * The connection of a client to the cluster. The client is attached to one peer, and learns the leader and the members
 * from this peer. When this peer dies, the client attaches to another peer.
 */
export class Attachment extends TypedEventEmitter<AttachmentEvents> {
  readonly #network: Network
  readonly #protocol: Protocol<AttachMessage>
  readonly #stopped = new AbortController()
  #current: Channel<AttachMessage> | undefined
  #view: View | undefined
  #attaching = false
  #timer: NodeJS.Timeout | undefined
  readonly #pinging: NodeJS.Timeout
  #unanswered = 0
  /** The peer that answered no ping. The client tries this peer last. */
  #silent: PeerIdString | undefined
  /** The members whose addresses this client has passed to the network. */
  readonly #learnt = new Set<PeerIdString>()
  /** The unanswered changes of a priority, by member and id. */
  readonly #prioritized = new Map<string, (answer: Prioritized) => void>()
  #id = 0

  constructor(network: Network) {
    super()
    this.#network = network
    this.#protocol = network.register(attachProtocol, {
      onMessage: (message, channel) => {
        if (message.type === 'prioritized') this.#prioritized.get(`${channel.remote} ${message.id}`)?.(message)
        if (channel !== this.#current) return
        this.#unanswered = 0
        if (message.type === 'view') this.#update(message.view)
      },
      onClose: channel => {
        if (channel !== this.#current) return
        this.#current = undefined
        this.#attach()
      }
    })
    network.addEventListener('connected', this.#onConnected)
    this.#pinging = setInterval(() => this.#ping(), PING_MS)
    this.#attach()
  }

  /** The newest view. It stays available while the client moves from one peer to another. */
  get view(): View | undefined {
    return this.#view
  }

  /** The peer that this client is attached to. */
  get peer(): PeerIdString | undefined {
    return this.#current?.remote
  }

  /**
   * Asks a member to change its priority in elections. Resolves with its answer.
   *
   * @throws the reason of the signal, or of the end of the channel
   */
  async prioritize(member: Member, priority: string, signal: AbortSignal): Promise<Prioritized> {
    this.#learn(member)
    const channel = await this.#protocol.channel(member.id, { signal })
    const { promise, resolve } = pDefer<Prioritized>()
    this.#id = (this.#id + 1) % 2 ** 32
    const id = this.#id
    const key = `${member.id} ${id}`
    this.#prioritized.set(key, resolve)
    const either = eitherSignal(signal, channel.closed)
    try {
      await channel.send({ type: 'prioritize', id, priority }, { signal: either.signal })
      return await orAborted(promise, either.signal)
    } finally {
      either.release()
      this.#prioritized.delete(key)
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    clearInterval(this.#pinging)
    this.#stopped.abort()
    this.#network.removeEventListener('connected', this.#onConnected)
    await this.#protocol.close()
  }

  readonly #onConnected = (): void => this.#attach()

  #update(view: View): void {
    this.#view = view
    const leader = view.members.find(member => member.id === view.leader?.id)
    // A client submits jobs to the leader directly.
    if (leader !== undefined) this.#learn(leader)
    for (const id of this.#learnt) {
      const member = view.members.find(known => known.id === id)
      if (member !== undefined && isLive(member)) continue
      this.#learnt.delete(id)
      this.#network.forget(id)
    }
    this.dispatchEvent(new CustomEvent('view', { detail: view }))
  }

  #attach(): void {
    if (this.#attaching || this.#current !== undefined || this.#stopped.signal.aborted) return
    this.#attaching = true
    void this.#tryAll().then(attached => {
      this.#attaching = false
      // The channel may have closed again before #attaching was reset. #attach ignored that close, so a new attempt
      // starts here.
      if ((attached && this.#current !== undefined) || this.#stopped.signal.aborted) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#attach(), RETRY_MS)
    })
  }

  /** Pings the peer. Missing answers reveal a peer that vanished without closing its connection. */
  #ping(): void {
    const current = this.#current
    if (current === undefined || this.#attaching) return
    if (this.#unanswered >= MAX_UNANSWERED) {
      this.#silent = current.remote
      current.abort(new Error(`${current.remote} has not answered for ${(PING_MS * MAX_UNANSWERED) / 1_000} s`))
      return
    }
    this.#unanswered += 1
    current.send({ type: 'ping' }).catch(() => {})
  }

  #learn({ id, addresses, host }: Member): void {
    this.#learnt.add(id)
    this.#network.learn(id, addresses, host || undefined)
  }

  async #tryAll(): Promise<boolean> {
    const silent = this.#silent
    const connected = this.#network.connected()
    for (const peer of connected) if (peer !== silent && (await this.#try(peer))) return true
    for (const member of this.#view?.members ?? []) {
      if (!isLive(member) || connected.includes(member.id) || member.id === silent) continue
      this.#learn(member)
      if (await this.#try(member.id)) return true
    }
    return silent !== undefined && (await this.#try(silent))
  }

  async #try(peer: PeerIdString): Promise<boolean> {
    const signal = AbortSignal.any([this.#stopped.signal, signalAfter(ATTACH_TIMEOUT_MS)])
    try {
      const channel = await this.#protocol.channel(peer, { signal })
      this.#current = channel
      this.#unanswered = 0
      await channel.send({ type: 'subscribe' }, { signal })
      if (!channel.closed.aborted) return true
    } catch {
      // This peer is gone, or is a client itself. The next peer may answer.
    }
    if (this.#current?.remote === peer) this.#current = undefined
    return false
  }
}
