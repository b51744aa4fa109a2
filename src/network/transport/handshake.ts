import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { ConnectionEncrypter, ConnectionProtector, MessageStream, MultiaddrConnection } from '@libp2p/interface'
import { tls } from '@libp2p/tls'
import type { Multiaddr } from '@multiformats/multiaddr'
import type { Uint8ArrayList } from 'uint8arraylist'
import { NotAdmittedError } from '../../common/errors.ts'
import { hostAndPort } from '../multiaddr.ts'
import type { PeerIdString } from '../types.ts'
import { limitHandshakeSteps, STEP_TIMEOUT } from './handshake-timeout.ts'
import { CHECK_BYTES, type HandshakeKey, HINT_BYTES, hintOf, type KeyRing } from './key-ring.ts'

/** The last stage that the handshake of a dial reached. libp2p's `onProgress` reports the stages. */
export type HandshakeStage = 'tcp' | 'encrypting' | 'tls' | 'other-peer' | 'unlisted'

const STAGE_EVENT = 'p2p-worker:handshake'

type ProgressOptions = { signal?: AbortSignal; onProgress?: (event: Event) => void }

class StageEvent extends Event {
  readonly stage: HandshakeStage

  constructor(stage: HandshakeStage) {
    super(STAGE_EVENT)
    this.stage = stage
  }
}

/** Returns the stage that a progress event of a dial reports, or undefined if the event reports no stage. */
export function stageOf(event: { type: string }): HandshakeStage | undefined {
  if (event instanceof StageEvent) return event.stage
  return event.type === 'upgrader:encrypt-outbound-connection' ? 'encrypting' : undefined
}

/** The time (ms) before a refused connection closes, so that the other side can read the reason. */
const LAST_WORD = 500

/** Called for a refused connection. `from` is the PeerId if the peer is missing on the allow list, and the address otherwise. */
export type OnRefused = (kind: 'key' | 'unlisted' | 'slow', from: string, detail: string) => void

/**
 * Returns the protector, which encrypts by the pre-shared key and checks the key. Under a wrong key, both sides read noise, and TLS would hang or end
 * with a meaningless error. So each side first sends a constant derived from the key. A wrong key gives a NotAdmittedError within a round trip. A side that
 * does not send the constant within {@link STEP_TIMEOUT} is disconnected.
 *
 * @param onKey - called with the other side's address and the id of the key that the other side has shown
 */
export function keyProtector(
  ring: KeyRing,
  onKey: (address: Multiaddr, keyId: string) => void,
  onRefused: OnRefused
): () => ConnectionProtector {
  return () => ({
    async protect(stream, options) {
      report(options, 'tcp')
      const connection = quietWhenClosed(asConnection(stream))
      return await asListener(connection, options, onRefused, async signal => {
        const key = connection.direction === 'inbound' ? await keyOfDialler(connection, ring, signal) : ring.first
        if (connection.direction !== 'inbound') connection.send(hintOf(key))
        const secured = quietWhenClosed(
          await key.protector.protect(connection, { ...options, ...(signal && { signal }) })
        )
        secured.send(key.check)
        const theirs = await readExactly(secured, CHECK_BYTES, signal)
        if (!timingSafeEqual(theirs, key.check)) throw new NotAdmittedError(OTHER_KEY)
        onKey(connection.remoteAddr, key.id)
        return secured
      })
    }
  })
}

const OTHER_KEY = 'the other side uses another cluster key'

/** Returns the key that the dialling side names. A dialling side with an unknown key receives noise, as under any wrong key. */
async function keyOfDialler(
  connection: MultiaddrConnection,
  ring: KeyRing,
  signal: AbortSignal | undefined
): Promise<HandshakeKey> {
  const key = ring.find(await readExactly(connection, HINT_BYTES, signal))
  if (key !== undefined) return key
  connection.send(randomBytes(NO_KEY.byteLength))
  // Close instead of aborting, because an abort may drop the sent bytes.
  await connection.close({ signal: signal ?? AbortSignal.timeout(STEP_TIMEOUT) }).catch(() => {})
  throw new NotAdmittedError(OTHER_KEY)
}

