/** The options with which a process joins or connects to a cluster. */
import type { ComponentLogger, Metrics } from '@libp2p/interface'
import type { Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import type { Tracer } from '../common/tracing.ts'
import type { ElectionPriority } from '../election/core/priority.ts'
import type { StrategyName } from '../election/core/strategies/names.ts'
import type { MutexElection } from '../election/store/mutex.ts'
import type { StoreAddress } from '../election/stores/stores.ts'
import type { SubmitOptions } from '../jobs/shared/types.ts'
import type { Role } from '../membership/core/member.ts'
import type { AllowRule } from '../network/guard/admission.ts'

/** How to find a cluster, and the credentials for it. */
export interface ConnectionOptions {
  /** The cluster's name: letters, digits, `.`, `_`, `-`; at most 63. Default `default`. */
  cluster?: string
  /**
   * The cluster's key, as `p2p-worker keygen` prints it. Either this option or `insecure: true` is required. While a new key replaces an old key,
   * give both: a peer accepts each of the listed keys, and uses the first key for its own connections.
   */
  key?: string | readonly string[]
  /** Whether to run without a key: any process that reaches the port can join and run code. */
  insecure?: boolean
  /** Multiaddrs of peers, with or without `/p2p/<id>`, e.g. `/dns4/seed/tcp/4001`. The process dials these addresses again for as long as it runs. */
  bootstrap?: string[]
  /** Whether to find peers by mDNS on the local network. Default true. */
  mdns?: boolean
  /** Aborts the running calls, and ends the peer or client. */
  signal?: AbortSignal
}

/** A set of periods and timeouts (docs/membership.md). */
export type ProfileName = 'local' | 'lan' | 'wan'

/** The options of {@link join}. */
export interface JoinOptions extends ConnectionOptions {
  /** Multiaddrs to listen on. Default `/ip4/0.0.0.0/tcp/0`. */
  listen?: string[]
  /** The number of chunks that run here at a time. Default: the number of processors. */
  slots?: number
  /** Whether the peer may lead and whether it computes. Default `auto`. */
  role?: Role
  /**
   * The priority of the peer in elections: an integer, or a criterion. The peer with the highest priority wins; the PeerId decides between equal
   * priorities (`election`). `slots` and `memory`: more is higher, and a peer takes over from a live leader only with a lead of a tenth of its own. `age`: the
   * peer that runs for longest is highest, and a minute is the least lead. Give all peers a number, or all the same criterion. Default 0.
   */
  electionPriority?: ElectionPriority
  /** Names and values of this peer, such as `{ gpu: 'a100' }`, which a job may require ({@link SubmitOptions.requires}). Default none. */
  tags?: Record<string, string>
  /** The periods and timeouts of the membership. Default `lan`. */
  profile?: ProfileName
  /**
   * The largest input, chunk, partial and result that this peer accepts and sends, in MiB, from 1 to 511. The leader applies the limit to whole jobs,
   * and a worker applies it to chunks. A larger payload fails the job, or a try of a chunk, with an error that names the limit. Default 511, the
   * maximum of the protocol.
   */
  maxPayloadMb?: number
  /**
   * The heap of each thread of a task on this peer, in MiB, from 16 to 1,048,576; typed arrays and buffers do not count. The peer terminates a thread
   * that exceeds the limit, and the thread's chunk fails with an error that names the limit. Default: Node's limit for the machine.
   */
  maxHeapMb?: number
  /**
   * Where tasks run on this peer. `thread`: in worker threads, which limit only a task's heap and time. `process`: in processes under Node's
   * permission model. Such a process reads its own code, writes to one folder, starts no other process, and sees only `taskEnvironment` of the
   * environment; the `limits` that begin with `task` bound its memory, disk and file handles. This is not a sandbox against an attacker:
   * docs/security.md lists what it covers. At the start, the peer logs each limit that the running version of Node does not enforce. Default
   * `thread`.
   */
  isolation?: 'thread' | 'process'
  /** With `isolation: 'process'`: names of variables of this process's environment that tasks may read. Default none. */
  taskEnvironment?: string[]
  /**
   * The peers that may connect to this peer, and their rights: PeerIds, or rules. A listed peer needs the key as well. Give all peers of a cluster
   * the same list. Default: every peer with the key may join and submit.
   */
  allow?: readonly (string | AllowRule)[]
  /**
   * Limits of the data that this peer accepts from other peers. A limit that is left out keeps its default. docs/limits.md lists the names.
   *
   * @example
   * ```ts
   * import { join } from 'p2p-worker'
   *
   * const peer = await join({ cluster: 'lab', insecure: true, limits: { jobs: 32, jobBytes: 2 ** 28 } })
   * console.log(peer.refusals().rate, 'messages and jobs were beyond a limit so far')
   * await peer.leave()
   * ```
   */
  limits?: Partial<Limits>
  /** The npm packages that tasks may load from the folder in which this process was started. Default none. */
  external?: string[]
  /**
   * A folder that only this peer uses. The peer creates a missing folder, and stores its PeerId and the addresses of its cluster there. So a
   * restarted peer is the same member as before, and finds its cluster again. Jobs, schedules and locks are kept there, too, and survive a stop of
   * all peers. Default: none; each start makes a new peer.
   */
  dataDir?: string
  /**
   * With `dataDir`: how much of the folder's log may be taken by what is not deleted or replaced, in MiB. A leader above it refuses new jobs; jobs under
   * way go on. The files take up to twice as much. From 16 to 1,048,576. Default 1,024.
   */
  journalMb?: number
  /**
   * How long a new leader waits after all peers have stopped for another peer that kept the jobs, in ms. A peer that comes back first may have old
   * copies of them. Until then the leader takes no job, and denies none. Without effect with `voters` or a store. From 0 to 86,400,000. Default 30,000.
   */
  recoverWait?: number
  /**
   * How the peers find their leader, the same at every peer. `bully`: the peer that ranks highest leads; a peer asks the higher ones
   * before it leads. `lowest`: the lowest PeerId of the highest priority leads; the membership alone decides. `ring`: the peer that ranks highest
   * leads; a token goes round the ring of the peers. The address of a store, such as `etcd:http://10.0.0.1:2379`,
   * `postgres://USER:PASSWORD@HOST/DATABASE`, `zookeeper:10.0.0.1` or `kubernetes`, or {@link mutex} of a store:
   * the peer that gets the lease of the store leads.
   * docs/leadership.md compares the strategies. Default `bully`.
   */
  election?: StrategyName | StoreAddress | MutexElection
  /**
   * The PeerIds of 3, 5 or 7 peers, the same list at every peer, with `election: 'bully'`. One of these voters leads, but only while a majority of the voters is up and
   * connected; two voters never lead at the same time. A voter needs a `dataDir`; `p2p-worker id --data-dir DIR` prints its PeerId. Default: none;
   * each side of a cut network has a leader.
   */
  voters?: string[]
  /**
   * With `voters` or a store: how long the leader's lease lasts without a renewal, in ms, the same at every peer. After a leader's death, no peer leads
   * for this time. Default 1,000 (`wan`: 4,000), or the usual lease time of the store.
   */
  leaseTime?: number
  /** Whether this peer takes over from a live leader that ranks lower. Default true. */
  preempt?: boolean
  /**
   * Creates the metrics of libp2p's connections, streams and bytes, as libp2p's own option `metrics` does: `PeerMetrics` of `p2p-worker/http`
   * provides them for Prometheus. Default: none; nothing is counted.
   */
  metrics?: MetricsFactory
  /** Receives diagnostics. Default: none. */
  logger?: Logger
  /** Receives the spans of elections, of the chunks that run here and, while this peer leads, of the jobs (docs/logging.md). Default: none. */
  tracer?: Tracer
}

/** Makes the metrics of a libp2p node. */
export type MetricsFactory = (components: { logger: ComponentLogger }) => Metrics

/** How {@link connect} finds a cluster. */
export interface ConnectOptions extends ConnectionOptions {
  /** How long to look for a cluster with a leader, in ms. Default 10,000. */
  wait?: number
  /** The folder of this client's PeerId, for clusters with an allow list. Clients may share the folder. Default: none; each client gets a new PeerId. */
  dataDir?: string
  /** Whether `connect` waits for a leader. With `false`, `connect` waits for a leader for at most a second. Default true. */
  needLeader?: boolean
  /** Receives diagnostics. Default: none. */
  logger?: Logger
  /** Receives a span for each job that is submitted here. Default: none. */
  tracer?: Tracer
}
