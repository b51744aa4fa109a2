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
   * See cluster-key.ts; without a key the cluster is open to every host that knows its name. Several keys while one replaces another: all are
   * accepted, and dials use the first.
   */
  key?: ClusterKey | readonly ClusterKey[] | undefined
  /** The allow list. @default every peer with the key has all rights */
  allow?: readonly AllowRule[] | undefined
  /** Multiaddrs to listen on; none for a client. */
  listen: string[]
  /** The names of the gossip topics; gossip of other topics is dropped. @default those of members and of leaders */
  topics?: readonly string[] | undefined
  /** Multiaddrs to dial for as long as this peer runs, with or without `/p2p/<id>`. */
  bootstrap: string[]
  /** Multiaddrs of peers from an earlier run, with `/p2p/<id>`: dialled until their peers are met, or a while after any member was. Malformed ones are ignored. */
  remembered?: readonly string[] | undefined
  mdns: boolean
  logger?: Logger | undefined
  signal?: AbortSignal | undefined
  /** Bulk data delays a probe by at most a quarter of this, in ms. @default 200 */
  probeTimeout?: number | undefined
  /**
   * A connection to a member that is not pinned closes after this idle time, in ms; longer than the other side takes between two probes.
   * @default 30000
   */
  idleTimeout?: number | undefined
  /** What this peer accepts from others, and keeps for them. @default DEFAULT_LIMITS */
  limits?: Limits | undefined
  /** Counts what libp2p does. Default: nothing is counted. */
  metrics?: NodeInit['metrics']
}
