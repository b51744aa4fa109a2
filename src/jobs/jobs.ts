/** The jobs of one peer. The peer runs chunks, leads jobs while it is the leader, and submits jobs. */
import { DEFAULT_LIMITS, type Limits } from '../common/limits.ts'
import { type Logger, silent } from '../common/logger.ts'
import type { Tracer } from '../common/tracing.ts'
import type { Election, Leadership } from '../election/types.ts'
import { JournalReplica } from '../journal/core/replica.ts'
import { JournalPeer } from '../journal/journal-peer.ts'
import type { JournalRoom } from '../journal/journal-room.ts'
import type { LockKeeper } from '../journal/lock-keeper.ts'
import { bytesOfRecord, type JournalRecord } from '../journal/record.ts'
import type { WhenSynced } from '../journal/sync-copies.ts'
import { HistogramRecorder } from '../lib/histogram.ts'
import { isLive, type Member } from '../membership/core/member.ts'
import type { Membership } from '../membership/types.ts'
import { memoryChannel } from '../network/channel/memory-channel.ts'
import type { AbortOptions, Channel, Network, PeerIdString, Protocol, ProtocolHandler } from '../network/types.ts'
import type { JobClient } from './client/job-client.ts'
import { JobRequests } from './client/job-requests.ts'
import type { LeaderSource } from './client/leader-source.ts'
import { OverviewClient } from './client/overview-client.ts'
import { Submitter } from './client/submitter.ts'
import type { ScheduleKeeper } from './leader/due-jobs.ts'
import { Leader } from './leader/leader.ts'
import type { Returning } from './leader/returning-workers.ts'
import type { BatchSeal } from './protocol/batch-seal.ts'
import { type OverviewMessage, overviewProtocol } from './protocol/overview-messages.ts'
import { isToLeader, type SubmitMessage, submitProtocol } from './protocol/submit-messages.ts'
import { type WorkMessage, workProtocol } from './protocol/work-messages.ts'
import { type LedChunks, ledTogether, NOTHING_LED } from './scheduler/index.ts'
import { BATCH_BOUNDS, type JobsStats } from './shared/job-counts.ts'
import { JobSpans } from './shared/job-spans.ts'
import type { CodeKeeper, Runner } from './shared/runner.ts'
import type { PartialsDisk } from './worker/partials-disk.ts'
import { Worker } from './worker/worker.ts'

/** The jobs of a peer. `job` events report all jobs at the leader, and this peer's own submissions elsewhere. */
export interface Jobs extends JobClient {
  /** The counts of this peer since its start. */
  stats(): JobsStats
  /**
   * Takes no more chunks. Calls `handOver`, which lets another peer lead. Resolves when the chunks that run here have
   * ended and the leader has received their outcomes, or after 8 s.
   */
  leave(handOver: () => Promise<void>): Promise<void>
}

export interface JobsInit {
  network: Network
  membership: Membership
  election: Election
  executor: Runner
  codeStore: CodeKeeper
  seal: BatchSeal
  /** The replica of the leader's jobs at this peer. Default: a new replica. */
  replica?: JournalReplica<JournalRecord> | undefined
  /** Tells when the replica is on disk. Default: this peer has no disk. */
  whenSynced?: WhenSynced | undefined
  /** How long a new leader waits after a full stop for another holder of the journal, in ms. Default: as JournalInit. */
  recoverWait?: number | undefined
  /** The room for new jobs in the data folder of this peer. Default: there is room. */
  room?: JournalRoom | undefined
  logger?: Logger | undefined
  /** The limits for other peers. Default: {@link DEFAULT_LIMITS}. */
  limits?: Limits | undefined
  /** The partials of this peer's worker on disk. Default: they are in memory only. */
  partials?: PartialsDisk | undefined
  /** The workers that may come back after the end of all peers. Default: none. */
  returning?: readonly PeerIdString[] | undefined
  /** Records traces. Default: this peer records no traces. */
  tracer?: Tracer | undefined
  /** Grants locks while this peer leads. Default: this peer grants none. */
  locks?: LockKeeper | undefined
  /** Keeps the schedules while this peer leads. Default: this peer keeps none. */
  schedules?: ScheduleKeeper | undefined
}

/** The longest time that a leaving peer waits for its running chunks, in ms. */
const LEAVE_MS = 8_000

class PeerJobs extends JobRequests implements Jobs {
  readonly #init: JobsInit
  readonly #self: PeerIdString
  readonly #logger: Logger
  readonly #spans: JobSpans | undefined
  readonly #worker: Worker
  readonly #replica: JournalReplica<JournalRecord>
  readonly #journal: JournalPeer
  readonly #returning: Returning
  protected readonly submitter: Submitter
  protected readonly overviews: OverviewClient
  readonly #work: Protocol<WorkMessage>
  readonly #submit: Protocol<SubmitMessage>
  readonly #overview: Protocol<OverviewMessage>
  readonly #ownChannels = new Map<string, Channel<unknown>>()
  readonly #batchSizes = new HistogramRecorder(BATCH_BOUNDS)
  /** The chunk counts of the past leaderships of this peer. */
  #ledBefore: LedChunks = NOTHING_LED
  #leader: Leader | undefined
  /** The epoch of the leadership of this peer that ended because a newer leader was reported. `undefined` if there is no such epoch. */
  #fenced: number | undefined
  /** The leaderships of this peer that are still being stopped. */
  readonly #stopping = new Set<Promise<void>>()
  #stopped = false

