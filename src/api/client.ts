import { Attachment } from '../attach/attachment.ts'
import { attachedLeaderSource } from '../attach/leader-source.ts'
import { MemberChanges } from '../attach/member-changes.ts'
import { watchShutOut } from '../attach/shut-out.ts'
import type { View } from '../attach/view.ts'
import { InvalidOptionError, NoClusterError, NotAdmittedError, StoppedError } from '../common/errors.ts'
import { silent } from '../common/logger.ts'
import { checkPriority, type ElectionPriority } from '../election/core/priority.ts'
import { createHistory, gatherHistory, type History } from '../election/history.ts'
import { type AttachedJobs, createJobClient } from '../jobs/client/job-client.ts'
import { signalAfter } from '../lib/abort.ts'
import { stopEach } from '../lib/stop-each.ts'
import { type AttachedLocks, createLockClient } from '../locks/locks.ts'
import { isLive, type Member } from '../membership/core/member.ts'
import { createNetwork } from '../network/network.ts'
import type { Network, NetworkEvents } from '../network/types.ts'
import { clientIdentityIn } from '../persistence/client-identity.ts'
import { type AttachedSchedules, createScheduleClient } from '../schedules/schedules.ts'
import { whyNoLeader } from './no-leader.ts'
import { checkKey } from './options.ts'
import type { ConnectOptions } from './options-types.ts'
import { type ClusterKnowledge, SharedHandle } from './shared-handle.ts'
import type { Client, Leader, PastLeadership } from './types.ts'

/** Default of {@link ConnectOptions.wait}, in ms. */
const DEFAULT_WAIT_MS = 10_000
/**
 * How long a client with `needLeader: false` waits for a leader, in ms. Without this wait, `connect` would show a
 * cluster in the middle of an election as a cluster without a leader.
 */
const LEADERLESS_MS = 1_000
/**
 * How long the client searches for another peer after a peer has refused the client's key, in ms. Several clusters on
 * one network may share a name, so another peer may accept the key.
 */
const REFUSED_GRACE_MS = 3_000
/** The time within which a peer must answer, in ms. */
const ANSWER_MS = 10_000

/**
 * Attaches this process to a cluster as a client. A client submits and watches jobs, and is not a member of the
 * cluster. Resolves when the client has found a peer and knows the leader.
 *
 * @example
 * ```ts
 * import { connect } from 'p2p-worker'
 *
 * const client = await connect({ key: process.env.P2P_WORKER_KEY })
 * const job = await client.submit('./examples/n-queens.ts', { n: 8 })
 * console.log(await job.result())
 * await client.close()
 * ```
 *
 * @throws NoClusterError when the client finds no cluster with a leader within `wait`; the error message lists what the
 * client has tried
 * @throws NotAdmittedError when the cluster that the client finds uses another key, or has an allow list without this
 * client
 * @throws InvalidOptionError when an option is malformed or out of range
 *
 * When the client's key or its entry on the allow list is removed later, every peer refuses the client. Then the calls
 * that wait for the client's jobs reject with a NotAdmittedError.
 */
export async function connect(options: ConnectOptions): Promise<Client> {
  const { cluster = 'default', bootstrap = [], mdns = true, wait = DEFAULT_WAIT_MS, signal } = options
  const logger = options.logger ?? silent
  const key = checkKey(options)
  if (!Number.isFinite(wait) || wait < 0)
    throw new InvalidOptionError('`wait` must be a number of milliseconds, 0 or more')
  if (options.dataDir === '') throw new InvalidOptionError('`dataDir` must name a folder')
  signal?.throwIfAborted()
  const privateKey = options.dataDir === undefined ? undefined : await clientIdentityIn(options.dataDir)
  const network = await createNetwork({
    privateKey,
    cluster,
    key,
    listen: [],
    bootstrap,
    mdns,
    logger,
    signal
  })
  const attachment = new Attachment(network)
  try {
    await foundLeader({ network, attachment, wait, needLeader: options.needLeader ?? true, mdns, signal })
  } catch (error) {
    await attachment.stop()
    await network.stop()
    throw error
  }
  logger.debug({ peerId: attachment.peer, leaderId: attachment.view?.leader?.id }, 'attached to the cluster')
  return new AttachedClient(network, attachment, options)
}

