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
import { WorkerCore } from './worker-core.ts'

/** How long (ms) a leader may call before the election has told of it: it has told all before it calls any. */
const NEWS_MS = 5_000
/** So many of those who called as leaders in vain are remembered, the newest: each is a member, and there are as many as have the key. */
const MAX_UNHEARD_OF = 100

/**
 * Every peer's side of the work: it runs chunks for the leader that it accepts, and for nobody else. When that changes, or the leader is
 * gone, what runs goes on, and the next leader is offered it.
 */
export class Worker implements ProtocolHandler<WorkMessage> {
  readonly #election: Election
  readonly #logger: Logger
  readonly #core: WorkerCore
  /** Sessions of leaders that this peer had not given up when another one called. */
  readonly #replaced = new Map<Channel<WorkMessage>, number>()
  /** Who called as a leader that the election then did not tell of: they are not taken for one again before it does. */
  readonly #unheardOf = new Set<PeerIdString>()
  #news: NodeJS.Timeout | undefined
  #stopped = false

  constructor(parts: {
    election: Election
    runner: Runner
    codeStore: CodeKeeper
    logger: Logger
    limits?: Limits | undefined
    spans?: JobSpans | undefined
  }) {
    const { runner, codeStore, limits = DEFAULT_LIMITS, spans } = parts
    this.#election = parts.election
    this.#logger = parts.logger
    this.#core = new WorkerCore({
      runner,
      codeStore,
      retainBytes: limits.heldBytes,
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
      // Always a new session: a leader welcomes a worker again on the same channel when it had taken it for dead, and has
      // given its chunks to others. It sends nothing else before the answer, and no welcome after it.
      if (session !== undefined) this.#replaced.set(session.channel, session.epoch)
      this.#replaced.delete(channel)
      this.#core.begin({ channel, epoch })
      clearTimeout(this.#news)
      if (!isKnown) this.#awaitNews()
    }
    // Otherwise it belongs to a session that is over.
    else if (session?.channel === channel && session.epoch === epoch) this.#core.handle(message)
  }

  onClose(channel: Channel<WorkMessage>): void {
    this.#replaced.delete(channel)
    if (this.#core.session?.channel === channel) this.#leaderGone()
  }

  /**
   * Takes no more chunks, and ends those that run. Resolves when the leader has all that this worker has, or one will never ask, or `most`
   * ms have passed.
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
    // A session that is ahead of the news belongs to a leader that this peer is about to hear of.
    if (!same && !this.#election.accepts(session.channel.remote, session.epoch)) this.#leaderGone()
  }

  #follows(id: PeerIdString, epoch: number): boolean {
    const { leader } = this.#election
    return leader?.id === id && leader.epoch === epoch
  }

  /** Any member can say that it leads, under an epoch above all: it has this worker for no longer than that takes to be found out. */
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
      session.channel.abort(new Error(`${session.channel.remote} says that it leads, and nobody else does`))
    }, NEWS_MS).unref()
  }

  /**
   * A rival that nobody accepted may have called, and be gone: the leader that it was a rival of takes this worker for its own, and does not
   * know that it has been left. It is to call again.
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
