import { type GossipSub, type Message, TopicValidatorResult } from '@chainsafe/libp2p-gossipsub'
import { P2pWorkerError } from '../errors.ts'
import { RATES, RateLimit } from './rate-limit.ts'
import type { PeerIdString, Topic } from './types.ts'

/** Far below gossipsub's graylist threshold of -80. */
const IGNORED_SCORE = -1_000
/** So long, in ms, nothing is taken from a peer that floods. */
const IGNORED_FOR = 10_000

/** The cluster's gossip topics on one node. */
export class Topics {
  readonly #authors = new RateLimit(RATES.author)
  readonly #bearers = new RateLimit(RATES.bearer)
  /** Peers that flooded, and until when they are ignored. */
  readonly #ignored = new Map<string, number>()
  readonly #pubsub: GossipSub
  readonly #prefix: string
  readonly #receivers = new Map<string, (data: Uint8Array) => void>()
  readonly #onError: (where: string, error: Error) => void

  constructor(pubsub: GossipSub, clusterId: string, onError: (where: string, error: Error) => void) {
    this.#pubsub = pubsub
    this.#prefix = `/p2p-worker/${clusterId}/`
    this.#onError = onError
    pubsub.addEventListener('message', this.#onMessage)
  }

  subscribe(name: string, validate: (data: Uint8Array) => void, onMessage: (data: Uint8Array) => void): Topic {
    const topic = this.#prefix + name
    if (this.#receivers.has(topic)) throw new P2pWorkerError(`the topic "${name}" is subscribed already`)
    this.#receivers.set(topic, onMessage)
    this.#pubsub.topicValidators.set(topic, (bearer, message) => {
      if (this.#floods(bearer.toString(), message)) return TopicValidatorResult.Ignore
      try {
        validate(message.data)
        return TopicValidatorResult.Accept
      } catch {
        return TopicValidatorResult.Reject
      }
    })
    this.#pubsub.subscribe(topic)
    return {
      publish: data => {
        if (!this.#receivers.has(topic)) return
        // Gossip is repaired by push-pull; what fails here is that there was nobody to send to, or too much queued.
        this.#pubsub.publish(topic, data).catch((error: Error) => this.#onError(`publishing to "${name}"`, error))
      },
      close: () => this.#unsubscribe(topic)
    }
  }

  /** What gossipsub adds to a peer's score: enough to have it ignored unread, its signatures unverified, while it floods. */
  score(peer: PeerIdString): number {
    const until = this.#ignored.get(peer)
    if (until === undefined) return 0
    if (performance.now() < until) return IGNORED_SCORE
    this.#ignored.delete(peer)
    return 0
  }

  stop(): void {
    for (const topic of [...this.#receivers.keys()]) this.#unsubscribe(topic)
    this.#pubsub.removeEventListener('message', this.#onMessage)
  }

  /** Whoever relays it for another is not to blame for what that one writes, but for how much it brings in all. */
  #floods(bearer: PeerIdString, message: Message): boolean {
    const author = message.type === 'signed' ? message.from.toString() : bearer
    const tooMuch = !this.#authors.tryTake(author, 1)
    if ((tooMuch && author === bearer) || !this.#bearers.tryTake(bearer, 1)) {
      this.#ignored.set(bearer, performance.now() + IGNORED_FOR)
    }
    return tooMuch
  }

  #unsubscribe(topic: string): void {
    if (!this.#receivers.delete(topic)) return
    this.#pubsub.topicValidators.delete(topic)
    try {
      this.#pubsub.unsubscribe(topic)
    } catch {
      // It was stopped before; there is nothing left to leave.
    }
  }

  readonly #onMessage = (event: CustomEvent<Message>): void => {
    const { topic, data } = event.detail
    try {
      this.#receivers.get(topic)?.(data)
    } catch (error) {
      this.#onError(`a message on ${topic}`, error instanceof Error ? error : new Error(String(error)))
    }
  }
}
