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

/** How far a dial's handshake came, told through libp2p's `onProgress`. */
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

/** Which stage a progress event of a dial tells of, if it does. */
export function stageOf(event: { type: string }): HandshakeStage | undefined {
  if (event instanceof StageEvent) return event.stage
  return event.type === 'upgrader:encrypt-outbound-connection' ? 'encrypting' : undefined
}

/** For the other side to read why it is refused, in ms, before the connection closes. */
const LAST_WORD = 500

/** Told of a refused connection; `from` is an address, or a PeerId that is not on the list. */
export type OnRefused = (kind: 'key' | 'unlisted' | 'slow', from: string, detail: string) => void

/**
 * The pre-shared key, with a check: under a wrong key both sides read noise, and the handshake above it hangs until a timeout or ends with an error that
 * says nothing. So each side first sends a constant of the key, and a wrong key is a NotAdmittedError within a round trip. A side that does not get that
 * far within {@link STEP_TIMEOUT} is cut off.
 *
 * @param onKey - gets the id of the key of each connection that has shown one, with the address of the other side
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

/** The key that the other side says it uses. A side with an unknown key gets noise back, as under any wrong key. */
async function keyOfDialler(
  connection: MultiaddrConnection,
  ring: KeyRing,
  signal: AbortSignal | undefined
): Promise<HandshakeKey> {
  const key = ring.find(await readExactly(connection, HINT_BYTES, signal))
  if (key !== undefined) return key
  connection.send(randomBytes(NO_KEY.byteLength))
  // Without close, the bytes sent may be lost with the connection.
  await connection.close({ signal: signal ?? AbortSignal.timeout(STEP_TIMEOUT) }).catch(() => {})
  throw new NotAdmittedError(OTHER_KEY)
}

/**
 * As long as the nonce that opens a connection under a key and the check behind it, so that each side can tell that the other is
 * not like it.
 */
const NO_KEY = new TextEncoder().encode('p2p-worker without a key'.padEnd(24 + CHECK_BYTES, '.'))

/** In place of {@link keyProtector} where there is no key: says so, and a side with a key ends at once. */
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

/** For each connection whose handshake goes on above the key, the function that ends its time limit. */
const watched = new WeakMap<MessageStream, () => void>()

/**
 * Limits the time in which an inbound connection shows its key, and of each step after it ({@link limitHandshakeSteps}), and reports one that is late. An
 * outbound connection has the dial's own limit.
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
    // A late side may still have the key: its machine may be slow or paused.
    const what = late.signal.aborted ? 'has not shown a key in time' : 'has no key of this cluster'
    if (error instanceof NotAdmittedError) onRefused('key', host, `${host} ${what}`)
    throw error
  }
}

/** libp2p protects connections only; its type says less. */
function asConnection(stream: MessageStream): MultiaddrConnection {
  return stream as MultiaddrConnection
}

/** The address without the port, which differs each time. */
function hostOf(address: Multiaddr): string {
  return hostAndPort(address).host
}

/** The verdict that the dialled side sends once it knows the PeerId of the other one. */
const ADMITTED = 1
const UNLISTED = 0

/**
 * TLS under a protocol name of the cluster's own: peers of different clusters without keys end their handshake at once. A side that is not on the list of
 * the side that it dials is told so, before any protocol, and its connection ends.
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
        // Peers of this program choose the muxer within TLS. A muxer chosen later would take a step that nothing limits.
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
          // The answering side ends a dial to itself before it sends a verdict, and libp2p ends it here, too.
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
 * @libp2p/tls stops reading while the stream below it is full. When both sides send much, both stop, and neither ever reads again. The channels' windows
 * bound the bytes in flight anyway, so the stream never says that it is full.
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
 * libp2p also sends from microtasks and listeners, where an error ends the process: yamux when it opens a stream, any stream when it resumes. A connection
 * that has closed meanwhile loses the bytes anyway and tells its streams that it is closed, so this `send` does not throw then.
 */
function quietWhenClosed<T extends MessageStream>(stream: T): T {
  const send = stream.send.bind(stream)
  // The base class has `writeStatus`, but the interface does not.
  const state = stream as { writeStatus?: string }
  stream.send = data => (state.writeStatus === 'closing' || state.writeStatus === 'closed' ? true : send(data))
  return stream
}

function report(options: object | undefined, stage: HandshakeStage): void {
  const { onProgress } = (options ?? {}) as ProgressOptions
  onProgress?.(new StageEvent(stage))
}

/** Reads `count` bytes and leaves what follows to the next reader. */
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
    // A stream that has closed before emits no event any more.
    if (stream.status === 'closed' || stream.status === 'aborted' || stream.status === 'reset') return onClose()
    signal?.addEventListener('abort', onAbort, { once: true })
    stream.addEventListener('close', onClose)
    stream.addEventListener('message', onMessage)
  })
}
