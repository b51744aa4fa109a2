import { setTimeout as delay } from 'node:timers/promises'
import { LockTimeoutError, P2pWorkerError, StoppedError } from '../common/errors.ts'
import { LeaseClock } from '../election/lease-clock.ts'
import { LeaderFollower } from '../jobs/client/leader-follower.ts'
import { type LeaderSource, waitForLeader } from '../jobs/client/leader-source.ts'
import { LeaderTimeout } from '../jobs/client/leader-timeout.ts'
import { eitherSignal, orAborted } from '../lib/abort.ts'
import { PendingRequests } from '../network/channel/pending-requests.ts'
import type { AbortOptions, Channel, PeerIdString } from '../network/types.ts'
import type { LockId, LockState } from './core/types.ts'
import { LockSession } from './lock-session.ts'
import type { LockMessage } from './messages.ts'

/** The interval at which the time of held locks is checked, in ms. One long timer would not count a suspend of the machine. */
const LOOK_MS = 20
/** A longer timer of Node fires at once, in ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** The pause before a client asks the leader for the list of locks again, in ms. */
const RETRY_MS = 100

export interface AcquireOptions extends LockId {
  limit: number
  ttl: number
  owner: string
  /** How long to wait for the lock, in ms. */
  wait: number
  signal: AbortSignal | undefined
  /** Whether the session also waits while no leader answers. Otherwise it fails then after 10 s, unless a leader has answered before. */
  isPatient?: boolean | undefined
  /** Called when the session has to wait, and whenever its place has changed. */
  onWaiting?: ((ahead: number) => void) | undefined
  /** Whether others rely on the lock who do not see its signal. Then only its ttl or a release frees the lock, not the stop of this process. */
  isLent?: boolean | undefined
}

export interface LockClientInit {
  leaderSource: LeaderSource
  open(leader: PeerIdString, options: AbortOptions): Promise<Channel<LockMessage>>
  /** The time of a clock that goes on while the machine is suspended, in ms. Default: the clocks of this machine. */
  now?: (() => number) | undefined
}

/** The locks that this process holds or waits for. */
export class LockClient {
  readonly #init: LockClientInit
  readonly #now: () => number
  readonly #sessions = new Map<string, LockSession>()
  readonly #lists = new PendingRequests<LockMessage, Extract<LockMessage, { type: 'locks' }>>()
  readonly #stopped = new AbortController()
  /** Follows the leader while there is a session. */
  #follower: LeaderFollower<LockMessage> | undefined
  #idle = new AbortController()
  #looking: NodeJS.Timeout | undefined

  constructor(init: LockClientInit) {
    const clock = new LeaseClock()
    this.#init = init
    this.#now = init.now ?? (() => clock.times().elapsed)
  }

