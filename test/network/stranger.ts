/** Strangers that a cluster must refuse: libp2p nodes that continue after a refusal, and plain sockets. Attempts are measured in idle time. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type GossipSub, gossipsub, StrictSign } from '@chainsafe/libp2p-gossipsub'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { type Identify, identify } from '@libp2p/identify'
import type { ConnectionEncrypter, ConnectionProtector, Libp2p, MessageStream } from '@libp2p/interface'
import { tcp } from '@libp2p/tcp'
import { tls } from '@libp2p/tls'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { silentLogger } from '../../src/network/silent-logger.ts'
import { keyProtector, openProtector } from '../../src/network/transport/handshake.ts'
import type { KeyRing } from '../../src/network/transport/key-ring.ts'
import { waiting } from './waiting.ts'

/** The options of a stranger: its keys, and the step of the handshake at which it stops. */
export interface StrangerInit {
  clusterId: string
  /** The keys of the stranger. Undefined if the stranger has no key. */
  keys: KeyRing | undefined
  /** The step after which the stranger sends nothing more, or only one byte every 100 ms. */
  stops?: 'after the key' | 'in TLS' | 'in TLS, byte by byte' | undefined
  /** Called before TLS: after the stranger has shown its key, or at once if the stranger has no key. TLS begins when the promise resolves. */
  beforeTls?: (() => Promise<void>) | undefined
  /** Whether the stranger proposes to negotiate the muxer after TLS, and then never negotiates the muxer. */
  leavesOutMuxer?: boolean | undefined
}

type Services = { identify: Identify; pubsub: GossipSub }

const never = <T>(): Promise<T> => new Promise(() => {})

/** A proxy that measures how long the peer behind the proxy keeps each connection open, in ms of idle time. `open` counts the open connections. */
export class Watched {
  readonly took: number[] = []
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  open = 0

  private constructor(port: number) {
    this.#server = createServer({ allowHalfOpen: true }, socket => {
      const waited = waiting()
      const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      this.open += 1
      let isOver = false
      const over = () => {
        if (isOver) return
        isOver = true
        this.open -= 1
        this.took.push(waited())
        // Closing this socket also shows the stranger that the peer closed the connection, so the stranger may try again.
        socket.destroy()
        upstream.destroy()
      }
      for (const each of [socket, upstream]) this.#sockets.add(each.on('error', () => {}))
      upstream.once('end', over).once('close', over)
      upstream.on('data', data => socket.write(data))
      // When the stranger closes a connection, the proxy keeps the connection to the peer open.
      socket.on('data', data => upstream.write(data))
    })
  }

  static async before(port: number): Promise<Watched> {
    const watched = new Watched(port)
    await new Promise<void>(resolve => watched.#server.listen(0, '127.0.0.1', resolve))
    return watched
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

/** A node that ignores refusals, and counts the messages of a topic that it receives. */
export class Stranger {
  readonly node: Libp2p<Services>
  /** The number of received messages that another peer wrote. */
  heard = 0
  readonly #topic: string

  private constructor(node: Libp2p<Services>, topic: string) {
    this.node = node
    this.#topic = topic
    node.services.pubsub.addEventListener('message', ({ detail }) => {
      if (detail.type === 'signed' && !detail.from.equals(node.peerId)) this.heard += 1
    })
    node.services.pubsub.subscribe(topic)
  }

  static async start(init: StrangerInit, topic: string): Promise<Stranger> {
    const refused = () => {}
    const protector = init.keys === undefined ? openProtector(refused) : keyProtector(init.keys, () => {}, refused)
    const node = await createLibp2p<Services>({
      privateKey: await generateKeyPair('Ed25519'),
      logger: silentLogger,
      addresses: { listen: [] },
      transports: [tcp()],
      connectionProtector: stopping(protector, init),
      connectionEncrypters: [components => insistentTls(init, tls()(components))],
      streamMuxers: [yamux()],
      connectionMonitor: { enabled: false },
      connectionManager: { reconnectRetries: 0 },
      services: {
        identify: identify(),
        pubsub: gossipsub({ globalSignaturePolicy: StrictSign, allowPublishToZeroTopicPeers: true, floodPublish: true })
      }
    })
    return new Stranger(node, `/p2p-worker/${init.clusterId}/${topic}`)
  }

  get id(): string {
    return this.node.peerId.toString()
  }

  /** Dials one time, and publishes while the connection is open. */
  async knock(port: number, signal: AbortSignal): Promise<void> {
    await this.node.dial(multiaddr(`/ip4/127.0.0.1/tcp/${port}`), { signal }).catch(() => {})
    this.publish()
  }

  publish(): void {
    this.node.services.pubsub
      .publish(this.#topic, new TextEncoder().encode(`stranger ${Math.random()}`))
      .catch(() => {})
  }

  async stop(): Promise<void> {
    await this.node.stop()
  }
}

function stopping(protector: ReturnType<typeof keyProtector>, { stops }: StrangerInit): () => ConnectionProtector {
  return () => ({
    async protect(stream, options) {
      const secured = await protector().protect(stream, options)
      return stops === 'after the key' ? never() : secured
    }
  })
}

/** The same TLS that peers of the cluster use, except that this side ignores a refusal by the allow list. */
function insistentTls(
  { clusterId, stops, beforeTls, leavesOutMuxer }: StrangerInit,
  inner: ConnectionEncrypter
): ConnectionEncrypter {
  return {
    protocol: `/p2p-worker/${clusterId}${inner.protocol}`,
    secureInbound: never,
    async secureOutbound(stream, options) {
      await beforeTls?.()
      if (stops === 'in TLS') return never()
      if (stops === 'in TLS, byte by byte') return dribble(stream)
      const skip = leavesOutMuxer === true ? { skipStreamMuxerNegotiation: true } : {}
      const secured = await inner.secureOutbound(stream, { ...options, ...skip })
      dropFirstByte(secured.connection)
      return leavesOutMuxer === true ? never() : secured
    }
  }
}

/** Sends the header of a TLS record of 512 bytes (RFC 8446 §5.1), and then the bytes of the record one by one. */
function dribble(stream: MessageStream): Promise<never> {
  stream.send(Uint8Array.of(22, 3, 1, 2, 0))
  const timer = setInterval(() => {
    if (stream.status === 'open') stream.send(Uint8Array.of(1))
    else clearInterval(timer)
  }, 100)
  stream.addEventListener('close', () => clearInterval(timer))
  return never()
}

/** Drops the first byte, which is the answer of the allow list: the muxer cannot parse that byte. */
function dropFirstByte(stream: MessageStream): void {
  stream.addEventListener(
    'message',
    event => {
      event.stopImmediatePropagation()
      const rest = event.data.subarray(1)
      if (rest.byteLength > 0) stream.unshift(rest)
    },
    { once: true }
  )
}
