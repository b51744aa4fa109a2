import type { Connection, Stream } from '@libp2p/interface'
import {
  ChannelClosedError,
  InvalidMessageError,
  NotAdmittedError,
  P2pWorkerError,
  StoppedError
} from '../../common/errors.ts'
import { delay, orAborted, signalAfter } from '../../lib/abort.ts'
import { Backoff } from '../../lib/backoff.ts'
import type { Guard } from '../guard/guard.ts'
import { RefusedMessageError } from '../guard/refusals.ts'
import type { AbortOptions, Channel, PeerIdString, Protocol, ProtocolHandler, ProtocolSpec } from '../types.ts'
import type { BulkWindow } from './bulk-window.ts'
import { FramedChannel } from './channel.ts'

/** The time limit for dialling a peer and opening a stream together, in ms. */
const OPEN_TIMEOUT = 5_000
/** The age (ms) of a connection up to which a missing protocol may mean that the other peer is still starting. */
const STARTING_UP = 2_000
/** The pause (ms) before this peer requests the protocol again from a peer that is still starting. */
const ASK_AGAIN = 50
/** The first and the longest pause (ms) before a new connection replaces a connection that ended at once: the other side may refuse. */
const CLOSED_AT_ONCE = [50, 2_000] as const

/** The part of the network that a protocol needs. */
export interface ProtocolHost {
  readonly self: PeerIdString
  readonly guard: Guard
  /** Returns an open connection to `peer`. Dials the peer if no connection is open. */
  connection(peer: PeerIdString, signal: AbortSignal): Promise<Connection>
  /** The bulk window that all channels of a connection share. */
  window(connection: Connection): BulkWindow
  unregister(protocol: PeerProtocol<never>): Promise<void>
  /** @param data - fields for the log line */
  onError(where: string, error: Error, data?: { peerId: PeerIdString; protocol: string }): void
}

/**
 * A registered protocol. If both sides open a channel at the same moment, both sides read both channels, so no message is lost. Messages keep
 * their order only within a channel. If the order matters, get one channel and send on that channel: a message that waits for a channel to open may be
 * overtaken by a message on the channel that the other side opened.
 */
export class PeerProtocol<T> implements Protocol<T> {
  readonly id: string
  readonly #host: ProtocolHost
  readonly #spec: ProtocolSpec<T>
  readonly #handler: ProtocolHandler<T>
  readonly #channels = new Map<PeerIdString, FramedChannel<T>[]>()
  readonly #opening = new Map<PeerIdString, Promise<FramedChannel<T>>>()
  readonly #stop = new AbortController()

  constructor(id: string, host: ProtocolHost, spec: ProtocolSpec<T>, handler: ProtocolHandler<T>) {
    this.id = id
    this.#host = host
    this.#spec = spec
    this.#handler = handler
  }