/**
 * The bytes that a side without a key sends. The bytes are as long as the nonce and the check that a side with a key sends first, so that
 * a side with a key and a side without a key recognize each other.
 */
const NO_KEY = new TextEncoder().encode('p2p-worker without a key'.padEnd(24 + CHECK_BYTES, '.'))

/** Returns the protector of a cluster without a key, in place of {@link keyProtector}. It sends {@link NO_KEY}, and a side with a key then disconnects. */
export function openProtector(onRefused: OnRefused): () => ConnectionProtector {
  return () => ({
    async protect(stream, options) {
      report(options, 'tcp')
      const connection = asConnection(stream)
      return await asListener(connection, options, onRefused, async signal => {
        connection.send(NO_KEY)
        const theirs = await readExactly(connection, NO_KEY.byteLength, signal)
        if (!timingSafeEqual(theirs, NO_KEY)) throw new NotAdmittedError('the other side uses a cluster key')
        return quietWhenClosed(connection)
      })
    }
  })
}

/** The function that ends the time limit of a connection, for each connection whose handshake continues after the key. */
const watched = new WeakMap<MessageStream, () => void>()

/**
 * Limits the time in which an inbound connection must show its key, and the time of each later step ({@link limitHandshakeSteps}). Reports a late
 * connection. Does not limit outbound connections, because dials have their own time limit.
 */
async function asListener<T extends MessageStream>(
  connection: MultiaddrConnection,
  options: { signal?: AbortSignal } | undefined,
  onRefused: OnRefused,
  handshake: (signal: AbortSignal | undefined) => Promise<T>
): Promise<T> {
  if (connection.direction !== 'inbound') return await handshake(options?.signal)
  const host = hostOf(connection.remoteAddr)
  const late = new AbortController()
  let hasKey = false
  const stop = limitHandshakeSteps(connection, () => {
    if (!hasKey) return late.abort(new NotAdmittedError('it has not shown a key in time'))
    onRefused('slow', host, `${host} began a handshake and did not go on with it`)
    connection.abort(new NotAdmittedError('it did not go on with the handshake'))
  })
  const signal = options?.signal === undefined ? late.signal : AbortSignal.any([options.signal, late.signal])
  try {
    const secured = await handshake(signal)
    hasKey = true
    watched.set(secured, stop)
    return secured
  } catch (error) {
    stop()
    // A late side may have the right key, because the machine of that side may be slow or paused.
    const what = late.signal.aborted ? 'has not shown a key in time' : 'has no key of this cluster'
    if (error instanceof NotAdmittedError) onRefused('key', host, `${host} ${what}`)
    throw error
  }
}

/** Narrows the type of a protected stream. libp2p protects only connections, but the declared type allows any stream. */
function asConnection(stream: MessageStream): MultiaddrConnection {
  return stream as MultiaddrConnection
}

/** Returns only the host of the address, because the port of an inbound connection is different each time. */
function hostOf(address: Multiaddr): string {
  return hostAndPort(address).host
}

/** The verdict that the dialled side sends if the allow list admits the PeerId of the dialling side. */
const ADMITTED = 1
const UNLISTED = 0

/**
 * Returns TLS under a protocol name that contains the cluster's id, so that handshakes between insecure clusters fail at once. A dialling side
 * that is not on the dialled side's allow list learns the refusal before any protocol starts, and then the connection ends.
 */