  constructor(init: JobsInit) {
    super()
    const { network, membership, election, executor, codeStore, limits = DEFAULT_LIMITS } = init
    this.#init = init
    this.#returning = { workers: init.returning ?? [], since: performance.now() }
    this.#replica = init.replica ?? new JournalReplica<JournalRecord>(undefined, bytesOfRecord)
    this.#self = network.self
    this.#logger = init.logger ?? silent
    this.#spans = init.tracer && new JobSpans(init.tracer, network)
    this.#worker = new Worker({
      election,
      runner: executor,
      codeStore,
      logger: this.#logger,
      limits,
      disk: init.partials,
      spans: this.#spans
    })

    this.#journal = new JournalPeer({
      network,
      membership,
      election,
      replica: this.#replica,
      whenSynced: init.whenSynced,
      recoverWait: init.recoverWait,
      logger: this.#logger,
      limits,
      locks: init.locks
    })

    this.#work = network.register(workProtocol, {
      onMessage: (message, channel) => {
        this.#worker.onMessage(message, channel)
        this.#leader?.onWork(message, channel)
      },
      onClose: channel => this.#worker.onClose(channel)
    })
    this.#submit = network.register(submitProtocol, this.#submitHandler)
    this.#overview = network.register(overviewProtocol, this.#overviewHandler)

    const leaderSource = leaderSourceOf(election)
    this.submitter = new Submitter({
      leaderSource,
      spans: this.#spans,
      open: (leader, options) => this.#channel(this.#submit, this.#submitHandler, 'submit', leader, options),
      onJobState: (jobId, state, leader) => {
        // The leader is on this peer and has already reported this job.
        if (leader !== this.#self) this.onJobState(jobId, state)
      },
      onWaiting: reason => this.onWaiting(reason)
    })
    this.overviews = new OverviewClient({
      leaderSource,
      open: (leader, options) => this.#channel(this.#overview, this.#overviewHandler, 'overview', leader, options)
    })

    election.onHandOff((to, signal) => this.#handOver(to, signal))
    election.addEventListener('leader', this.#onLeader)
    membership.addEventListener('member', this.#onMember)
    this.#replica.onLost = this.#leadAgain
    this.#onLeader()
  }

  stats(): JobsStats {
    const leader = this.#leader
    return {
      ...this.#worker.counts(),
      batchSizes: this.#batchSizes.read(),
      journalEntries: this.#replica.size,
      led: leader === undefined ? this.#ledBefore : ledTogether(this.#ledBefore, leader.led()),
      leading: leader?.stats()
    }
  }

  async leave(handOver: () => Promise<void>): Promise<void> {
    const left = this.#worker.leave(LEAVE_MS)
    await handOver()
    // If no other live peer can lead, no peer continues the jobs, so this peer does not wait for its chunks.
    const { membership } = this.#init
    if (membership.live().some(({ id, role }) => id !== this.#self && role !== 'worker')) await left
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#init.election.removeEventListener('leader', this.#onLeader)
    this.#init.membership.removeEventListener('member', this.#onMember)
    this.submitter.stop()
    this.overviews.stop()
    await this.#stopLeading(undefined)
    this.#worker.stop()
    for (const channel of this.#ownChannels.values()) channel.abort(new Error('this peer was stopped'))
    await Promise.all([this.#work.close(), this.#submit.close(), this.#overview.close(), this.#journal.stop()])
  }

  readonly #submitHandler: ProtocolHandler<SubmitMessage> = {
    onMessage: (message, channel) => {
      if (!isToLeader(message)) this.submitter.onMessage(message, channel)
      else if (this.#leader === undefined) {
        channel.send({ job: message.job, type: 'not-leader', leader: this.#otherLeader() }).catch(() => {})
      } else if (this.#init.network.admission.may(channel.remote, 'submit')) this.#leader.onSubmit(message, channel)
      else this.#refuse(message.job, this.#leader.epoch, channel)
    },
    onClose: channel => {
      this.#leader?.onSubmitClosed(channel)
      this.submitter.onClose(channel)
    }
  }

  /** Refuses a job. The channel stays open: the peer may still read the overview. */
  #refuse(job: string, epoch: number, channel: Channel<SubmitMessage>): void {
    const { remote } = channel
    this.#init.network.refusals.count(
      'role',
      remote,
      `${remote} asked for job ${job}: the allow list does not let it submit`
    )
    const reason = `the allow list does not let ${remote} submit`
    channel.send({ job, epoch, type: 'refused', reason, notAdmitted: true }).catch(() => {})
  }

  readonly #overviewHandler: ProtocolHandler<OverviewMessage> = {
    // The answer is awaited, so that a client that does not read its answers cannot send more requests.
    onMessage: async (message, channel) => {
      const { id } = message
      if (message.type !== 'request') this.overviews.onMessage(message, channel)
      else if (this.#leader !== undefined && message.chunks !== undefined) {
        await this.#leader.chunks.answer(message.chunks, answer =>
          channel.send({ id, ...(answer ?? { type: 'not-leader', leader: this.#otherLeader() }) }).catch(() => {})
        )
      } else if (this.#leader !== undefined) {
        await channel.send({ id, type: 'overview', overview: this.#leader.overview() }).catch(() => {})
      } else await channel.send({ id, type: 'not-leader', leader: this.#otherLeader() }).catch(() => {})
    }
  }

  /**
   * Leads again when both a newer leader and the peer that reported the newer leader are gone. No other peer would take
   * over the jobs.
   */
  readonly #onMember = ({ detail }: CustomEvent<{ member: Member }>): void => {
    const { leader, isLeader } = this.#init.election
    if (isLive(detail.member) || this.#leader !== undefined || !isLeader) return
    if (leader !== undefined && leader.epoch === this.#fenced) this.#onLeader()
  }

  /** Reads the journals of the others again, because entries of this peer are lost. */
  readonly #leadAgain = (): void => {
    if (this.#leader === undefined) return
    void this.#stopLeading(undefined)
    this.#onLeader()
  }

  readonly #onLeader = (): void => {
    const { leader, isLeader } = this.#init.election
    if (this.#stopped) return
    if (isLeader && leader !== undefined && leader.epoch === this.#leader?.epoch) return
    void this.#stopLeading(leader?.id)
    if (!isLeader || leader === undefined) return
    const { membership, executor, codeStore } = this.#init
    this.#logger.debug({ epoch: leader.epoch }, 'starts to lead the jobs')
    this.#leader = new Leader({
      epoch: leader.epoch,
      membership,
      runner: executor,
      codeStore,
      work: this.#work,
      worker: this.#worker,
      seal: this.#init.seal,
      hasLed: (leader, epoch) =>
        this.#init.election.history().some(past => past.leader === leader && past.epoch === epoch),
      returning: this.#returning,
      diedBefore: this.#diedBefore(leader),
      journal: this.#journal,
      limits: this.#init.limits ?? DEFAULT_LIMITS,
      room: this.#init.room,
      schedules: this.#init.schedules,
      refusals: this.#init.network.refusals,
      batchSizes: this.#batchSizes,
      logger: this.#logger,
      spans: this.#spans,
      onJobState: (jobId, state) => this.onJobState(jobId, state),
      onFenced: () => {
        this.#fenced = leader.epoch
        void this.#stopLeading(undefined)
      }
    })
    this.#leader.start()
  }

  #diedBefore({ id, epoch }: Leadership): PeerIdString | undefined {
    const { election, membership } = this.#init
    const before = election.history().findLast(past => past.leader !== id || past.epoch !== epoch)
    const member = before === undefined ? undefined : membership.get(before.leader)
    return member?.state === 'dead' && member.role !== 'leader' ? member.id : undefined
  }

  /** Sends the jobs to the next leader, then stops this leadership. */
  async #handOver(to: PeerIdString, signal: AbortSignal): Promise<void> {
    await this.#leader?.handOver(to, signal)
    await this.#stopLeading(to)
    // If the handover aborts, this peer continues to lead.
    if (signal.aborted) this.#onLeader()
    else signal.addEventListener('abort', this.#onLeader, { once: true })
  }

  async #stopLeading(next: PeerIdString | undefined): Promise<void> {
    const leader = this.#leader
    this.#leader = undefined
    if (leader !== undefined) {
      this.#ledBefore = ledTogether(this.#ledBefore, leader.led())
      const stopping = leader.stop(next)
      this.#stopping.add(stopping)
      void stopping.finally(() => this.#stopping.delete(stopping))
    }
    await Promise.all(this.#stopping)
  }

  #otherLeader(): PeerIdString | undefined {
    const id = this.#init.election.leader?.id
    return id === this.#self ? undefined : id
  }

  /** Opens the channel to the leader. The channel is in memory if this peer is the leader. */
  #channel<T>(
    protocol: Protocol<T>,
    handler: ProtocolHandler<T>,
    name: string,
    leader: PeerIdString,
    options: AbortOptions
  ): Promise<Channel<T>> {
    if (leader !== this.#self) return protocol.channel(leader, options)
    let own = this.#ownChannels.get(name) as Channel<T> | undefined
    if (own === undefined || own.closed.aborted) {
      own = memoryChannel(this.#self, handler, handler)[0]
      this.#ownChannels.set(name, own as Channel<unknown>)
    }
    return Promise.resolve(own)
  }
}

/** The leader as the election of a peer reports it. */
export function leaderSourceOf(election: Election): LeaderSource {
  return {
    leader: () => election.leader,
    subscribe(listener) {
      election.addEventListener('leader', listener)
      return () => election.removeEventListener('leader', listener)
    }
  }
}

/** The jobs of a peer. */
export function createJobs(init: JobsInit): Jobs {
  return new PeerJobs(init)
}
