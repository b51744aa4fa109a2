import type { PrivateKey } from '@libp2p/interface'
import type { Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import type { ClusterKey } from './cluster-key.ts'
import type { AllowRule } from './guard/admission.ts'
import type { NodeInit } from './node.ts'

/** What a network is made of. */
export interface NetworkOptions {
  /** This peer's identity. @default a new one */
  privateKey?: PrivateKey | undefined
  /** The cluster's name. */
  cluster: string
  /**
   * See cluster-key.ts; without it the cluster is open to everybody who knows its name. Several while one takes the place of another:
   * all of them let others in, and the first is dialled with.
   */
  key?: ClusterKey | readonly ClusterKey[] | undefined
  /** Who may connect, and what for. Default: everybody with the key, for all. */
  allow?: readonly AllowRule[] | undefined
  /** Multiaddrs to listen on; none for a client. */
  listen: string[]
  /** The names of the gossip topics; what others say of any other is dropped. @default those of members and of leaders */
  topics?: readonly string[] | undefined
  /** Multiaddrs to dial for as long as this peer runs, with or without `/p2p/<id>`. */
  bootstrap: string[]
  /** Multiaddrs of peers from an earlier run, with `/p2p/<id>`: dialled until their peers are met, or a while after any member was. Broken ones are left out. */
  remembered?: readonly string[] | undefined
  mdns: boolean
  logger?: Logger | undefined
  signal?: AbortSignal | undefined
  /** Bulk data stays small enough to delay no probe by more than a quarter of this, in ms. @default 200 */
  probeTimeout?: number | undefined
  /**
   * A connection to a member that need not stay connected is closed when nothing went over it for so long, in ms; to be longer
   * than the other side may take between two probes. @default 30000
   */
  idleTimeout?: number | undefined
  /** How much is taken of others, and kept for them. */
  limits?: Limits | undefined
  /** Counts what libp2p does. Default: nothing is counted. */
  metrics?: NodeInit['metrics']
}
