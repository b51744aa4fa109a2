import { randomBytes } from 'node:crypto'
import type { PeerDiscovery } from '@libp2p/interface'
import { isStartable } from '@libp2p/interface'
import { type MulticastDNSComponents, mdns } from '@libp2p/mdns'
import type { Multiaddr } from '@multiformats/multiaddr'

/**
 * A peer sends a question after this time (ms) without an answer, plus up to SPREAD at random. An answer goes to all peers, so one question serves all
 * peers (RFC 6762 §7.3): if each of n peers asked, each would receive n² answers.
 */
const SLOW_INTERVAL = 20_000
const SPREAD = 10_000
/** The time (ms) for which the asking instance keeps its socket open. Sending a question takes less time. */
const ASKING_TIME = 500
/** The interval (ms) for a question that is not repeated: the longest time of a timer. */
const NEVER = 2 ** 31 - 1
/** The interval (ms) between questions while this peer is alone, for at most {@link SEARCH_TIME}. */
const FAST_INTERVAL = 500
const SEARCH_TIME = 15_000

/** A peer that mDNS found. */
export type MdnsPeer = { id: string; addresses: Multiaddr[] }

/**
 * mDNS with two speeds. One instance answers and listens. After some time without an answer, a second instance asks one time. A third instance asks often while
 * this peer is alone, because a question may be lost, and a newcomer should not wait 20 s for the next question.
 */
export class MdnsSearch {
  readonly #answering: PeerDiscovery
  readonly #asking: PeerDiscovery
  readonly #searching: PeerDiscovery
  #silence: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  #asked: NodeJS.Timeout | undefined
  #change: Promise<void> = Promise.resolve()

  constructor(components: MulticastDNSComponents, serviceTag: string, onPeer: (peer: MdnsPeer) => void) {
    const peerName = randomBytes(16).toString('hex')
    this.#answering = mdns({ serviceTag, peerName, interval: NEVER })(components)
    this.#asking = mdns({ serviceTag, peerName, interval: NEVER, broadcast: false })(components)
    this.#searching = mdns({ serviceTag, peerName, interval: FAST_INTERVAL, broadcast: false })(components)
    this.#answering.addEventListener('peer', event => {
      this.#silence?.refresh()
      onPeer({ id: event.detail.id.toString(), addresses: event.detail.multiaddrs })
    })
  }

  async start(): Promise<void> {
    await startOrStop(this.#answering, 'start')
    this.#silence = setInterval(() => this.#ask(), SLOW_INTERVAL + SPREAD * Math.random()).unref()
  }

  /** Asks often, for at most {@link SEARCH_TIME}. */
  search(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.rest(), SEARCH_TIME).unref()
    this.#enqueue(this.#searching, 'start')
  }

  /** Ends the frequent questions. */
  rest(): void {
    clearTimeout(this.#timer)
    this.#enqueue(this.#searching, 'stop')
  }

  async stop(): Promise<void> {
    clearInterval(this.#silence)
    clearTimeout(this.#asked)
    this.rest()
    this.#enqueue(this.#asking, 'stop')
    await this.#change
    await startOrStop(this.#answering, 'stop')
  }

  /** Asks one time, by starting the asking instance. */
  #ask(): void {
    this.#enqueue(this.#asking, 'start')
    clearTimeout(this.#asked)
    this.#asked = setTimeout(() => this.#enqueue(this.#asking, 'stop'), ASKING_TIME).unref()
  }

  #enqueue(discovery: PeerDiscovery, action: 'start' | 'stop'): void {
    this.#change = this.#change.then(() => startOrStop(discovery, action))
  }
}

async function startOrStop(discovery: PeerDiscovery, action: 'start' | 'stop'): Promise<void> {
  if (isStartable(discovery)) await discovery[action]()
}
