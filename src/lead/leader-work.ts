/** Runs work at the leader only. The work begins when this peer leads, and stops before the leadership ends. */

import { InvalidOptionError, LeadershipLostError, StoppedError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { LeaseTime } from '../election/quorum/lease.ts'
import type { Election, Leadership } from '../election/types.ts'
import type { Role } from '../membership/core/member.ts'
import type { PeerIdString } from '../network/types.ts'
import { Duty, graceOf, LOOK_EVERY } from './duty.ts'
import { Stint, type Tenure } from './stint.ts'

/** The context of leader-only work. */
export interface LeadContext {
  /**
   * The epoch of the leadership. Under leases (`voters`, or a store) the epoch is unique: a store that keeps the epoch next to the data can
   * refuse writes of earlier leaders. The epoch of a named leadership is its token, which grows with each leadership of this name.
   */
  epoch: number
  /** The store's own number of the leadership, with an `election` by a store that has such numbers. It only grows. */
  storeNumber?: string | undefined
  /**
   * Aborts when the work has to stop, because the leadership is about to end, the peer leaves, or the caller's signal has
   * aborted.
   */
  signal: AbortSignal
  /**
   * Returns the time (ms) for which this peer certainly still leads. The time is Infinity without leases, because the end is
   * unknown then, and 0 if this peer no longer leads.
   */
  remaining: () => number
  /** The time that the work has to stop after the signal has aborted, in ms. */
  grace: number
}

/** The options of leader-only work. */
export interface LeadOptions {
  /**
   * The name of a leadership, 1 to 200 characters. Each name has a leader of its own: the peers that want to lead it share the names
   * evenly. Default: the leadership of the cluster.
   */
  name?: string
  /**
   * How long after its peer has died a named leadership goes to another peer, in ms, from 1,000 to 30,000. Default 10,000. Without
   * `name` the option has no use, and is refused.
   */
  ttl?: number
  /**
   * The time that the work has to stop after the signal has aborted, in ms. If the work takes longer, the peer ends its own
   * process (within 50 ms with leases, otherwise within a second), because two leaders at work would be worse. Default:
   * 10,000, or with leases the longest grace that the lease time allows, if that is less.
   */
  grace?: number
  /** An abort of this signal stops the work; if the work has not begun, the call stops waiting for the leadership. */
  signal?: AbortSignal
  /**
   * Kills work that runs outside of this process. Returns whether the work has certainly ended; if so, this process need
   * not end.
   *
   * @internal
   */
  kill?: () => boolean
}

/** Leader-only work. `Peer.lead` resolves or rejects with the outcome of the work, unless the work had to stop. */
export type LeadFunction<T> = (context: LeadContext) => T | Promise<T>

export interface LeaderWorkInit {
  self: PeerIdString
  role: Role
  election: Election
  /** The duration of the lease with which a leadership ends. Undefined if leaderships need no lease. */
  leaseTime: LeaseTime | undefined
  logger: Logger
  /** Ends this process at once. Tests replace this function. */
  endProcess?: () => void
}

/** All leader-only work of one peer. */
export class LeaderWork {
  readonly #init: LeaderWorkInit
  readonly #running = new Set<Stint>()
  readonly #stopped = new AbortController()
  readonly #ignoreHandOffs: () => void
  /** The signal of the newest hand-off. The signal aborts when the hand-off fails and this peer continues to lead. */
  #handingOver: AbortSignal | undefined

  constructor(init: LeaderWorkInit) {
    this.#init = init
    // The hand-off waits for this function, so no other peer leads before the work of this peer has stopped.
    this.#ignoreHandOffs = init.election.onHandOff(
      async (_to, signal) => {
        this.#handingOver = signal
        await this.#stopAll()
      },
      () => Math.max(0, ...[...this.#running].map(stint => stint.timeToStop))
    )
    init.election.addEventListener('leader', this.#onLeader)
  }

  /** Forgets the hand-off when this peer no longer leads, because the hand-off does not concern a later leadership. */
  readonly #onLeader = (): void => {
    if (!this.#init.election.isLeader) this.#handingOver = undefined
  }

  /** Runs `fn` whenever this peer leads, until a run of `fn` settles without having been stopped: see `Peer.lead`. */
  async lead<T>(fn: LeadFunction<T>, options: LeadOptions = {}): Promise<T> {
    const { election, leaseTime, logger } = this.#init
    this.#checkCanLead()
    const grace = graceOf(options.grace, leaseTime)
    const signal = AbortSignal.any([this.#stopped.signal, ...(options.signal === undefined ? [] : [options.signal])])
    const hasLease = leaseTime !== undefined
    const { endProcess = () => process.kill(process.pid, 'SIGKILL') } = this.#init
    const end = (): void => {
      if (options.kill?.() === true) return
      logger.error({ grace }, 'leader-only work did not stop within its grace: this peer ends its process')
      endProcess()
    }
    for (;;) {
      signal.throwIfAborted()
      const duty = new Duty({ grace, hasLease })
      const leadership = this.#leadershipFor(duty)
      if (leadership === undefined) {
        await this.#change(signal)
        continue
      }
      // No other code may run between this check and the start of the work, because a hand-off stops only work that has started.
      logger.info({ epoch: leadership.epoch }, 'leader-only work begins')
      const stint = new Stint({ tenure: this.#tenureOf(leadership), duty, grace, hasLease, signal, end })
      this.#running.add(stint)
      try {
        const { epoch } = leadership
        const { storeNumber } = election
        const outcome = await stint.run(context => fn({ ...context, epoch, storeNumber }))
        if (outcome !== undefined) return outcome.value
      } finally {
        this.#running.delete(stint)
      }
      logger.info({ epoch: leadership.epoch }, 'leader-only work has stopped')
    }
  }

  /** Stops all work, and resolves when all work has stopped. */
  async stop(): Promise<void> {
    this.#init.election.removeEventListener('leader', this.#onLeader)
    this.#stopped.abort(new StoppedError('the peer has left the cluster'))
    await this.#stopAll()
    this.#ignoreHandOffs()
  }

  /** Throws if this peer can never lead: the call of `lead` would wait for ever. */
  #checkCanLead(): void {
    const { self, role, election } = this.#init
    if (election.voters?.includes(self) === false) {
      throw new InvalidOptionError(
        `this peer, ${self}, is not one of the voters, so it never leads: start it with the data folder of a voter (\`p2p-worker id --data-dir DIR\` prints whose it is)`
      )
    }
    if (role === 'worker')
      throw new InvalidOptionError('a peer whose role is `worker` never leads: give it another role')
  }

  async #stopAll(): Promise<void> {
    await Promise.all([...this.#running].map(stint => stint.stop()))
  }

  #tenureOf({ id, epoch }: Leadership): Tenure {
    const { election } = this.#init
    return {
      remaining: () => (election.leader?.id === id && election.leader.epoch === epoch ? election.remaining : 0),
      onChange: listener => {
        election.addEventListener('leader', listener)
        return () => election.removeEventListener('leader', listener)
      },
      lost: () => new LeadershipLostError(`this peer no longer leads with epoch ${epoch}`)
    }
  }

  get #isHandingOver(): boolean {
    return this.#handingOver?.aborted === false
  }

  /** The leadership of this peer; undefined if the rest of the leadership is too short to begin and stop the work. */
  #leadershipFor(duty: Duty): Leadership | undefined {
    const { election } = this.#init
    return !this.#isHandingOver && duty.mayBegin(election.remaining) ? election.leader : undefined
  }

  /** Resolves when this peer may have become able to begin work. */
  async #change(signal: AbortSignal): Promise<void> {
    const { election } = this.#init
    const handingOver = this.#isHandingOver ? this.#handingOver : undefined
    await new Promise<void>(resolve => {
      // If the rest of the lease is too short for the work, the lease will soon be renewed or lost.
      const again = handingOver === undefined && election.isLeader ? setTimeout(done, LOOK_EVERY) : undefined
      function done(): void {
        clearTimeout(again)
        election.removeEventListener('leader', done)
        signal.removeEventListener('abort', done)
        handingOver?.removeEventListener('abort', done)
        resolve()
      }
      election.addEventListener('leader', done)
      signal.addEventListener('abort', done, { once: true })
      handingOver?.addEventListener('abort', done, { once: true })
    })
  }
}
