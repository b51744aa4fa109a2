import type { Connection } from '@libp2p/interface'
import type { Multiaddr } from '@multiformats/multiaddr'
import { NotAdmittedError } from '../../common/errors.ts'
import { allowManyListeners } from '../../lib/abort.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { peerOf } from '../multiaddr.ts'
import { type Node, UPGRADE_TIMEOUT } from '../node.ts'
import { type HandshakeStage, stageOf } from '../transport/handshake.ts'
import type { DialOutcome, PeerIdString, RefusedReason } from '../types.ts'

/** The time limit of a TCP connect, in ms. */
const TCP_TIMEOUT = 3_000
/** The time (ms) after a successful dial in which this peer may learn the members. */
const MEETING_TIME = 2_000
const NOT_LISTED = "it does not have this process's PeerId on its allow list"
const NOT_LISTED_HERE = 'the peer that answers there is not on the allow list here, or floods this peer'

/** The limit of addresses that `tried` remembers. */
const MAX_TRIED = 200

/**
 * The result of a dial. `refused`: a process answered, but did not admit this peer. `certain` is true if the handshake showed that the keys differ, or that
 * the allow list omits this peer. If `certain` is false, the other process may also have ended during the handshake.
 */
export type DialResult =
  | { outcome: 'connected'; connection: Connection; peer: PeerIdString }
  | { outcome: 'refused'; reason: RefusedReason; certain: boolean; error: Error }
  | { outcome: 'self' | 'other-peer' | 'unreachable'; error: Error }

export type OnDialRefused = (address: string, reason: RefusedReason, error: Error, certain: boolean) => void

/** Dials addresses and remembers the result of each dial. */
export class Dialer {
  readonly #node: Node
  /** The last result by address. `isSuspicious`: the handshake broke off without a reason. Peers can announce any number of addresses, so the map is bounded. */
  readonly #tried = new BoundedMap<string, { outcome: string; kind: DialOutcome; isSuspicious: boolean }>(MAX_TRIED)
  readonly #onRefused: OnDialRefused
  #underWay = 0
  #connectedAt = Number.NEGATIVE_INFINITY

  constructor(node: Node, onRefused: OnDialRefused) {
    this.#node = node
    this.#onRefused = onRefused
  }

  /** Returns the dialled addresses, with the last result of each address. */
  tried(): { address: string; outcome: string; kind: DialOutcome }[] {
    return [...this.#tried].map(([address, { outcome, kind }]) => ({ address, outcome, kind }))
  }

  /** Whether a dial is running or has just connected. */
  get isMeeting(): boolean {
    return this.#underWay > 0 || performance.now() - this.#connectedAt < MEETING_TIME
  }

  /** Dials `address`, or uses an existing connection to the peer that `address` names. Never rejects. */
  async dial(address: Multiaddr, signal: AbortSignal): Promise<DialResult> {
    const key = address.toString()
    if (peerOf(address) === this.#node.peerId.toString()) {
      return this.#note(key, { outcome: 'self', error: new Error('this is our own address') })
    }
    let stage: HandshakeStage | undefined
    const timeout = new AbortController()
    const giveUp = () => timeout.abort(new DOMException('no answer in time', 'TimeoutError'))
    let timer = setTimeout(giveUp, TCP_TIMEOUT)
    const onAbort = () => timeout.abort(signal.reason)
    allowManyListeners(signal).addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    this.#underWay += 1
    try {
      const connection = await this.#node.dial(address, {
        signal: allowManyListeners(timeout.signal),
        onProgress: (event: { type: string }) => {
          if (stage === undefined && stageOf(event) !== undefined) {
            clearTimeout(timer)
            timer = setTimeout(giveUp, UPGRADE_TIMEOUT)
          }
          stage = stageOf(event) ?? stage
        }
      })
      this.#connectedAt = performance.now()
      return this.#note(key, { outcome: 'connected', connection, peer: connection.remotePeer.toString() })
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      if (signal.aborted) return { outcome: 'unreachable', error }
      return this.#note(key, failure(error, stage, timeout.signal.aborted))
    } finally {
      this.#underWay -= 1
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  #note(key: string, result: DialResult): DialResult {
    const wasSuspicious = this.#tried.get(key)?.isSuspicious === true
    // A process that ends during a handshake looks like one refusal. A second refusal at the same address is a real refusal.
    const isSuspicious = result.outcome === 'refused' && (!result.certain || wasSuspicious)
    this.#tried.set(key, { outcome: describe(result), kind: result.outcome, isSuspicious })
    if (result.outcome === 'refused' && (result.certain || wasSuspicious))
      this.#onRefused(key, result.reason, refusal(key, result), result.certain)
    return result
  }
}

/** Returns the result of a failed dial. */
function failure(error: Error, stage: HandshakeStage | undefined, timedOut: boolean): DialResult {
  if (error.name === 'InvalidPeerIdError') return { outcome: 'self', error }
  if (stage === 'unlisted') {
    const unlisted = new NotAdmittedError(NOT_LISTED, { cause: error })
    return { outcome: 'refused', reason: 'unlisted', certain: true, error: unlisted }
  }
  if (error.name === 'NotAdmittedError') return { outcome: 'refused', reason: 'key', certain: true, error }
  if (error.name === 'DialDeniedError' || error.name === 'ConnectionInterceptedError')
    return { outcome: 'unreachable', error: new NotAdmittedError(NOT_LISTED_HERE, { cause: error }) }
  if (stage === 'other-peer') return { outcome: 'other-peer', error }
  // A process that accepts a connection and then stays silent may be paused or overloaded, so silence does not count as a refusal.
  if (stage === undefined || stage === 'tls' || timedOut || error.name === 'TimeoutError')
    return { outcome: 'unreachable', error }
  return { outcome: 'refused', reason: 'key', certain: false, error }
}

function refusal(
  address: string,
  { reason, error: cause }: Extract<DialResult, { outcome: 'refused' }>
): NotAdmittedError {
  const why =
    reason === 'unlisted' ? cause.message : `most likely its cluster has another key or name (${cause.message})`
  return new NotAdmittedError(`${address} answered but did not let us in: ${why}`, { cause })
}

function describe(result: DialResult): string {
  switch (result.outcome) {
    case 'connected':
      return `connected to ${result.peer}`
    case 'refused':
      return result.certain ? result.error.message : `it broke off the handshake (${result.error.message})`
    case 'self':
      return 'this is our own address'
    case 'other-peer':
      return 'another peer answers there'
    case 'unreachable':
      return result.error.name === 'TimeoutError' ? 'no answer' : result.error.message
  }
}
