// The baseline for `join`: a bare libp2p node with gossipsub. The node prints a line as soon as it listens.
import '../../dist/network/polyfill.js'

// These imports must follow the polyfill, which Node 20 needs.
const [{ gossipsub }, { identify }, { tcp }, { tls }, { yamux }, { createLibp2p }] = await Promise.all([
  import('@chainsafe/libp2p-gossipsub'),
  import('@libp2p/identify'),
  import('@libp2p/tcp'),
  import('@libp2p/tls'),
  import('@libp2p/yamux'),
  import('libp2p')
])
const node = await createLibp2p({
  addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
  transports: [tcp()],
  connectionEncrypters: [tls()],
  streamMuxers: [yamux()],
  services: { identify: identify(), pubsub: gossipsub() }
})
console.log(node.getMultiaddrs().join(' '))