export function clusterTls(
  clusterId: string,
  admits: (peer: PeerIdString) => boolean,
  onRefused: OnRefused
): (components: Parameters<ReturnType<typeof tls>>[0]) => ConnectionEncrypter {
  return components => {
    const inner = tls()(components)
    return {
      protocol: `/p2p-worker/${clusterId}${inner.protocol}`,
      async secureInbound(connection, options) {
        const secured = await inner.secureInbound(withoutBackpressure(connection), options).finally(() => {
          watched.get(connection)?.()
        })
        quietWhenClosed(secured.connection)
        const peer = secured.remotePeer.toString()
        const isAdmitted = admits(peer)
        secured.connection.send(Uint8Array.of(isAdmitted ? ADMITTED : UNLISTED))
        // Peers of this program negotiate the muxer within TLS. A later negotiation would be a step without a time limit.
        if (isAdmitted && secured.streamMuxer === undefined) throw new Error('no muxer was chosen within TLS')
        if (isAdmitted) return secured
        onRefused('unlisted', peer, `${peer} is not on the allow list`)
        await secured.connection.close({ signal: AbortSignal.timeout(LAST_WORD) }).catch(() => {})
        throw new NotAdmittedError(`${peer} is not on the allow list`)
      },
      async secureOutbound(connection, options) {
        report(options, 'tls')
        try {
          const secured = await inner.secureOutbound(withoutBackpressure(connection), options)
          quietWhenClosed(secured.connection)
          // In a dial to itself, the answering side sends no verdict. libp2p ends the connection on both sides.
          if (secured.remotePeer.publicKey?.equals(components.privateKey.publicKey) === true) return secured
          const [verdict] = await readExactly(secured.connection, 1, options?.signal)
          if (verdict === ADMITTED) return secured
          report(options, 'unlisted')
          throw new NotAdmittedError('the other side does not have this peer on its allow list')
        } catch (error) {
          if (error instanceof Error && error.name === 'UnexpectedPeerError') report(options, 'other-peer')
          throw error
        }
      }
    }
  }
}

/**
 * Makes `send` never report a full stream. @libp2p/tls stops reading while the stream below TLS is full. If both sides send much data, both sides stop, and
 * neither side ever reads again. Backpressure is not needed, because the channels' windows bound the bytes in flight.
 */
function withoutBackpressure(stream: MessageStream): MessageStream {
  const send = stream.send.bind(stream)
  stream.send = data => {
    send(data)
    return true
  }
  return stream
}

/**
 * Makes `send` not throw after a close. libp2p also sends from microtasks and listeners, where an error ends the process: for example when yamux
 * opens a stream, or when a stream resumes. The bytes of a closed connection are lost in any case, and each stream gets the close event of the connection.
 */
function quietWhenClosed<T extends MessageStream>(stream: T): T {
  const send = stream.send.bind(stream)
  // The class of the stream has the field `writeStatus`, but the declared interface omits the field.
  const state = stream as { writeStatus?: string }
  stream.send = data => (state.writeStatus === 'closing' || state.writeStatus === 'closed' ? true : send(data))
  return stream
}

function report(options: object | undefined, stage: HandshakeStage): void {
  const { onProgress } = (options ?? {}) as ProgressOptions
  onProgress?.(new StageEvent(stage))
}

/** Reads `count` bytes, and leaves further bytes to the next reader. */
function readExactly(stream: MessageStream, count: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const bytes = new Uint8Array(count)
    let filled = 0
    const stop = () => {
      stream.removeEventListener('message', onMessage)
      stream.removeEventListener('close', onClose)
      signal?.removeEventListener('abort', onAbort)
    }
    const onAbort = () => {
      stop()
      reject(signal?.reason)
    }
    const onClose = () => {
      stop()
      reject(new Error('the connection closed during the handshake'))
    }
    const onMessage = (event: { data: Uint8Array | Uint8ArrayList }) => {
      const data = event.data.subarray()
      const taken = data.subarray(0, count - filled)
      bytes.set(taken, filled)
      filled += taken.byteLength
      if (filled < count) return
      stop()
      if (data.byteLength > taken.byteLength) stream.unshift(data.subarray(taken.byteLength))
      resolve(bytes)
    }
    if (signal?.aborted === true) return onAbort()
    // A closed stream emits no further event, so check the status now.
    if (stream.status === 'closed' || stream.status === 'aborted' || stream.status === 'reset') return onClose()
    signal?.addEventListener('abort', onAbort, { once: true })
    stream.addEventListener('close', onClose)
    stream.addEventListener('message', onMessage)
  })
}
