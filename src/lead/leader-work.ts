/** Work that runs at the leader and nowhere else: begun when this peer leads, stopped before its leadership ends. */
import { type LeaseTerms, validity } from '../election/lease.ts'
import { RENEWALS } from '../election/quorum.ts'
import type { Election, Leadership } from '../election/types.ts'
import { InvalidOptionError, LeadershipLostError, StoppedError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Role } from '../membership/member.ts'
import type { PeerIdString } from '../network/types.ts'

/** What leader-only work is given. */
export interface LeadContext {
  /**
   * The leadership's epoch. Under a quorum no other leadership ever has the same: kept next to data it lets a writer
   * refuse whoever led before.
   */
  epoch: number
  /** Aborted when the work has to stop: the leadership is about to end, the peer leaves, or the caller's signal was aborted. */
  signal: AbortSignal
  /** For how many ms more this peer leads, whatever happens; without a quorum nobody can say: Infinity. 0 when it no longer does. */
  remaining: () => number
  /** How long the work may take to stop, in ms. */
  grace: number
}

export interface LeadOptions {
  /**
   * How long the work may take to stop, in ms. A peer whose work has not stopped by then ends its own process: two leaders at work
   * would be worse. Default 10,000; with `voters` as much of that as the lease time has room for.
   */
  grace?: number
  /** Stops the work, and the wait for it. */
  signal?: AbortSignal
}

export type LeadFunction<T> = (context: LeadContext) => T | Promise<T>

export interface LeaderWorkInit {
  self: PeerIdString
  role: Role
  election: Election
  terms: LeaseTerms | undefined
  logger: Logger
  /** Ends this process at once. Tests look on instead. */
  endProcess?: () => void
}

const GRACE = 10_000
/** A timer's most, in ms. */
const LONGEST_GRACE = 2 ** 31 - 1
/** How late the answers to a renewal, and the news of it, may be without any work being stopped, in ms. */
const LATENESS = 50

/** How long work may take to stop under these terms, in ms: so early its lease has been renewed, though one renewal was lost. */
export function longestGrace(terms: LeaseTerms): number {
  return Math.floor(roomForGrace(terms))
}

function roomForGrace(terms: LeaseTerms): number {
  return validity(terms) - (2 * terms.leaseTime) / RENEWALS - LATENESS
}

/** The grace that counts. @throws InvalidOptionError when the lease time has no room for what was asked for */
export function graceOf(asked: number | undefined, terms: LeaseTerms | undefined): number {
  if (asked !== undefined && !(asked >= 0 && asked <= LONGEST_GRACE)) {
    throw new InvalidOptionError(`\`grace\` must be a number of ms from 0 to ${LONGEST_GRACE}, not ${asked}`)
  }
  if (terms === undefined) return asked ?? GRACE
  const longest = longestGrace(terms)
  if (asked === undefined) return Math.min(GRACE, longest)
  if (asked <= longest) return asked
  // Linear in the lease time, but for a constant.
  const [one, two] = [1_000, 2_000].map(leaseTime => roomForGrace({ ...terms, leaseTime }))
  const perMs = (two! - one!) / 1_000
  const needed = Math.ceil((asked - one!) / perMs) + 1_000
  throw new InvalidOptionError(
    `a grace of ${asked} ms is too long for a lease time of ${terms.leaseTime} ms, which has room for ${longest} ms: give all peers a lease time of at least ${needed} ms`
  )
}

/** All leader-only work of one peer. */
export class LeaderWork {
  readonly #init: LeaderWorkInit
  readonly #running = new Set<Stint>()
  readonly #stopped = new AbortController()
  /** The hand-off that has begun last; its signal is aborted when this peer goes on leading. */
  #handingOver: AbortSignal | undefined

