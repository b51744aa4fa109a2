import { hkdfSync, timingSafeEqual } from 'node:crypto'
import type { ConnectionEncrypter, ConnectionProtector, MessageStream } from '@libp2p/interface'
import { preSharedKey } from '@libp2p/pnet'
import { tls } from '@libp2p/tls'
import type { Uint8ArrayList } from 'uint8arraylist'
import { NotAdmittedError } from '../errors.ts'

/** How far a dial's handshake came, told through libp2p's `onProgress`. */
export type HandshakeStage = 'tcp' | 'encrypting' | 'tls' | 'other-peer'

const STAGE_EVENT = 'p2p-worker:handshake'
const CHECK_BYTES = 16

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

/**
 * The pre-shared key, with a check: under a wrong key both sides read noise, and the handshake above it hangs until a
 * timeout or ends with an error that says nothing. So each side first sends a constant of the key; a NotAdmittedError
 * comes within a round trip.
 */
export function keyProtector(psk: Uint8Array): () => ConnectionProtector {
  const check = new Uint8Array(hkdfSync('sha256', psk, '', 'p2p-worker key check', CHECK_BYTES))
  return () => {
    const inner = preSharedKey({ psk })()
    return {
      async protect(connection, options) {
        report(options, 'tcp')
        const stream = quietWhenClosed(await inner.protect(quietWhenClosed(connection), options))
        stream.send(check)
        const theirs = await readExactly(stream, CHECK_BYTES, options?.signal)
        if (!timingSafeEqual(theirs, check)) throw new NotAdmittedError('the other side uses another cluster key')
        return stream
      }
    }
  }
}

/** As long as the nonce that opens a connection under a key, so that each side can tell that the other is not like it. */
const NO_KEY = new TextEncoder().encode('p2p-worker without a key')

/** In place of {@link keyProtector} where there is no key: says so, and a side with a key ends at once. */
export function openProtector(): () => ConnectionProtector {
  return () => ({
    async protect(connection, options) {
      report(options, 'tcp')
      connection.send(NO_KEY)
      const theirs = await readExactly(connection, NO_KEY.byteLength, options?.signal)
      if (!timingSafeEqual(theirs, NO_KEY)) throw new NotAdmittedError('the other side uses a cluster key')
      return quietWhenClosed(connection)
    }
  })
}

/**
 * TLS under a protocol name of the cluster's own: peers of different clusters without keys end their handshake at once.
 */
export function clusterTls(
  clusterId: string
): (components: Parameters<ReturnType<typeof tls>>[0]) => ConnectionEncrypter {
  return components => {
    const inner = tls()(components)
    return {
      protocol: `/p2p-worker/${clusterId}${inner.protocol}`,
      async secureInbound(connection, options) {
        const secured = await inner.secureInbound(withoutBackpressure(connection), options)
        quietWhenClosed(secured.connection)
        return secured
      },
      async secureOutbound(connection, options) {
        report(options, 'tls')
        try {
          const secured = await inner.secureOutbound(withoutBackpressure(connection), options)
          quietWhenClosed(secured.connection)
          return secured
        } catch (error) {
          if (error instanceof Error && error.name === 'UnexpectedPeerError') report(options, 'other-peer')
          throw error
        }
      }
    }
  }
}

/**
 * @libp2p/tls stops reading while the stream below it is full. When both sides send much, both stop, and neither ever
 * reads again. What may be under way is bounded by the channels' windows anyway, so the stream never says that it is full.
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
 * libp2p sends from microtasks and listeners, too, where what is thrown ends the process: yamux when it opens a stream, any
 * stream when it goes on after a pause. A connection that closes between loses what is sent on it anyway, and tells its
 * streams that it is closed; so then nothing is thrown.
 */
function quietWhenClosed<T extends MessageStream>(stream: T): T {
  const send = stream.send.bind(stream)
  // libp2p's base class has it, the interface only has that of a muxed stream.
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
    // Of a stream that has closed before, no event tells any more.
    if (stream.status === 'closed' || stream.status === 'aborted' || stream.status === 'reset') return onClose()
    signal?.addEventListener('abort', onAbort, { once: true })
    stream.addEventListener('close', onClose)
    stream.addEventListener('message', onMessage)
  })
}
