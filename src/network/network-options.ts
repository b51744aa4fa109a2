import type { PrivateKey } from '@libp2p/interface'
import type { Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import type { ClusterKey } from './cluster-key.ts'
import type { AllowRule } from './guard/admission.ts'
import type { NodeInit } from './node.ts'

/** The options of createNetwork. */
export interface NetworkOptions {
  /** This peer's identity. @default a new one */
  privateKey?: PrivateKey | undefined
  /** The cluster's name. */
  cluster: string
  /**
   * The cluster's key (cluster-key.ts). Without a key, every host that knows the cluster's name can join. During a change of the key, pass both keys:
   * the peer accepts all given keys, and dials with the first key.
   */
  key?: ClusterKey | readonly ClusterKey[] | undefined
  /** The allow list. @default no list: every peer with the key has all rights */
  allow?: readonly AllowRule[] | undefined
  /** The multiaddrs to listen on. The list is empty for a client. */
  listen: string[]
  /** The names of the gossip topics. The peer drops gossip of other topics. @default the topics `members` and `leader` */
  topics?: readonly string[] | undefined
  /** The multiaddrs that this peer dials for as long as it runs, with or without `/p2p/<id>`. */
  bootstrap: string[]
  /**
   * Multiaddrs of peers from an earlier run, with `/p2p/<id>`. Dials end when the address's peer is met, or some time after any member is met.
   * Malformed multiaddrs are ignored. A promise may resolve after the start.
   */
  remembered?: readonly string[] | Promise<readonly string[]> | undefined
  mdns: boolean
  logger?: Logger | undefined
  signal?: AbortSignal | undefined
  /** The membership's probe timeout, in ms. Bulk data may delay a probe by at most a quarter of this timeout. @default 200 */
  probeTimeout?: number | undefined
  /**
   * The idle time (ms) after which a connection to an unpinned member closes. The time must exceed the time between two probes.
   * @default 30000
   */
  idleTimeout?: number | undefined
  /** The limits on data that this peer accepts from other peers and keeps for other peers. @default DEFAULT_LIMITS */
  limits?: Limits | undefined
  /** Creates libp2p's metrics. Default: none. */
  metrics?: NodeInit['metrics']
}