  async channel(peer: PeerIdString, options: AbortOptions = {}): Promise<Channel<T>> {
    options.signal?.throwIfAborted()
    const existing = this.#openChannel(peer)
    if (existing !== undefined) return existing
    if (peer === this.#host.self) throw new P2pWorkerError('a peer opens no channel to itself')
    if (!this.#mayBeSpokenWith(peer)) throw this.#notAllowed(peer)
    let opening = this.#opening.get(peer)
    if (opening === undefined) {
      opening = this.#open(peer).finally(() => this.#opening.delete(peer))
      // This prevents an unhandled rejection when every caller has given up before the attempt fails.
      opening.catch(() => {})
      this.#opening.set(peer, opening)
    }
    return orAborted(opening, options.signal)
  }

  async send(peer: PeerIdString, message: T, options: AbortOptions = {}): Promise<void> {
    const channel = await this.channel(peer, options)
    await channel.send(message, options)
  }

  channels(): Channel<T>[] {
    return [...this.#channels.values()].flat().filter(channel => channel.isOpen)
  }

  /** Returns the time of the last message to or from `peer`, by the monotonic clock. */
  usedAt(peer: PeerIdString): number {
    return Math.max(Number.NEGATIVE_INFINITY, ...(this.#channels.get(peer) ?? []).map(channel => channel.usedAt))
  }

  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return
    this.#stop.abort(new StoppedError(`the protocol "${this.#spec.name}" was closed`))
    await this.#host.unregister(this as unknown as PeerProtocol<never>)
    await Promise.all([...this.#channels.values()].flat().map(channel => channel.close()))
  }

  /** Accepts a stream that the other side opened, and makes a channel of the stream. */
  accept(stream: Stream, connection: Connection): void {
    if (this.#stop.signal.aborted) {
      stream.abort(new StoppedError('this protocol is closed'))
      return
    }
    const remote = connection.remotePeer.toString()
    if (!this.#mayBeSpokenWith(remote)) {
      const refusal = this.#notAllowed(remote)
      this.#host.guard.refusals.count('role', remote, refusal.message)
      stream.abort(refusal)
      return
    }
    // The first message of a stream may exceed the rate before it is checked, so opening a stream counts as a message.
    if (!this.#host.guard.rateLimiter.admits(this.#spec.name, remote)) {
      const what = `more streams of "${this.#spec.name}" than a peer may open`
      this.#host.guard.refusals.count('rate', remote, what)
      stream.abort(new InvalidMessageError(what))
      return
    }
    this.#adopt(stream, connection, 'inbound')
  }

  /** Ends the channels that the changed allow list no longer permits. */
  recheckAccess(): void {
    for (const channel of this.channels()) {
      if (!this.#mayBeSpokenWith(channel.remote)) channel.abort(this.#notAllowed(channel.remote))
    }
  }

  #mayBeSpokenWith(peer: PeerIdString): boolean {
    const { needs } = this.#spec
    return needs === undefined || this.#host.guard.admission.may(peer, needs)
  }

  #notAllowed(peer: PeerIdString): NotAdmittedError {
    return new NotAdmittedError(
      `the allow list does not let ${peer} ${this.#spec.needs}, so not speak "${this.#spec.name}"`
    )
  }

  #openChannel(peer: PeerIdString): FramedChannel<T> | undefined {
    return this.#channels.get(peer)?.find(channel => channel.isOpen)
  }

  async #open(peer: PeerIdString): Promise<FramedChannel<T>> {
    const timeout = signalAfter(OPEN_TIMEOUT)
    const signal = AbortSignal.any([this.#stop.signal, timeout])
    const backoff = new Backoff(...CLOSED_AT_ONCE)
    try {
      for (;;) {
        const connection = await this.#host.connection(peer, signal)
        const existing = this.#openChannel(peer)
        if (existing !== undefined) return existing
        try {
          const stream = await connection.newStream(this.id, {
            signal,
            maxOutboundStreams: this.#host.guard.limits.streams
          })
          return this.#adopt(stream, connection, 'outbound')
        } catch (error) {
          if (signal.aborted) throw error
          const unknown = error instanceof Error && error.name === 'UnsupportedProtocolError'
          const young = Date.now() - connection.timeline.open < STARTING_UP
          if (unknown ? !young : connection.status === 'open') throw error
          await (unknown ? delay(ASK_AGAIN, signal) : backoff.wait(signal))
        }
      }
    } catch (cause) {
      if (this.#stop.signal.aborted) throw this.#stop.signal.reason
      const why = timeout.aborted
        ? `no answer within ${OPEN_TIMEOUT / 1000} s`
        : cause instanceof Error
          ? cause.message
          : String(cause)
      throw new ChannelClosedError(`could not open "${this.#spec.name}" to ${peer}: ${why}`, { cause })
    }
  }

  #adopt(stream: Stream, connection: Connection, direction: 'inbound' | 'outbound'): FramedChannel<T> {
    const remote = connection.remotePeer.toString()
    const { rateLimiter, inboxes, limits } = this.#host.guard
    const channel = new FramedChannel<T>({
      stream,
      remote,
      direction,
      spec: this.#spec,
      handler: this.#handler,
      window: this.#host.window(connection),
      inbox: { admits: () => rateLimiter.admits(this.#spec.name, remote), budget: inboxes.of(remote) },
      slowReader: { bytes: limits.outboxBytes, ms: limits.slowReaderMs },
      onEnd: ended => this.#remove(ended),
      onError: error => this.#onError(remote, error)
    })
    const list = this.#channels.get(remote)
    if (list === undefined) this.#channels.set(remote, [channel])
    else list.push(channel)
    channel.start()
    return channel
  }

  #onError(remote: PeerIdString, error: Error): void {
    if (error instanceof RefusedMessageError) this.#host.guard.refusals.count(error.refusal, remote, error.message)
    else if (error instanceof InvalidMessageError) this.#host.guard.refusals.count('message', remote, error.message)
    this.#host.onError(`"${this.#spec.name}" from ${remote}`, error, { peerId: remote, protocol: this.#spec.name })
  }

  #remove(channel: FramedChannel<T>): void {
    const left = (this.#channels.get(channel.remote) ?? []).filter(other => other !== channel)
    if (left.length === 0) this.#channels.delete(channel.remote)
    else this.#channels.set(channel.remote, left)
  }
}
