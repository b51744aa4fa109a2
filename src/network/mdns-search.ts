import { randomBytes } from 'node:crypto'
import type { PeerDiscovery } from '@libp2p/interface'
import { isStartable } from '@libp2p/interface'
import { type MulticastDNSComponents, mdns } from '@libp2p/mdns'
import type { Multiaddr } from '@multiformats/multiaddr'

/** How often the network is asked, in ms. */
const SLOW_INTERVAL = 10_000
/** How often while this peer is alone, for {@link SEARCH_TIME}. */
const FAST_INTERVAL = 500
const SEARCH_TIME = 15_000

/** What mDNS found. */
export type MdnsPeer = { id: string; addresses: Multiaddr[] }

/**
 * mDNS in two speeds: one instance answers, and asks rarely; another only asks, often, while this peer is alone: a first
 * question is easily lost, and nobody should wait 10 s for the next.
 */
export class MdnsSearch {
  readonly #answering: PeerDiscovery
  readonly #searching: PeerDiscovery
  #timer: NodeJS.Timeout | undefined
  #change: Promise<void> = Promise.resolve()

  constructor(components: MulticastDNSComponents, serviceTag: string, onPeer: (peer: MdnsPeer) => void) {
    const peerName = randomBytes(16).toString('hex')
    this.#answering = mdns({ serviceTag, peerName, interval: SLOW_INTERVAL })(components)
    this.#searching = mdns({ serviceTag, peerName, interval: FAST_INTERVAL, broadcast: false })(components)
    for (const discovery of [this.#answering, this.#searching]) {
      discovery.addEventListener('peer', event =>
        onPeer({ id: event.detail.id.toString(), addresses: event.detail.multiaddrs })
      )
    }
  }

  async start(): Promise<void> {
    await startOrStop(this.#answering, 'start')
  }

  /** Asks often, for a while. */
  search(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.rest(), SEARCH_TIME).unref()
    this.#enqueue('start')
  }

  /** Asks rarely again. */
  rest(): void {
    clearTimeout(this.#timer)
    this.#enqueue('stop')
  }

  async stop(): Promise<void> {
    this.rest()
    await this.#change
    await startOrStop(this.#answering, 'stop')
  }

  #enqueue(action: 'start' | 'stop'): void {
    this.#change = this.#change.then(() => startOrStop(this.#searching, action))
  }
}

async function startOrStop(discovery: PeerDiscovery, action: 'start' | 'stop'): Promise<void> {
  if (isStartable(discovery)) await discovery[action]()
}
