import { type GossipSub, type Message, TopicValidatorResult } from '@chainsafe/libp2p-gossipsub'
import { P2pWorkerError } from '../errors.ts'
import type { Topic } from './types.ts'

/** The cluster's gossip topics on one node. */
export class Topics {
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
    this.#pubsub.topicValidators.set(topic, (_peer, message) => {
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

  stop(): void {
    for (const topic of [...this.#receivers.keys()]) this.#unsubscribe(topic)
    this.#pubsub.removeEventListener('message', this.#onMessage)
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
