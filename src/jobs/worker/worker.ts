import { setTimeout as delay } from 'node:timers/promises'
import { StoppedError } from '../../common/errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'
import type { Logger } from '../../common/logger.ts'
import type { Election } from '../../election/types.ts'
import type { Channel, PeerIdString, ProtocolHandler } from '../../network/types.ts'
import type { LeaderSays, WorkMessage } from '../protocol/work-messages.ts'
import type { WorkerCounts } from '../shared/job-counts.ts'
import type { JobSpans } from '../shared/job-spans.ts'
import type { CodeKeeper, Runner } from '../shared/runner.ts'
import type { PartialsDisk } from './partials-disk.ts'
import { WorkerCore } from './worker-core.ts'

/**
 * How long (ms) a worker keeps the channel of a leader that the election has not announced. An elected leader is announced to all peers before
 * the leader calls.
 */
const NEWS_MS = 5_000
/**
 * The largest number of refused callers that are remembered. Any member can be a refused caller, so their number is bounded only by
 * the owners of the key.
 */
const MAX_UNHEARD_OF = 100

/**
 * A peer's worker: runs chunks for the leader that the peer accepts, and for no other peer. When the leader changes or
 * is gone, running chunks continue, and the worker names them to the next leader.
 */
export class Worker implements ProtocolHandler<WorkMessage> {
  readonly #election: Election
  readonly #logger: Logger
  readonly #core: WorkerCore
  /**
   * The sessions that the call of another leader has replaced while this peer still accepted the leader of the session. The value is the epoch.
   */
  readonly #replaced = new Map<Channel<WorkMessage>, number>()
  /**
   * The peers that called as leaders and that the election did not announce. This worker ignores the calls of such a peer
   * until the election announces that peer.
   */
  readonly #unheardOf = new Set<PeerIdString>()
  #news: NodeJS.Timeout | undefined
  #stopped = false

  constructor(parts: {
    election: Election
    runner: Runner
    codeStore: CodeKeeper
    logger: Logger
    limits?: Limits | undefined
    disk?: PartialsDisk | undefined
    spans?: JobSpans | undefined
  }) {
    const { runner, codeStore, limits = DEFAULT_LIMITS, disk, spans } = parts
    this.#election = parts.election
    this.#logger = parts.logger
    this.#core = new WorkerCore({
      runner,
      codeStore,
      retainBytes: limits.heldBytes,
      disk,
      valueBytes: limits.valueBytes,
      spans
    })
    this.#election.addEventListener('leader', this.#onLeader)
  }

  counts(): WorkerCounts {
    return this.#core.counts()
  }

  onMessage(message: WorkMessage, channel: Channel<WorkMessage>): void {
    if (this.#stopped || !isFromLeader(message)) return
    const { epoch } = message
    if (!this.#election.accepts(channel.remote, epoch)) return
    const { session } = this.#core
    if (message.type === 'welcome') {
      const isKnown = this.#follows(channel.remote, epoch)
      if (!isKnown && this.#unheardOf.has(channel.remote)) return
      this.#logger.debug({ peerId: channel.remote, epoch }, 'works for a leader')
      // A welcome always begins a new session. A leader repeats the welcome on the same channel if the leader took the worker
      // for dead and gave its chunks away. The leader sends no other message before the answer, and no welcome after it.
      if (session !== undefined) this.#replaced.set(session.channel, session.epoch)
      this.#replaced.delete(channel)
      this.#core.begin({ channel, epoch })
      clearTimeout(this.#news)
      if (!isKnown) this.#awaitNews()
    }
    // Other messages belong to a session that has ended.
    else if (session?.channel === channel && session.epoch === epoch) this.#core.handle(message)
  }

  onClose(channel: Channel<WorkMessage>): void {
    this.#replaced.delete(channel)
    if (this.#core.session?.channel === channel) this.#leaderGone()
  }

  /**
   * Takes no more chunks, and completes the running chunks. Resolves when the leader has all outcomes of this worker, or
   * no leader will ask for them, or after `most` ms.
   */
  async leave(most: number): Promise<void> {
    const over = new AbortController()
    const late = delay(most, undefined, { signal: over.signal }).catch(() => {})
    await Promise.race([this.#core.leave(), late])
    over.abort()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#news)
    this.#election.removeEventListener('leader', this.#onLeader)
    this.#core.stop(new StoppedError('this peer was stopped'))
  }

  readonly #onLeader = (): void => {
    const { leader } = this.#election
    const { session } = this.#core
    if (leader !== undefined) this.#unheardOf.delete(leader.id)
    if (session === undefined || leader === undefined) return
    const same = leader.id === session.channel.remote && leader.epoch === session.epoch
    // If the epoch of the session is newer, this peer will soon learn of that leader from the election.
    if (!same && !this.#election.accepts(session.channel.remote, session.epoch)) this.#leaderGone()
  }

  #follows(id: PeerIdString, epoch: number): boolean {
    const { leader } = this.#election
    return leader?.id === id && leader.epoch === epoch
  }

  /**
   * Ends the session of a caller that the election does not announce within NEWS_MS. Any member can claim to lead under a
   * very high epoch, so the claim alone is no proof.
   */
  #awaitNews(): void {
    this.#news = setTimeout(() => {
      const { session } = this.#core
      if (session === undefined || this.#follows(session.channel.remote, session.epoch)) return
      if (this.#election.leader === undefined) {
        this.#awaitNews()
        return
      }
      this.#unheardOf.add(session.channel.remote)
      const [oldest] = this.#unheardOf
      if (this.#unheardOf.size > MAX_UNHEARD_OF) this.#unheardOf.delete(oldest!)
      session.channel.abort(new Error(`${session.channel.remote} claims to lead, but no other peer says so`))
    }, NEWS_MS).unref()
  }

  /**
   * The session that ends may be the session of a rival that this peer never accepted. The leader before the rival still
   * expects this worker to work for it. Closing the channel of that leader makes that leader call again.
   */
  #leaderGone(): void {
    this.#core.leaderGone()
    for (const [channel, epoch] of this.#replaced) {
      this.#replaced.delete(channel)
      if (this.#election.accepts(channel.remote, epoch))
        channel.abort(new Error('this worker has worked for another leader meanwhile'))
    }
  }
}

const FROM_LEADER: readonly WorkMessage['type'][] = [
  'welcome',
  'batch',
  'reattach',
  'covered',
  'release',
  'cancel-chunks',
  'go',
  'code',
  'values',
  'dismissed'
]

function isFromLeader(message: WorkMessage): message is WorkMessage & LeaderSays {
  return FROM_LEADER.includes(message.type)
}