  /**
   * Resolves when the session holds the lock.
   *
   * @throws LockTimeoutError, InvalidOptionError, NoClusterError, StoppedError, or the signal's reason
   */
  async acquire({ wait, signal, ...options }: AcquireOptions): Promise<LockSession> {
    signal?.throwIfAborted()
    this.#stopped.signal.throwIfAborted()
    const session: LockSession = new LockSession({
      ...options,
      now: this.#now,
      say: request => void this.#follower?.channel?.send(request).catch(() => {}),
      onOver: () => this.#remove(session)
    })
    this.#add(session)
    const either = eitherSignal(signal, this.#stopped.signal)
    const late = new AbortController()
    try {
      // An abort costs an error, so a wait without end makes no timer to abort.
      const timeout = wait > LONGEST_TIMER_MS ? [] : [this.#timeout(session, options.name, wait, late.signal)]
      await orAborted(Promise.race([session.held, ...timeout]), either.signal)
      return session
    } catch (error) {
      session.fail(error as Error)
      // The lock may have been granted at the same moment.
      if (session.isHeld) void session.release()
      throw error
    } finally {
      if (wait <= LONGEST_TIMER_MS) late.abort()
      either.release()
    }
  }

  /** Rejects when a leader has answered and the lock is not granted `wait` ms later. Never resolves. */
  async #timeout(session: LockSession, name: string, wait: number, over: AbortSignal): Promise<never> {
    await session.answered
    await delay(wait, undefined, { signal: over }).catch(() => {})
    if (over.aborted || session.isHeld) return await new Promise(() => {})
    const after = wait === 0 ? 'is held' : `was not granted within ${wait / 1_000} s`
    throw new LockTimeoutError(`the lock ${JSON.stringify(name)} ${after}: \`p2p-worker locks\` shows who holds it`)
  }

  /** Returns all locks that somebody holds or waits for. */
  async states(signal?: AbortSignal): Promise<LockState[]> {
    const either = eitherSignal(signal, this.#stopped.signal)
    try {
      const states: LockState[] = []
      for (let after = ''; ; ) {
        const { locks, more } = await this.#list(after, either.signal)
        states.push(...locks)
        const last = locks.at(-1)
        if (!more || last === undefined) return states
        after = `${last.kind}/${last.name}`
      }
    } finally {
      either.release()
    }
  }

  async #list(after: string, signal: AbortSignal): Promise<Extract<LockMessage, { type: 'locks' }>> {
    const patience = new LeaderTimeout()
    for (;;) {
      const leader = await waitForLeader(this.#init.leaderSource, { signal })
      patience.calls(leader)
      try {
        const channel = await this.#init.open(leader.id, { signal })
        return await this.#lists.send(channel, id => ({ session: String(id), type: 'list', after }), signal)
      } catch (error) {
        signal.throwIfAborted()
        patience.failed(error)
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }

  onMessage(message: LockMessage, channel: Channel<LockMessage>): void {
    const pending = this.#lists.get(Number(message.session), channel)
    if (message.type === 'locks') pending?.resolve(message)
    else if (message.type === 'not-leader') {
      pending?.reject(new P2pWorkerError(`${channel.remote} does not lead`))
      if (pending === undefined && channel === this.#follower?.channel) this.#follower.moveOn()
    } else if (
      channel === this.#follower?.channel &&
      message.type !== 'keep' &&
      message.type !== 'release' &&
      message.type !== 'list'
    ) {
      const session = this.#sessions.get(message.session)
      session?.handle(message)
      // From now on the session waits for the lock, however long that takes.
      if (session?.isAnswered === true) this.#follower.patient = true
    }
  }

  onClose(channel: Channel<LockMessage>): void {
    this.#follower?.closed(channel)
  }

  /** Ends all sessions with this error, except those that hold a lock. */
  giveUp(reason: Error): void {
    for (const session of [...this.#sessions.values()]) session.fail(reason)
  }

  /** Loses all locks, and tells the leader, except of those that are lent. */
  async stop(): Promise<void> {
    const reason = new StoppedError('this process was stopped while it held or waited for a lock')
    this.#stopped.abort(reason)
    for (const session of [...this.#sessions.values()]) {
      const request = { type: 'release', session: session.id, ...session.lock } as const
      if (session.isHeld) {
        session.lose('this process was stopped', reason)
        if (!session.isLent) await this.#follower?.channel?.send(request).catch(() => {})
      } else session.fail(reason)
    }
    this.#idle.abort()
    clearInterval(this.#looking)
  }

  #add(session: LockSession): void {
    this.#sessions.set(session.id, session)
    this.#looking ??= setInterval(() => {
      for (const each of this.#sessions.values()) each.look()
    }, LOOK_MS)
    if (this.#follower === undefined) {
      this.#idle = new AbortController()
      this.#follower = new LeaderFollower<LockMessage>({
        ...this.#init,
        hello: () => [...this.#sessions.values()].flatMap(each => each.request() ?? []),
        over: this.#idle.signal,
        onGivenUp: error => {
          for (const each of [...this.#sessions.values()]) if (!each.isPatient && !each.isAnswered) each.fail(error)
        }
      })
      this.#follower.start()
      return
    }
    const request = session.request()
    if (request !== undefined && this.#follower.channel !== undefined) this.#follower.say(request)
  }

  #remove(session: LockSession): void {
    this.#sessions.delete(session.id)
    if (this.#sessions.size > 0) return
    // The next session fails if it finds no leader in time.
    if (this.#follower !== undefined) this.#follower.patient = false
    clearInterval(this.#looking)
    this.#looking = undefined
  }
}
