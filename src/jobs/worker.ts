import type { Election } from '../election/types.ts'
import { JobCancelledError, StoppedError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Channel, ProtocolHandler } from '../network/types.ts'
import type { CodeKeeper, Runner } from './runner.ts'
import type { LeaderSays, WorkMessage } from './work-messages.ts'
import { WorkSession } from './work-session.ts'

/**
 * Every peer's side of the work: it runs chunks for the leader that it accepts, and for nobody else. A change of leader
 * or the end of the leader's channel stops what runs.
 */
export class Worker implements ProtocolHandler<WorkMessage> {
  readonly #election: Election
  readonly #runner: Runner
  readonly #codeStore: CodeKeeper
  readonly #logger: Logger
  #session: WorkSession | undefined
  /** Sessions that have ended while threads were still on their way out. */
  readonly #ending = new Set<WorkSession>()
  #stopped = false

  constructor(parts: { election: Election; runner: Runner; codeStore: CodeKeeper; logger: Logger }) {
    this.#election = parts.election
    this.#runner = parts.runner
    this.#codeStore = parts.codeStore
    this.#logger = parts.logger
    this.#election.addEventListener('leader', this.#onLeader)
  }

  onMessage(message: WorkMessage, channel: Channel<WorkMessage>): void {
    if (this.#stopped || !isFromLeader(message)) return
    if (!this.#election.accepts(channel.remote, message.epoch)) return
    let session = this.#session
    if (message.type === 'welcome') {
      // Always a new session: a leader welcomes a worker again on the same channel when it had taken it for dead, and has
      // given its chunks to others. It sends nothing else before the answer, and no welcome after it.
      this.#end(new JobCancelledError('the leader has this worker begin anew'))
      session = new WorkSession({
        channel,
        epoch: message.epoch,
        runner: this.#runner,
        codeStore: this.#codeStore,
        onIdle: () => this.#feed()
      })
      this.#session = session
      this.#logger.debug({ leader: channel.remote, epoch: message.epoch }, 'works for a leader')
    } else if (session === undefined || session.channel !== channel || session.epoch !== message.epoch) {
      // It belongs to a session that is over.
      return
    }
    session.handle(message, this.#free)
  }

  onClose(channel: Channel<WorkMessage>): void {
    if (this.#session?.channel === channel) this.#end(new JobCancelledError('the leader is not connected any more'))
  }

  stop(): void {
    this.#stopped = true
    this.#election.removeEventListener('leader', this.#onLeader)
    this.#end(new StoppedError('this peer was stopped'))
  }

  /** Threads that nothing uses, those of ended sessions included. */
  readonly #free = (): number => {
    let running = this.#session?.running ?? 0
    for (const session of this.#ending) {
      if (session.running === 0) this.#ending.delete(session)
      running += session.running
    }
    return this.#runner.slots - running
  }

  readonly #onLeader = (): void => {
    const { leader } = this.#election
    const session = this.#session
    if (session === undefined || leader === undefined) return
    const same = leader.id === session.channel.remote && leader.epoch === session.epoch
    // A session that is ahead of the news belongs to a leader that this peer is about to hear of.
    if (!same && !this.#election.accepts(session.channel.remote, session.epoch)) {
      this.#end(new JobCancelledError('another leadership has begun'))
    }
  }

  #feed(): void {
    this.#session?.feed(this.#free)
  }

  #end(reason: Error): void {
    const session = this.#session
    if (session === undefined) return
    this.#session = undefined
    session.end(reason)
    if (session.running > 0) this.#ending.add(session)
  }
}

function isFromLeader(message: WorkMessage): message is WorkMessage & LeaderSays {
  return message.type === 'welcome' || message.type === 'batch' || message.type === 'release' || message.type === 'code'
}
