import { createAttachHost } from '../attach/host.ts'
import { InvalidOptionError, StoppedError } from '../common/errors.ts'
import { limitsWith } from '../common/limits.ts'
import { type Logger, silent } from '../common/logger.ts'
import { version } from '../common/version.ts'
import { type ElectionPriority, type Measures, parsePriority, standingOf } from '../election/core/priority.ts'
import { createElection } from '../election/election.ts'
import { electorateOf, leaseTimeOf } from '../election/electorate.ts'
import { createHistory, gatherHistory, type History } from '../election/history.ts'
import { openStore } from '../election/store/open-store.ts'
import type { Leadership } from '../election/types.ts'
import { createJobs, leaderSourceOf } from '../jobs/jobs.ts'
import { limitedRunner } from '../jobs/limited-runner.ts'
import { createBatchSeal } from '../jobs/protocol/batch-seal.ts'
import { LeaderWork, type LeadFunction, type LeadOptions } from '../lead/leader-work.ts'
import { NamedWork } from '../lead/named-work.ts'
import { stopEach } from '../lib/stop-each.ts'
import { createLocks } from '../locks/locks.ts'
import type { Member } from '../membership/core/member.ts'
import { MOST_NEIGHBOURS } from '../membership/core/neighbours.ts'
import { createMembership } from '../membership/membership.ts'
import { warnOfNodeVersions } from '../membership/node-versions.ts'
import { type Profile, profileOf } from '../membership/profile.ts'
import type { Membership } from '../membership/types.ts'
import { clusterIdentity } from '../network/cluster-key.ts'
import type { RefusalKind } from '../network/guard/refusals.ts'
import { hostId } from '../network/host-id.ts'
import { createNetwork } from '../network/network.ts'
import type { Network } from '../network/types.ts'
import { createSchedules, type PeerSchedules } from '../schedules/schedules.ts'
import { CodeStore } from '../tasks/execute/code-store.ts'
import { Executor, notEnforced } from '../tasks/executor.ts'
import { type CountingParts, gatherStats } from './gather-stats.ts'
import { checkLockName, checkTtl, OWNER } from './locks.ts'
import { openFolder } from './open-folder.ts'
import {
  type ChosenElection,
  checkAllow,
  checkElection,
  checkJournal,
  checkKey,
  checkKeys,
  checkMaxHeap,
  checkMaxPayload,
  checkMember,
  checkRecoverWait,
  roleUnder,
  taskIsolation
} from './options.ts'
import type { JoinOptions } from './options-types.ts'
import type { PeerStats } from './peer-stats.ts'
import { rememberIn } from './remember.ts'
import { type ClusterKnowledge, SharedHandle } from './shared-handle.ts'
import { keepLeadersConnected } from './stay-connected.ts'
import { tellRefusals, warnOfOtherKeys } from './tell-refusals.ts'
import type { Leader, PastLeadership, Peer, Election as PublicElection } from './types.ts'
import { usableMemory } from './usable-memory.ts'

interface Parts extends CountingParts {
  schedules: PeerSchedules
  leaderWork: LeaderWork
  namedWork: NamedWork
  history: History
  prioritize: (priority: ElectionPriority) => number
}

/**
 * Makes this process a peer of a cluster. The peer finds the other peers, takes part in membership and election, and
 * computes chunks. Resolves when the peer listens; the events report when it meets other peers.
 *
 * @example
 * ```ts
 * import { join } from 'p2p-worker'
 *
 * const peer = await join({ cluster: 'lab', insecure: true, listen: ['/ip4/127.0.0.1/tcp/0'], mdns: false })
 * console.log(peer.id, peer.addresses())
 * await peer.leave()
 * ```
 *
 * @throws InvalidOptionError when an option is malformed or out of range; ElectionStoreError when the store of the election does not answer
 */
