import { TypedEventEmitter } from 'main-event'
import { isLive } from '../membership/member.ts'
import type { Channel, Network, PeerIdString, Protocol } from '../network/types.ts'
import { type AttachMessage, attachProtocol, type View } from './view.ts'

export interface AttachmentEvents {
  /** The view changed; it may come from another peer than the one before. */
  view: CustomEvent<View>
}

/** How long one peer may take to answer before the next is tried, in ms. */
const ATTACH_TIMEOUT_MS = 3_000
/** Pause between rounds in which nobody answered, in ms. */
const RETRY_MS = 200

/**
 * A client's tie to the cluster: attached to any one peer, it learns the leader and the other peers from it, and moves
 * to another peer when its own dies.
 */
export class Attachment extends TypedEventEmitter<AttachmentEvents> {
  readonly #network: Network
  readonly #protocol: Protocol<AttachMessage>
  readonly #stopped = new AbortController()
  #current: Channel<AttachMessage> | undefined
  #view: View | undefined
  #attaching = false
  #timer: NodeJS.Timeout | undefined

  constructor(network: Network) {
    super()
    this.#network = network
    this.#protocol = network.register(attachProtocol, {
      onMessage: (message, channel) => {
        if (message.type === 'view' && channel === this.#current) this.#update(message.view)
      },
      onClose: channel => {
        if (channel !== this.#current) return
        this.#current = undefined
        this.#attach()
      }
    })
    network.addEventListener('connected', this.#onConnected)
    this.#attach()
  }

  /** The newest view; it stays while the client moves from one peer to another. */
  get view(): View | undefined {
    return this.#view
  }

  /** The peer that this client is attached to. */
  get peer(): PeerIdString | undefined {
    return this.#current?.remote
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopped.abort()
    this.#network.removeEventListener('connected', this.#onConnected)
    await this.#protocol.close()
  }

  readonly #onConnected = (): void => this.#attach()

  #update(view: View): void {
    this.#view = view
    const leader = view.members.find(member => member.id === view.leader?.id)
    // The leader is the one peer that a client talks to besides its own: jobs go there directly.
    if (leader !== undefined) this.#network.learn(leader.id, leader.addresses, leader.host || undefined)
    this.dispatchEvent(new CustomEvent('view', { detail: view }))
  }

  #attach(): void {
    if (this.#attaching || this.#current !== undefined || this.#stopped.signal.aborted) return
    this.#attaching = true
    void this.#tryAll().then(attached => {
      this.#attaching = false
      if (attached || this.#stopped.signal.aborted) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#attach(), RETRY_MS)
    })
  }

  async #tryAll(): Promise<boolean> {
    const connected = this.#network.connected()
    for (const peer of connected) if (await this.#try(peer)) return true
    for (const member of this.#view?.members ?? []) {
      if (!isLive(member) || connected.includes(member.id)) continue
      this.#network.learn(member.id, member.addresses, member.host || undefined)
      if (await this.#try(member.id)) return true
    }
    return false
  }

  async #try(peer: PeerIdString): Promise<boolean> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(ATTACH_TIMEOUT_MS)])
    try {
      const channel = await this.#protocol.channel(peer, { signal })
      this.#current = channel
      await channel.send({ type: 'subscribe' }, { signal })
      if (!channel.closed.aborted) return true
    } catch {
      // Gone, or another client: the next one may answer.
    }
    if (this.#current?.remote === peer) this.#current = undefined
    return false
  }
}
