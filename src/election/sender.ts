import type { Logger } from '../common/logger.ts'
import { atMost, signalAfter } from '../lib/abort.ts'
import type { PeerIdString, Protocol } from '../network/types.ts'
import type { AnyMessage } from './codec.ts'

/** The time limit for sending a message, in ms. The core repeats each message that must arrive. */
const SEND_TIMEOUT = 5_000
/** How long a leaving peer waits for messages that are being sent, in ms. */
const FLUSH_TIMEOUT = 1_000

/** Sends messages of the election. Drops a message that cannot be sent. */
export class Sender {
  readonly #protocol: Protocol<AnyMessage>
  readonly #stopping: AbortSignal
  readonly #logger: Logger | undefined
  readonly #sending = new Set<Promise<void>>()

  constructor(protocol: Protocol<AnyMessage>, stopping: AbortSignal, logger: Logger | undefined) {
    this.#protocol = protocol
    this.#stopping = stopping
    this.#logger = logger
  }

  send(to: PeerIdString, message: AnyMessage): void {
    const signal = AbortSignal.any([this.#stopping, signalAfter(SEND_TIMEOUT)])
    const sent = this.#protocol
      .send(to, message, { signal })
      .catch(error => this.#logger?.debug({ peerId: to, message: message.type, error }, 'election message not sent'))
      .finally(() => this.#sending.delete(sent))
    this.#sending.add(sent)
  }

  /** Waits until the present messages are sent, but at most for `FLUSH_TIMEOUT`. */
  async flush(): Promise<void> {
    await atMost(Promise.all(this.#sending), FLUSH_TIMEOUT)
  }

  async stop(): Promise<void> {
    await this.#protocol.close()
    await Promise.all(this.#sending)
  }
}
