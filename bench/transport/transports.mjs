// The transports that the benchmark compares. Each has `listen`, `dial` and, if links are compared, `links`.
import '../../dist/network/polyfill.js'
import { once } from 'node:events'
import { connect, createServer } from 'node:tls'
import { parseClusterKey } from '../../dist/network/cluster-key.js'
import { createNetwork } from '../../dist/network/network.js'

const LISTEN = '/ip4/127.0.0.1/tcp/0'
const PROTOCOL = '/bench/1.0.0'
/** Any key will do: 32 bytes of zeros. */
const KEY = 'A'.repeat(43)

/** What an end does with the data of a link. `send` resolves when more may be sent. */
/** @typedef {(data: Uint8Array) => unknown} Send */
/** @typedef {(send: Send) => Send} OnLink */

export const transports = { tls, stock: () => libp2p(stockTls), noise: () => libp2p(stockNoise), channel }

/** Bare `node:tls`, version 1.3, with certificates on both sides. */
async function tls() {
  const identity = { ...(await certificate()), minVersion: 'TLSv1.3', rejectUnauthorized: false }
  /** @param {import('node:tls').TLSSocket} socket @returns {Send} */
  const sending = socket => data => (socket.write(data) ? undefined : once(socket, 'drain'))
  return {
    /** @param {OnLink} onLink */
    async listen(onLink) {
      const server = createServer({ ...identity, requestCert: true }, socket => {
        socket.setNoDelay(true).on('data', onLink(sending(socket)))
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return String(server.address().port)
    },
    /** @param {string} port @param {Send} onData */
    async dial(port, onData) {
      const socket = connect({ ...identity, host: '127.0.0.1', port: Number(port) }).setNoDelay(true)
      socket.on('data', onData)
      await once(socket, 'secureConnect')
      return sending(socket)
    }
  }
}

/** The certificate that `@libp2p/tls` makes, so that all sides verify one of the same kind. */
async function certificate() {
  const { generateKeyPair } = await import('@libp2p/crypto/keys')
  const utils = new URL('utils.js', import.meta.resolve('@libp2p/tls'))
  const { generateCertificate } = await import(utils.href)
  return await generateCertificate(await generateKeyPair('Ed25519'))
}

const stockTls = async () => (await import('@libp2p/tls')).tls()
const stockNoise = async () => (await import('@chainsafe/libp2p-noise')).noise()

/** libp2p as it comes, with yamux, and one stream for the data. */
async function libp2p(encrypter) {
  const [{ identify }, { tcp }, { yamux }, { createLibp2p }, { multiaddr }] = await Promise.all([
    import('@libp2p/identify'),
    import('@libp2p/tcp'),
    import('@libp2p/yamux'),
    import('libp2p'),
    import('@multiformats/multiaddr')
  ])
  const make = async (...listen) =>
    await createLibp2p({
      addresses: { listen },
      transports: [tcp()],
      connectionEncrypters: [await encrypter()],
      streamMuxers: [yamux()],
      connectionManager: { inboundConnectionThreshold: 10_000 },
      services: { identify: identify() }
    })
  /** @returns {Send} */
  const sending = stream => data => (stream.send(data) ? undefined : stream.onDrain())
  /** @param {Send} onData */
  const receive = (stream, onData) =>
    stream.addEventListener('message', ({ data }) => {
      for (const part of data instanceof Uint8Array ? [data] : data) onData(part)
    })
  return {
    /** @param {OnLink} onLink */
    async listen(onLink) {
      const node = await make(LISTEN)
      await node.handle(PROTOCOL, stream => receive(stream, onLink(sending(stream))))
      return node.getMultiaddrs()[0].toString()
    },
    /** @param {string} address @param {Send} onData */
    async dial(address, onData) {
      const stream = await (await make()).dialProtocol(multiaddr(address), PROTOCOL)
      receive(stream, onData)
      return sending(stream)
    },
    /** @param {string} address */
    async links(address) {
      const node = await make()
      return {
        /** @param {Send} onData */
        async open(onData) {
          const stream = await node.dialProtocol(multiaddr(address), PROTOCOL)
          receive(stream, onData)
          return { send: sending(stream), close: () => node.getConnections()[0].close() }
        }
      }
    }
  }
}

/** The channel of this project, in a cluster with a key. */
async function channel() {
  const spec = { name: 'bench', codec: { encode: bytes => bytes, decode: bytes => bytes }, maxMessageBytes: 2 ** 24 }
  const make = options =>
    createNetwork({ cluster: 'bench', key: parseClusterKey(KEY), listen: [], bootstrap: [], mdns: false, ...options })
  return {
    /** @param {OnLink} onLink */
    async listen(onLink) {
      const network = await make({ listen: [LISTEN] })
      const links = new WeakMap()
      network.register(spec, {
        onOpen: link =>
          void links.set(
            link,
            onLink(data => link.send(data))
          ),
        onMessage: (data, link) => links.get(link)(data)
      })
      return network.addresses()[0]
    },
    /** @param {string} address @param {Send} onData */
    async dial(address, onData) {
      const network = await make({ bootstrap: [address] })
      const protocol = network.register(spec, { onMessage: data => void onData(data) })
      if (network.connected().length === 0) await once(network, 'connected')
      const link = await protocol.channel(network.connected()[0])
      return data => link.send(data)
    },
    /** @param {string} address */
    async links(address) {
      const network = await make()
      let hear = () => {}
      const protocol = network.register(spec, { onMessage: data => void hear(data) })
      const [, peer] = address.split('/p2p/')
      network.learn(peer, [address], undefined)
      return {
        /** @param {Send} onData */
        async open(onData) {
          hear = onData
          const link = await protocol.channel(peer)
          const close = async () => {
            const gone = once(network, 'disconnected')
            network.disconnect(peer)
            await gone
          }
          return { send: data => link.send(data), close }
        }
      }
    }
  }
}