export async function join(options: JoinOptions): Promise<Peer> {
  const { cluster = 'default', bootstrap = [], mdns = true, listen = ['/ip4/0.0.0.0/tcp/0'], signal } = options
  const logger = options.logger ?? silent
  const key = checkKey(options)
  const metadata = checkMember(options)
  const measures: Measures = { slots: metadata.slots, memory: usableMemory(), joinedAt: Date.now() }
  const { electionPriority, margin } = standingOf(options.electionPriority ?? 0, measures)
  const maxPayloadMb = checkMaxPayload(options)
  const maxHeapMb = checkMaxHeap(options)
  const journalBytes = checkJournal(options) * 2 ** 20
  const recoverWait = checkRecoverWait(options)
  const allow = checkAllow(options.allow)
  const profile = profileOf(options.profile ?? 'lan')
  const chosen = await checkElection(options)
  const limits = limitsWith(options.limits)
  const isolation = taskIsolation(options, limits)
  signal?.throwIfAborted()

  // These functions stop the started services, in reverse order, when the start fails half-way and when the peer
  // leaves.
  const stops: Array<() => Promise<void>> = []
  const stopAll = (): Promise<void> => stopEach(stops.reverse())
  try {
    stops.push(async () => await chosen.store?.store.close?.())
    const { dataDir: folder } = options
    const own = { name: cluster, id: clusterIdentity(cluster, key).clusterId }
    const reading = folder === undefined ? undefined : await openFolder({ folder, cluster: own, journalBytes, logger })
    if (reading !== undefined) stops.push(() => reading.close())
    signal?.throwIfAborted()
    // Looks for others while the folder is read, which takes seconds if the journal is long.
    const network = await createNetwork({
      privateKey: reading?.privateKey,
      remembered: reading?.addresses,
      cluster,
      key,
      allow,
      listen,
      bootstrap,
      mdns,
      logger,
      probeTimeout: profile.probeTimeout,
      idleTimeout: idleTimeout(profile),
      limits,
      metrics: options.metrics,
      signal
    })
    stops.push(() => network.stop())
    warnOfOtherKeys(network, logger)
    tellRefusals(network.refusals, logger)
    const searching = searchingSince(reading?.addresses)
    // Before others see this peer as a member: the next leader waits only for seconds until it answers.
    const { dataDir, disk, begin } = (await reading?.opened) ?? {}
    signal?.throwIfAborted()
    const role = roleUnder(chosen.terms, network.self, metadata.role)
    const electorate = { ...chosen, store: await openChosen(chosen, network.self, signal) }
    const codeStore = new CodeStore({ maxBytes: limits.codeBytes })
    stops.push(() => codeStore.stop())
    const executor = new Executor({
      slots: metadata.slots,
      codeStore,
      external: options.external ?? [],
      isolation,
      ...(maxHeapMb === undefined ? {} : { maxHeapMb })
    })
    stops.push(() => executor.stop())
    if (isolation !== undefined) tellIsolation(logger)
    const membership = createMembership({
      network,
      metadata: {
        ...metadata,
        electionPriority,
        role,
        addresses: network.addresses(),
        version,
        node: process.versions.node,
        host: hostId() ?? '',
        electorate: electorateOf(electorate),
        hasDisk: dataDir !== undefined
      },
      profile,
      incarnation: begin?.incarnation,
      searchedFor: performance.now() - (await searching),
      limits,
      logger
    })
    stops.push(() => membership.stop())
    warnOfNodeVersions(membership, logger)
    const election = createElection({
      network,
      membership,
      profile,
      epoch: Math.max(begin?.epoch ?? 0, electorate.store?.epoch ?? 0),
      store: dataDir?.state,
      electorate,
      preempt: options.preempt,
      logger,
      tracer: options.tracer
    })
    stops.push(() => election.stop())
    election.setMargin(margin)
    const prioritize = (priority: ElectionPriority): number => {
      const { electionPriority, margin } = standingOf(priority, measures)
      election.setMargin(margin)
      membership.update({ electionPriority })
      return electionPriority
    }
    const stopKeeping = keepLeadersConnected(network, membership, election, profile.fullMesh)
    stops.push(async () => stopKeeping())
    if (dataDir !== undefined) {
      const stopRemembering = rememberIn(dataDir, { membership, replica: disk?.replica, logger })
      stops.push(async () => stopRemembering())
    }
    const seal = createBatchSeal(network.clusterId, network.privateKey)
    const runner = limitedRunner(executor, { maxPayloadMb, self: network.self })
    const leaderSource = leaderSourceOf(election)
    const locks = createLocks({ network, election, leaderSource, limits })
    stops.push(() => locks.stop())
    const schedules = createSchedules({ network, membership, election, leaderSource, limits, logger })
    stops.push(() => schedules.stop())
    const jobs = createJobs({
      network,
      membership,
      election,
      executor: runner,
      codeStore,
      seal,
      ...disk,
      recoverWait,
      limits,
      logger,
      tracer: options.tracer,
      locks,
      schedules
    })
    stops.push(() => jobs.stop())
    const attachHost = createAttachHost({
      network,
      membership,
      election,
      prioritize: text => prioritize(parsePriority(text)),
      limits
    })
    stops.push(() => attachHost.stop())
    const leaderWork = new LeaderWork({
      self: network.self,
      role,
      election,
      leaseTime: leaseTimeOf(electorate),
      logger
    })
    const namedWork = new NamedWork({ locks, owner: OWNER, logger })
    const history = createHistory(network, () => election.history())
    stops.push(() => history.stop())
    signal?.throwIfAborted()
    logger.info({ event: 'ready', peerId: network.self, ...readyLine(network, membership) }, 'this peer has joined')
    return new JoinedPeer(
      { network, membership, election, jobs, leaderWork, namedWork, locks, schedules, history, dataDir, prioritize },
      stopAll,
      signal,
      logger
    )
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** Returns since when the network looks for others wherever they may be, in ms of the monotonic clock. */
async function searchingSince(addresses: Promise<readonly string[]> | undefined): Promise<number> {
  const began = performance.now()
  const isEverywhere = addresses === undefined || (await addresses).length === 0
  return isEverywhere ? began : performance.now()
}

/** Reads the record of the store that grants the lease. Returns undefined without a store. */
async function openChosen({ store }: ChosenElection, self: string, signal: AbortSignal | undefined) {
  return store && { ...store, ...(await openStore(store.store, { self, leaseTime: store.leaseTime, signal })) }
}

class JoinedPeer extends SharedHandle implements Peer {
  readonly #parts: Parts
  readonly #stopAll: () => Promise<void>
  readonly #leaving = new AbortController()
  readonly #logger: Logger
  #left: Promise<void> | undefined

  constructor(parts: Parts, stopAll: () => Promise<void>, signal: AbortSignal | undefined, logger: Logger) {
    super(parts)
    this.#parts = parts
    this.#stopAll = stopAll
    this.#logger = logger
    const { membership, election } = parts
    membership.addEventListener('member', ({ detail }) => this.tell('member', detail.member))
    election.addEventListener('leader', ({ detail }) => this.tell('leader', publicLeader(detail.leader)))
    const leave = (): unknown =>
      this.leave().catch((error: unknown) => logger.warn({ error }, 'the peer did not leave well'))
    signal?.addEventListener('abort', leave, { once: true })
    this.#leaving.signal.addEventListener('abort', () => signal?.removeEventListener('abort', leave), { once: true })
  }

  get id(): string {
    return this.#parts.network.self
  }

  get election(): PublicElection {
    return this.#parts.election
  }

  get cluster(): string {
    return this.#parts.network.cluster
  }

  get leader(): Leader | undefined {
    return publicLeader(this.#parts.election.leader)
  }

  addresses(): string[] {
    return this.#parts.network.addresses()
  }

  members(): Member[] {
    return this.#parts.membership.members()
  }

  async history(options: { signal?: AbortSignal } = {}): Promise<PastLeadership[]> {
    this.checkOpen()
    const { history, election, membership } = this.#parts
    const others = membership.live().flatMap(({ id }) => (id === this.id ? [] : [id]))
    const own = { peer: this.id, records: election.history() }
    return await gatherHistory(history, others, options.signal, [own])
  }

  setAccess({ key, allow }: Parameters<Peer['setAccess']>[0]): void {
    this.checkOpen()
    const keys = key === undefined ? undefined : checkKeys(key)
    const rules = allow === null ? null : checkAllow(allow)
    this.#parts.network.setAccess({
      ...(keys !== undefined && { key: keys }),
      ...(rules !== undefined && { allow: rules })
    })
  }

  setElectionPriority(priority: ElectionPriority): void {
    this.checkOpen()
    this.#parts.prioritize(priority)
  }

  stats(): PeerStats {
    return gatherStats(this.#parts)
  }

  refusals(): Record<RefusalKind, number> {
    return this.#parts.network.refusals.counts()
  }

  async lead<T>(fn: LeadFunction<T>, options: LeadOptions = {}): Promise<T> {
    this.checkOpen()
    const { leaderWork, namedWork } = this.#parts
    const { name, ttl } = options
    if (name !== undefined) return await namedWork.lead(fn, checkLockName(name), checkTtl(ttl), options)
    if (ttl !== undefined) throw new InvalidOptionError('`ttl` is an option of named leaderships: give a `name` too')
    return await leaderWork.lead(fn, options)
  }

  leave(): Promise<void> {
    this.#left ??= this.#leave()
    return this.#left
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave()
  }

  async #leave(): Promise<void> {
    const { election, membership, leaderWork, namedWork, locks, jobs } = this.#parts
    this.#logger.info({ event: 'leaving', peerId: this.id }, 'this peer leaves')
    await stopEach([
      // The leader-only work stops before another peer can lead.
      () => leaderWork.stop(),
      () => namedWork.stop(),
      () => locks.leave(),
      // The running chunks end first. Then the peer hands over its leadership while the other members still accept its
      // messages. Last, the membership announces the leave.
      () => jobs.leave(() => election.leave()),
      () => membership.leave(),
      async () => this.#leaving.abort(new StoppedError(`peer ${this.id} has left the cluster`)),
      this.#stopAll
    ])
  }

  protected checkOpen(): void {
    if (this.#left !== undefined) throw new StoppedError(`peer ${this.id} has left the cluster: join again`)
  }

  protected knowledge(): ClusterKnowledge {
    const { election } = this.#parts
    return { cluster: this.cluster, voters: election.voters, stats: election.stats() }
  }
}

/** The fields of the log entry for a peer that has just started. */
function readyLine(network: Network, { self }: Membership): object {
  const { slots, role } = self
  return { cluster: network.cluster, addresses: network.addresses(), slots, role, version, pid: process.pid }
}

/**
 * The idle timeout of a connection in a large cluster, in ms. It is longer than two rounds of probes to all neighbours.
 */
function idleTimeout({ period }: Profile): number {
  return Math.max(30_000, 2 * MOST_NEIGHBOURS * period)
}

/** Logs the limits of the isolation that the user has asked for. */
function tellIsolation(logger: Logger): void {
  const node = `Node ${process.version} on ${process.platform}`
  logger.warn({ isolation: 'process' }, `isolation: not enforced by ${node}, tasks may: ${notEnforced()}`)
}

function publicLeader(leader: Leadership | undefined): Leader | undefined {
  return leader && { id: leader.id, epoch: leader.epoch }
}
