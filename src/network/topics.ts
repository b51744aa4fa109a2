import { type GossipSub, type Message, TopicValidatorResult } from '@chainsafe/libp2p-gossipsub'
import { P2pWorkerError } from '../common/errors.ts'
import type { Guard } from './guard/guard.ts'
import { ratesOf } from './guard/rates.ts'
import { RefusedMessageError } from './guard/refusals.ts'
import { TokenBuckets } from './guard/token-buckets.ts'
import { ofHandler } from './handler-error.ts'
import type { PeerIdString, Topic } from './types.ts'

/** The names of the topics on which members gossip. */
export const TOPICS: readonly string[] = ['members', 'leader']

/** Returns gossipsub's ids of the topics with these names. */
export function topicIds(clusterId: string, names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(name => topicId(clusterId, name)))
}

function topicId(clusterId: string, name: string): string {
  return `/p2p-worker/${clusterId}/${name}`
}

/** The cluster's gossip topics on one node. */
export class Topics {
  /** The rates of relayed messages, by author. The author's own rate is separate, because other peers can relay old messages of the author. */
  readonly #relayed: TokenBuckets
  readonly #pubsub: GossipSub
  readonly #clusterId: string
  readonly #known: ReadonlySet<string>
  readonly #receivers = new Map<string, (data: Uint8Array) => void>()
  readonly #guard: Guard
  readonly #onError: (where: string, error: Error) => void

  constructor(
    pubsub: GossipSub,
    clusterId: string,
    known: ReadonlySet<string>,
    guard: Guard,
    onError: (where: string, error: Error) => void
  ) {
    this.#relayed = new TokenBuckets(ratesOf(guard.limits).gossip)
    this.#pubsub = pubsub
    this.#clusterId = clusterId
    this.#known = known
    this.#guard = guard
    this.#onError = onError
    pubsub.addEventListener('message', this.#onMessage)
  }

  subscribe(name: string, validate: (data: Uint8Array) => void, onMessage: (data: Uint8Array) => void): Topic {
    const topic = topicId(this.#clusterId, name)
    if (!this.#known.has(topic)) throw new P2pWorkerError(`the topic "${name}" is not one of this network's \`topics\``)
    if (this.#receivers.has(topic)) throw new P2pWorkerError(`the topic "${name}" is subscribed already`)
    this.#receivers.set(topic, onMessage)
    this.#pubsub.topicValidators.set(topic, (relay, message) => {
      const from = relay.toString()
      if (!this.#mayGossip(from, message)) return TopicValidatorResult.Ignore
      if (this.#isTooMuch(from, message)) {
        this.#guard.refusals.count('rate', from, `more gossip of one author on "${name}" than a peer may write`)
        return TopicValidatorResult.Ignore
      }
      try {
        validate(message.data)
        return TopicValidatorResult.Accept
      } catch (error) {
        const kind = error instanceof RefusedMessageError ? error.refusal : 'message'
        this.#guard.refusals.count(
          kind,
          from,
          `gossip on "${name}": ${error instanceof Error ? error.message : String(error)}`
        )
        return TopicValidatorResult.Reject
      }
    })
    this.#pubsub.subscribe(topic)
    return {
      publish: data => {
        if (!this.#receivers.has(topic)) return
        // A publish fails when no peer is connected or too much data is queued. A push-pull repairs the loss.
        this.#pubsub.publish(topic, data).catch((error: Error) => this.#onError(`publishing to "${name}"`, error))
      },
      close: () => this.#unsubscribe(topic)
    }
  }

  stop(): void {
    for (const topic of [...this.#receivers.keys()]) this.#unsubscribe(topic)
    this.#pubsub.removeEventListener('message', this.#onMessage)
  }

  /** Only members may gossip. A relay of a message by a non-member has another allow list, so the message does not count against the relay. */
  #mayGossip(relay: PeerIdString, message: Message): boolean {
    if (!this.#guard.admission.may(relay, 'join')) {
      this.#guard.refusals.count('role', relay, `gossip of ${relay}, which the allow list does not let join`)
      return false
    }
    return message.type !== 'signed' || this.#guard.admission.may(message.from.toString(), 'join')
  }

  /** Whether relays send more messages of an author than the author may write. Messages from the author itself are counted by the RateLimiter. */
  #isTooMuch(relay: PeerIdString, message: Message): boolean {
    if (message.type !== 'signed') return false
    const author = message.from.toString()
    return author !== relay && !this.#relayed.tryTake(author, 1)
  }

  #unsubscribe(topic: string): void {
    if (!this.#receivers.delete(topic)) return
    this.#pubsub.topicValidators.delete(topic)
    try {
      this.#pubsub.unsubscribe(topic)
    } catch {
      // Gossipsub has already stopped, so there is no subscription to end.
    }
  }

  readonly #onMessage = (event: CustomEvent<Message>): void => {
    const { topic, data } = event.detail
    try {
      this.#receivers.get(topic)?.(data)
    } catch (error) {
      this.#onError(`a message on ${topic}`, ofHandler(error) as Error)
    }
  }
}