/** Returns a signal that aborts with `signal`, and when a peer has not answered in time. */
function answerWithin(signal: AbortSignal | undefined): AbortSignal {
  const limit = signalAfter(ANSWER_MS)
  return signal === undefined ? limit : AbortSignal.any([signal, limit])
}

/** Resolves when the attachment knows a leader; otherwise rejects with the reason. */
async function foundLeader(parts: {
  network: Network
  attachment: Attachment
  wait: number
  needLeader: boolean
  mdns: boolean
  signal: AbortSignal | undefined
}): Promise<void> {
  const { network, attachment, wait, needLeader, mdns, signal } = parts
  const done = new AbortController()
  const timers: NodeJS.Timeout[] = []
  let refusal: NetworkEvents['refused']['detail'] | undefined
  let leaderless: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const check = (): void => {
        if (attachment.view?.leader !== undefined) resolve()
        else if (attachment.view !== undefined && !needLeader) leaderless ??= setTimeout(resolve, LEADERLESS_MS)
      }
      const giveUp = (): void =>
        reject(refusal === undefined ? noCluster(network, attachment, wait, mdns) : refused(network, refusal))
      attachment.addEventListener('view', check, { signal: done.signal })
      network.addEventListener(
        'refused',
        ({ detail }) => {
          if (refusal === undefined)
            timers.push(
              setTimeout(
                () => {
                  if (attachment.view === undefined) giveUp()
                },
                Math.min(wait, REFUSED_GRACE_MS)
              )
            )
          refusal = detail
        },
        { signal: done.signal }
      )
      timers.push(setTimeout(giveUp, wait))
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done.signal })
      check()
    })
  } finally {
    done.abort()
    clearTimeout(leaderless)
    for (const timer of timers) clearTimeout(timer)
  }
}

function refused(
  network: Network,
  { address, reason, error: cause }: NetworkEvents['refused']['detail']
): NotAdmittedError {
  if (reason === 'unlisted') {
    return new NotAdmittedError(
      `the peer at ${address} does not have this client, ${network.self}, on its allow list: its owner can add that PeerId, and a client keeps it with \`dataDir\` (--data-dir)`,
      { cause }
    )
  }
  return new NotAdmittedError(
    `the peer at ${address} refused this key for cluster ${network.cluster}: use the key that its peers were started with, or the token that \`p2p-worker invite\` prints there`,
    { cause }
  )
}

function noCluster(network: Network, attachment: Attachment, wait: number, mdns: boolean): NoClusterError {
  const seconds = `${wait / 1000} s`
  if (attachment.view !== undefined) {
    return new NoClusterError(
      `attached to ${attachment.peer ?? 'a peer'} of cluster ${network.cluster}, but it has no leader after ${seconds}: ${whyNoLeader(attachment.view.members, attachment.view.voters)}`
    )
  }
  const tried = network.tried().map(({ address, outcome }) => `\n  ${address}: ${outcome}`)
  return new NoClusterError(
    `no cluster ${network.cluster} within ${seconds}. Tried: ${mdns ? 'mDNS on the local network' : 'no mDNS'}${tried.length > 0 ? `, and${tried.join('')}` : ', no addresses'}\nStart a peer with \`p2p-worker join\`, or give the address of one with --bootstrap.`
  )
}

