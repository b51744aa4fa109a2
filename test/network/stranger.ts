/** Strangers that a cluster must refuse: nodes that go as far as they can, and sockets. Each attempt is measured in time that this process waited. */
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

/** How far a stranger goes before it stops. */
export interface StrangerInit {
  clusterId: string
  /** Undefined for a stranger without a key. */
  keys: KeyRing | undefined
  /** The step after which the stranger falls silent, or goes on with one byte every 100 ms. */
  stops?: 'after the key' | 'in TLS' | 'in TLS, byte by byte' | undefined
  /** Called when the stranger has shown its key, or has none; TLS begins when the promise resolves. */
  beforeTls?: (() => Promise<void>) | undefined
  /** The stranger offers to negotiate the muxer after TLS, and never does. */
  leavesOutMuxer?: boolean | undefined
}

type Services = { identify: Identify; pubsub: GossipSub }

const never = <T>(): Promise<T> => new Promise(() => {})

/** A proxy that never closes a connection by itself and measures how long the peer behind it leaves each one open, in ms of waiting. `open` counts the rest. */
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
        // The stranger behind the connection notices the close, too, and may try again.
        socket.destroy()
        upstream.destroy()
      }
      for (const each of [socket, upstream]) this.#sockets.add(each.on('error', () => {}))
      upstream.once('end', over).once('close', over)
      upstream.on('data', data => socket.write(data))
      // A connection that the stranger closed stays open towards the peer.
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

/** A node that ignores refusals, and counts what it hears of a topic. */
export class Stranger {
  readonly node: Libp2p<Services>
  /** Messages that another peer wrote. */
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

  /** Dials once, and publishes while it is connected. */
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

/** TLS as the peers of the cluster speak it, except that it ignores a refusal by the allow list. */
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

/** Sends the header of a TLS record of 512 bytes (RFC 8446 §5.1), and then its bytes one by one. */
function dribble(stream: MessageStream): Promise<never> {
  stream.send(Uint8Array.of(22, 3, 1, 2, 0))
  const timer = setInterval(() => {
    if (stream.status === 'open') stream.send(Uint8Array.of(1))
    else clearInterval(timer)
  }, 100)
  stream.addEventListener('close', () => clearInterval(timer))
  return never()
}

/** Drops the byte with the answer of the allow list, which the muxer does not understand. */
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
