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
   * The cluster's key (cluster-key.ts); without a key, the cluster is open to every host that knows its name. While one key replaces another, pass both:
   * all are accepted, and dials use the first.
   */
  key?: ClusterKey | readonly ClusterKey[] | undefined
  /** The allow list. @default every peer with the key has all rights */
  allow?: readonly AllowRule[] | undefined
  /** The multiaddrs to listen on; empty for a client. */
  listen: string[]
  /** The names of the gossip topics; gossip of other topics is dropped. @default the topics of members and leaders */
  topics?: readonly string[] | undefined
  /** The multiaddrs to dial for as long as this peer runs, with or without `/p2p/<id>`. */
  bootstrap: string[]
  /**
   * Multiaddrs of peers from an earlier run, with `/p2p/<id>`. They are dialled until their peers are met, or until some time after any member was met.
   * Malformed multiaddrs are ignored.
   */
  remembered?: readonly string[] | undefined
  mdns: boolean
  logger?: Logger | undefined
  signal?: AbortSignal | undefined
  /** The membership's probe timeout, in ms: bulk data delays a probe by at most a quarter of it. @default 200 */
  probeTimeout?: number | undefined
  /**
   * The idle time (ms) after which a connection to a member that is not pinned closes. It must exceed the time between two probes.
   * @default 30000
   */
  idleTimeout?: number | undefined
  /** The limits on data that this peer accepts from other peers and keeps for them. @default DEFAULT_LIMITS */
  limits?: Limits | undefined
  /** Creates libp2p's metrics. Default: none. */
  metrics?: NodeInit['metrics']
}
