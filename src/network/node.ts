import './polyfill.ts'
import { type GossipSub, gossipsub, StrictSign } from '@chainsafe/libp2p-gossipsub'
import { type Identify, identify } from '@libp2p/identify'
import type { ComponentLogger, ConnectionGater, Libp2p, Metrics, PrivateKey } from '@libp2p/interface'
import type { MulticastDNSComponents } from '@libp2p/mdns'
import { tcp } from '@libp2p/tcp'
import type { Multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { P2pWorkerError } from '../common/errors.ts'
import type { Guard } from './guard/guard.ts'
import type { Registrar } from './peer-store-cleanup.ts'
import { silentLogger } from './silent-logger.ts'
import { clusterTls, keyProtector, type OnRefused, openProtector } from './transport/handshake.ts'
import { frugalYamux } from './transport/muxer.ts'

/**
 * The time limit of a handshake, in ms. A handshake needs some 10 ms of CPU on each side. When twenty peers start together on two cores, it takes
 * seconds, and an abort would only cause another handshake.
 */
export const UPGRADE_TIMEOUT = 10_000
/** The score of a peer that may not join, far below gossipsub's graylist threshold of -80: gossipsub ignores its gossip, and sends it none. */
const IGNORED_SCORE = -1_000
/** The time limit for opening a stream, in ms. */
const STREAM_TIMEOUT = 5_000

export type NodeServices = { identify: Identify; pubsub: GossipSub }
export type Node = Libp2p<NodeServices>

export type NodeComponents = MulticastDNSComponents & {
  registrar: Registrar
  transportManager: {
    /** Returns the addresses of the listeners. For a listener on all interfaces, returns every address of this machine. */
    getAddrs(): Multiaddr[]
  }
}

export interface NodeInit {
  privateKey: PrivateKey
  clusterId: string
  guard: Guard
  /** The gossip topics of this cluster. The node drops gossip and subscriptions of other topics. */
  topics: ReadonlySet<string>
  listen: string[]
  /** Returns whether to end an outbound connection after its handshake. */
  denyOutbound?: ConnectionGater['denyOutboundEncryptedConnection']
  /** Creates libp2p's metrics. @default none */
  metrics?: ((components: { logger: ComponentLogger }) => Metrics) | undefined
}

function latin1(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** Creates a libp2p node, not yet started, with its components. A client has the same node without listen addresses. */
export async function createNode(init: NodeInit): Promise<{ node: Node; components: NodeComponents }> {
  const { clusterId, guard } = init
  const { admission, keys, limits } = guard
  let made: NodeComponents | undefined
  const onRefused: OnRefused = (kind, from, detail) => guard.refusals.count(kind, from, detail)
  const node: Node = await createLibp2p<NodeServices>({
    start: false,
    privateKey: init.privateKey,
    logger: silentLogger,
    addresses: { listen: init.listen },
    transports: [
      // By default libp2p aborts a socket after 2 minutes without traffic. That is not needed, because the membership detects dead peers.
      tcp({ inboundSocketInactivityTimeout: 0, outboundSocketInactivityTimeout: 0 })
    ],
    connectionProtector:
      keys === undefined
        ? openProtector(onRefused)
        : keyProtector(keys, (address, keyId) => guard.onKey(address, keyId), onRefused),
    connectionEncrypters: [
      components => {
        made = components
        // Without this, a stopping node would start a timer of 1 s to announce that it no longer listens.
        components.events.addEventListener('transport:close', event => {
          if (node.status === 'stopping') event.stopImmediatePropagation()
        })
        return clusterTls(clusterId, peer => admission.admits(peer), onRefused)(components)
      }
    ],
    streamMuxers: [
      frugalYamux({
        // The keep-alive preserves the connection's entry in a NAT or firewall, and measures the round trip for the window.
        keepAliveInterval: 120_000,
        streamOptions: {
          // The buffer is larger than a channel's window, because libp2p aborts a paused stream when the buffer overflows.
          maxStreamWindowSize: 8 * 1024 * 1024,
          maxReadBufferLength: 16 * 1024 * 1024
        }
      })
    ],
    connectionGater: guard.gater(init.denyOutbound),
    ...(init.metrics && { metrics: init.metrics }),
    connectionManager: {
      // All peers behind one host, NAT or docker bridge share an address, and libp2p's default allows 5 connections a second per address.
      inboundConnectionThreshold: 10_000,
      // pending-handshakes.ts limits pending connections instead.
      maxIncomingPendingConnections: 100_000,
      // The leader of a large cluster is connected to all members.
      maxConnections: 10_000,
      maxParallelDials: 100,
      inboundUpgradeTimeout: UPGRADE_TIMEOUT,
      addressDialTimeout: UPGRADE_TIMEOUT,
      inboundStreamProtocolNegotiationTimeout: STREAM_TIMEOUT,
      outboundStreamProtocolNegotiationTimeout: STREAM_TIMEOUT,
      // libp2p must not reconnect, because discovery.ts dials again.
      reconnectRetries: 0
    },
    // The monitor would open a stream on each connection every 10 s. It is not needed, because probes of the membership detect silent peers.
    connectionMonitor: { enabled: false },
    services: {
      identify: identify({ maxInboundStreams: 32, maxOutboundStreams: 32 }),
      pubsub: gossipsub({
        globalSignaturePolicy: StrictSign,
        // Without this list, gossipsub keeps state for each topic that any peer names.
        allowedTopics: new Set(init.topics),
        // Tags decide which connections to keep above `maxConnections`, which is never reached. Each tag costs a write to the peer store.
        tagMeshPeers: false,
        allowPublishToZeroTopicPeers: true,
        floodPublish: true,
        // Gossipsub's defaults suit a public network: a peer sends each message to 6 to 12 peers, and announces the message three times to a
        // quarter of the other peers. In this project push-pulls repair losses, so a smaller mesh is enough.
        D: 4,
        Dlo: 3,
        Dhi: 6,
        Dscore: 2,
        Dout: 1,
        Dlazy: 3,
        gossipFactor: 0,
        mcacheGossip: 1,
        // Author and sequence number identify a copy of a verified message, so that gossipsub does not verify the signature of the copy.
        fastMsgIdFn: ({ from, seqno }) => `${latin1(from)}/${latin1(seqno)}`,
        maxInboundDataLength: limits.gossipMessageBytes,
        // The limit bounds the memory that gossipsub uses for a peer that reads nothing.
        maxOutboundBufferSize: limits.gossipOutboxBytes,
        // Many peers on one address are normal in a cluster. By default gossipsub scores more than 10 such peers as an attack, and drops their gossip.
        // This version of gossipsub ignores retained scores when a peer reconnects, so retaining scores has no use.
        scoreParams: {
          retainScore: 0,
          IPColocationFactorWeight: 0,
          appSpecificScore: peer => (admission.may(peer, 'join') ? 0 : IGNORED_SCORE),
          appSpecificWeight: 1
        }
      })
    }
  })
  if (made === undefined) throw new P2pWorkerError('libp2p did not hand out its components')
  return { node, components: made }
}
