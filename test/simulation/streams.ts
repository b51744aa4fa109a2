/**
 * Streams between two simulated processes. Each message arrives exactly once and in order, or the stream breaks and both sides learn of the
 * break. The world loses and reorders messages, so streams number, repeat and reorder the messages, as TCP does.
 */
import type { Host } from './world.ts'

export const STREAM = 'stream'
/** The prefix of the streams' timers. */
const TIMER = 'stream:'
const REPEAT_MS = 250
/** The time, in ms, after which an unacknowledged message breaks the stream. */
const BROKEN_MS = 2_500
/** The interval, in ms, at which both sides confirm that the stream exists. The message that reports a broken stream may have been lost. */
const ALIVE_MS = 2_000
const ALIVE = `${TIMER} alive`

type Frame =
  /** All messages of the session before `acknowledged` have arrived. `hears` is the session of the opposite direction, if one exists. */
  | {
      type: 'data'
      session: string
      sequence: number
      acknowledged: number
      hears: string | undefined
      message: unknown
    }
  | { type: 'ack'; session: string; received: number }
  | { type: 'reset'; session: string }
  /** All messages of the session have arrived. */
  | { type: 'alive'; session: string }

interface Outgoing {
  session: string
  next: number
  unacknowledged: { sequence: number; message: unknown; since: number }[]
}

interface Incoming {
  session: string
  expected: number
  early: Map<number, unknown>
}

export interface StreamsHandler {
  onMessage(from: string, message: unknown): void
  onBroken(peer: string): void
}

export class Streams {
  readonly #host: Host
  readonly #handler: StreamsHandler
  readonly #outgoing = new Map<string, Outgoing>()
  readonly #incoming = new Map<string, Incoming>()
  readonly #ended = new Set<string>()
  #isAlive = false

  constructor(host: Host, handler: StreamsHandler) {
    this.#host = host
    this.#handler = handler
  }

  send(to: string, message: unknown): void {
    let outgoing = this.#outgoing.get(to)
    if (outgoing === undefined) {
      outgoing = { session: `${this.#host.id} ${this.#host.random()}`, next: 0, unacknowledged: [] }
      this.#outgoing.set(to, outgoing)
    }
    if (!this.#isAlive) this.#host.timer(ALIVE, ALIVE_MS)
    this.#isAlive = true
    const sequence = outgoing.next++
    outgoing.unacknowledged.push({ sequence, message, since: this.#host.now() })
    this.#data(to, outgoing, sequence, message)
    if (outgoing.unacknowledged.length === 1) this.#host.timer(`${TIMER}${to}`, REPEAT_MS)
  }

  receive(from: string, raw: unknown): void {
    const frame = raw as Frame
    if (this.#ended.has(frame.session)) {
      if (frame.type === 'data' || frame.type === 'alive')
        this.#transmit(from, { type: 'reset', session: frame.session })
      return
    }
    if (frame.type === 'alive') {
      // The session belongs to an earlier life of this process.
      if (this.#incoming.get(from)?.session !== frame.session)
        this.#transmit(from, { type: 'reset', session: frame.session })
      return
    }
    // If one direction is broken, the opposite direction must break as well, even if the message that resets it was lost.
    if (frame.type === 'data' && frame.hears !== undefined && this.#ended.has(frame.hears))
      this.#transmit(from, { type: 'reset', session: frame.hears })
    else if (frame.type === 'data') this.#onData(from, frame)
    else if (frame.type === 'ack') this.#onAck(from, frame)
    else {
      // The reset may have overtaken earlier data of this session. The receiver must ignore that data when it arrives.
      this.#ended.add(frame.session)
      if (this.#outgoing.get(from)?.session === frame.session || this.#incoming.get(from)?.session === frame.session)
        this.break(from)
    }
  }

  /** Handles a timer of a stream. Returns false if the timer belongs to no stream. */
  timer(name: string): boolean {
    if (!name.startsWith(TIMER)) return false
    if (name === ALIVE) {
      for (const [to, { session, next, unacknowledged }] of this.#outgoing)
        if (next > 0 && unacknowledged.length === 0) this.#transmit(to, { type: 'alive', session })
      this.#isAlive = this.#outgoing.size > 0
      if (this.#isAlive) this.#host.timer(ALIVE, ALIVE_MS)
      return true
    }
    const to = name.slice(TIMER.length)
    const outgoing = this.#outgoing.get(to)
    const oldest = outgoing?.unacknowledged[0]
    if (outgoing === undefined || oldest === undefined) return true
    if (this.#host.now() - oldest.since > BROKEN_MS) {
      this.break(to)
      return true
    }
    for (const { sequence, message } of outgoing.unacknowledged) this.#data(to, outgoing, sequence, message)
    this.#host.timer(name, REPEAT_MS)
    return true
  }

  /** Breaks the streams to and from a peer. */
  break(peer: string): void {
    const sessions = [this.#outgoing.get(peer)?.session, this.#incoming.get(peer)?.session]
    this.#outgoing.delete(peer)
    this.#incoming.delete(peer)
    this.#host.timer(`${TIMER}${peer}`, undefined)
    for (const session of sessions) {
      if (session === undefined) continue
      this.#ended.add(session)
      this.#transmit(peer, { type: 'reset', session })
    }
    if (sessions.some(session => session !== undefined)) this.#handler.onBroken(peer)
  }

  #onData(from: string, { session, sequence, acknowledged, message }: Extract<Frame, { type: 'data' }>): void {
    let incoming = this.#incoming.get(from)
    if (incoming?.session !== session) {
      if (acknowledged > 0) {
        // The session belongs to an earlier life of this process.
        this.#transmit(from, { type: 'reset', session })
        return
      }
      // The remote side has begun a new session, and knows nothing of the earlier session.
      if (incoming !== undefined) this.break(from)
      incoming = { session, expected: 0, early: new Map() }
      this.#incoming.set(from, incoming)
    }
    if (sequence >= incoming.expected) incoming.early.set(sequence, message)
    const messages: unknown[] = []
    while (incoming.early.has(incoming.expected)) {
      messages.push(incoming.early.get(incoming.expected))
      incoming.early.delete(incoming.expected++)
    }
    this.#transmit(from, { type: 'ack', session, received: incoming.expected })
    for (const each of messages) this.#handler.onMessage(from, each)
  }

  #onAck(from: string, { session, received }: Extract<Frame, { type: 'ack' }>): void {
    const outgoing = this.#outgoing.get(from)
    if (outgoing?.session !== session) return
    outgoing.unacknowledged = outgoing.unacknowledged.filter(({ sequence }) => sequence >= received)
    if (outgoing.unacknowledged.length === 0) this.#host.timer(`${TIMER}${from}`, undefined)
  }

  #data(to: string, { session, unacknowledged }: Outgoing, sequence: number, message: unknown): void {
    const acknowledged = unacknowledged[0]!.sequence
    this.#transmit(to, {
      type: 'data',
      session,
      sequence,
      acknowledged,
      hears: this.#incoming.get(to)?.session,
      message
    })
  }

  #transmit(to: string, frame: Frame): void {
    this.#host.send(to, STREAM, frame)
  }
}