class AttachedClient extends SharedHandle implements Client {
  readonly #network: Network
  readonly #attachment: Attachment
  readonly #jobs: AttachedJobs
  readonly #locks: AttachedLocks
  readonly #ownSchedules: AttachedSchedules
  readonly #endWatch: () => void
  readonly #history: History
  readonly #members = new MemberChanges()
  #leader: Leader | undefined
  #closed: Promise<void> | undefined
  readonly #onAbort = (): void => {
    // Ignores the error here, because the user gets the same error from `close`.
    this.close().catch(() => {})
  }
  readonly #signal: AbortSignal | undefined

  constructor(network: Network, attachment: Attachment, { signal, tracer }: ConnectOptions) {
    const leaderSource = attachedLeaderSource(attachment)
    const jobs = createJobClient({ network, leaderSource, tracer })
    const locks = createLockClient({ network, leaderSource })
    const schedules = createScheduleClient({ network, leaderSource })
    super({ jobs, locks, schedules })
    this.#ownSchedules = schedules
    this.#jobs = jobs
    this.#locks = locks
    this.#network = network
    this.#attachment = attachment
    this.#signal = signal
    this.#history = createHistory(network)
    this.#endWatch = watchShutOut(network, attachment, refusal => {
      this.#jobs.giveUp(refused(network, refusal))
      this.#locks.giveUp(refused(network, refusal))
      this.#ownSchedules.giveUp(refused(network, refusal))
    })
    this.#observe(attachment.view)
    attachment.addEventListener('view', this.#onView)
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  get id(): string {
    return this.#network.self
  }

  get leader(): Leader | undefined {
    return this.#leader
  }

  get peer(): string | undefined {
    return this.#attachment.peer
  }

  members(): Member[] {
    return this.#attachment.view?.members ?? []
  }

  async history(options: { signal?: AbortSignal } = {}): Promise<PastLeadership[]> {
    this.checkOpen()
    const live = this.members().filter(isLive)
    for (const { id, addresses, host } of live) this.#network.learn(id, addresses, host || undefined)
    return await gatherHistory(
      this.#history,
      live.map(({ id }) => id),
      options.signal
    )
  }

  async setElectionPriority(
    peer: string,
    priority: ElectionPriority,
    options: { signal?: AbortSignal } = {}
  ): Promise<number> {
    this.checkOpen()
    checkPriority(priority)
    const member = this.members().find(({ id }) => id === peer)
    if (member === undefined || !isLive(member))
      throw new InvalidOptionError(`no live member has the PeerId ${peer}: \`members()\` lists them`)
    if (member.role === 'worker')
      throw new InvalidOptionError(`${peer} never leads, because its role is \`worker\`: its priority has no effect`)
    const answer = await this.#attachment
      .prioritize(member, String(priority), answerWithin(options.signal))
      .catch((cause: unknown) => {
        options.signal?.throwIfAborted()
        throw new NoClusterError(`${peer} has not changed its priority: ${(cause as Error).message}`, { cause })
      })
    if (answer.electionPriority !== undefined) return answer.electionPriority
    throw new NotAdmittedError(`${peer} keeps its priority: ${answer.reason}`)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#attachment.removeEventListener('view', this.#onView)
    this.#endWatch()
    await stopEach([
      () => this.#locks.stop(),
      () => this.#ownSchedules.stop(),
      () => this.#jobs.stop(),
      () => this.#history.stop(),
      () => this.#attachment.stop(),
      () => this.#network.stop()
    ])
  }

  protected checkOpen(): void {
    if (this.#closed !== undefined) throw new StoppedError('this client is closed: connect again')
  }

  protected knowledge(): ClusterKnowledge {
    const { voters, stats = { changes: 0, leaderless: 0 } } = this.#attachment.view ?? {}
    return { cluster: this.#network.cluster, voters, stats }
  }

  readonly #onView = ({ detail }: CustomEvent<View>): void => this.#observe(detail)

  /** Turns views into events: each difference from the previous view is one event. */
  #observe(view: View | undefined): void {
    if (view === undefined) return
    for (const detail of this.#members.next(view.members)) this.tell('member', detail)
    const leader = view.leader && { id: view.leader.id, epoch: view.leader.epoch }
    if (leader?.id === this.#leader?.id && leader?.epoch === this.#leader?.epoch) return
    this.#leader = leader
    this.tell('leader', leader)
  }
}