  constructor(init: LeaderWorkInit) {
    this.#init = init
    // An awaited hand-off: nobody else leads before the work here has stopped.
    init.election.onHandOff(async (_to, signal) => {
      this.#handingOver = signal
      await this.#stopAll()
    })
    init.election.addEventListener('leader', this.#onLeader)
  }

  /** What was handed over is, once this peer no longer leads: the next time it does is another time. */
  readonly #onLeader = (): void => {
    if (!this.#init.election.isLeader) this.#handingOver = undefined
  }

  /** Runs `fn` whenever this peer leads, until it settles by itself: see `Peer.lead`. */
  async lead<T>(fn: LeadFunction<T>, options: LeadOptions = {}): Promise<T> {
    const { election, terms, logger } = this.#init
    this.#checkCanLead()
    const grace = graceOf(options.grace, terms)
    const signal = AbortSignal.any([this.#stopped.signal, ...(options.signal === undefined ? [] : [options.signal])])
    for (;;) {
      const leadership = await this.#untilLeading(grace, signal)
      logger.info({ epoch: leadership.epoch }, 'leader-only work begins')
      const end = (): void => this.#end(grace)
      const stint = new Stint({ election, leadership, grace, hasLease: terms !== undefined, signal, end })
      this.#running.add(stint)
      try {
        const outcome = await stint.run(fn)
        if (outcome !== undefined) return outcome.value
      } finally {
        this.#running.delete(stint)
      }
      logger.info({ epoch: leadership.epoch }, 'leader-only work has stopped')
      signal.throwIfAborted()
    }
  }

  /** Stops all of it; resolves when it has stopped. */
  async stop(): Promise<void> {
    this.#init.election.removeEventListener('leader', this.#onLeader)
    this.#stopped.abort(new StoppedError('the peer has left the cluster'))
    await this.#stopAll()
  }

  /** Else it would wait for ever. */
  #checkCanLead(): void {
    const { self, role, terms } = this.#init
    if (terms !== undefined && !terms.voters.includes(self)) {
      throw new InvalidOptionError(
        `this peer, ${self}, is none of the voters, so it never leads: start it with the data folder of a voter (\`p2p-worker id --data-dir DIR\` prints whose it is)`
      )
    }
    if (role === 'worker')
      throw new InvalidOptionError('a peer whose role is `worker` never leads: give it another role')
  }

  async #stopAll(): Promise<void> {
    await Promise.all([...this.#running].map(stint => stint.stop()))
  }

  /** Resolves when this peer leads, and for long enough that work can be begun, and stopped again. */
  async #untilLeading(grace: number, signal: AbortSignal): Promise<Leadership> {
    const { election } = this.#init
    for (;;) {
      signal.throwIfAborted()
      const { leader } = election
      const stays = this.#handingOver === undefined || this.#handingOver.aborted
      if (stays && leader !== undefined && election.remaining > grace) return leader
      await new Promise<void>(resolve => {
        // A lease that has less left than the grace is renewed soon, or lost.
        const again = stays && election.isLeader ? setTimeout(done, LOOK_EVERY) : undefined
        const handingOver = stays ? undefined : this.#handingOver
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

  #end(grace: number): void {
    this.#init.logger.error({ grace }, 'leader-only work did not stop within its grace: this peer ends its process')
    const { endProcess = () => process.kill(process.pid, 'SIGKILL') } = this.#init
    endProcess()
  }
}

interface StintInit {
  election: Election
  leadership: Leadership
  grace: number
  /** Under a quorum the leadership ends with a lease. */
  hasLease: boolean
  signal: AbortSignal
  end: () => void
}

/** One run of the work, within one leadership. */
class Stint {
  readonly #init: StintInit
  readonly #controller = new AbortController()
  #settled: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined

  constructor(init: StintInit) {
    this.#init = init
  }

  /** What the work returned; undefined when it had to stop. */
  async run<T>(fn: LeadFunction<T>): Promise<{ value: T } | undefined> {
    const { election, leadership, grace, signal } = this.#init
    const stopping = this.#controller.signal
    const onAbort = (): void => this.#abort(signal.reason)
    const onLeader = (): void => this.#check()
    signal.addEventListener('abort', onAbort, { once: true })
    election.addEventListener('leader', onLeader)
    const remaining = (): number => (this.#leads ? election.remaining : 0)
    const context = { epoch: leadership.epoch, signal: stopping, remaining, grace }
    const work = (async () => await fn(context))()
    this.#settled = work.catch(() => {})
    if (signal.aborted) onAbort()
    this.#check()
    try {
      const value = await work
      return stopping.aborted ? undefined : { value }
    } catch (error) {
      if (!stopping.aborted) throw error
      return undefined
    } finally {
      clearTimeout(this.#timer)
      clearImmediate(this.#immediate)
      signal.removeEventListener('abort', onAbort)
      election.removeEventListener('leader', onLeader)
    }
  }

  async stop(): Promise<void> {
    this.#abort(this.#lost())
    await this.#settled
  }

  /** Stops the work in time, and looks again when that may be. */
  #check(): void {
    const { election, grace, hasLease } = this.#init
    if (this.#controller.signal.aborted) return
    if (!this.#leads || election.remaining <= grace) this.#abort(this.#lost())
    else if (hasLease) {
      // Again and again: no timer counts the time that the machine is suspended.
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#check(), LOOK_EVERY)
    }
  }

  get #leads(): boolean {
    const { election, leadership } = this.#init
    return election.leader?.id === leadership.id && election.leader.epoch === leadership.epoch
  }

  #abort(reason: unknown): void {
    if (this.#controller.signal.aborted) return
    const { election, grace, hasLease, end } = this.#init
    this.#controller.abort(reason)
    clearTimeout(this.#timer)
    // Under a quorum another one may lead as soon as this leadership is over, however late that was noticed here.
    const left = this.#leads ? election.remaining : hasLease ? 0 : grace
    if (left > 0) this.#timer = setTimeout(end, Math.min(grace, left))
    // Not before what has arrived meanwhile is read: it may be that the work has ended.
    else this.#immediate = setImmediate(() => (this.#immediate = setImmediate(end)))
  }

  #lost(): LeadershipLostError {
    return new LeadershipLostError(`this peer no longer leads with epoch ${this.#init.leadership.epoch}`)
  }
}

/** How often the lease is looked at, in ms, while it is about to be renewed, and while work is done under it. */
const LOOK_EVERY = 20
