/** Work that runs at the leader and nowhere else: begun when this peer leads, stopped before its leadership ends. */
import { type LeaseTerms, validity } from '../election/lease.ts'
import { RENEWALS } from '../election/quorum.ts'
import type { Election, Leadership } from '../election/types.ts'
import { InvalidOptionError, LeadershipLostError, StoppedError } from '../errors.ts'
import type { Logger } from '../logger.ts'

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
  election: Election
  terms: LeaseTerms | undefined
  logger: Logger
  /** Ends this process at once. Tests look on instead. */
  endProcess?: () => void
}

const GRACE = 10_000

/** How long work may take to stop under these terms, in ms: its lease is renewed so much earlier. */
export function longestGrace(terms: LeaseTerms): number {
  return Math.floor(validity(terms) - terms.leaseTime / RENEWALS)
}

/** The grace that counts. @throws InvalidOptionError when the lease time has no room for what was asked for */
export function graceOf(asked: number | undefined, terms: LeaseTerms | undefined): number {
  if (asked !== undefined && !(Number.isFinite(asked) && asked >= 0)) {
    throw new InvalidOptionError(`\`grace\` must be a number of ms, not ${asked}`)
  }
  if (terms === undefined) return asked ?? GRACE
  const longest = longestGrace(terms)
  if (asked === undefined) return Math.min(GRACE, longest)
  if (asked <= longest) return asked
  // Both are linear in the lease time, but for the margin.
  const [one, two] = [1_000, 2_000].map(leaseTime => validity({ ...terms, leaseTime }) - leaseTime / RENEWALS)
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
  }

  /** Runs `fn` whenever this peer leads, until it settles by itself: see `Peer.lead`. */
  async lead<T>(fn: LeadFunction<T>, options: LeadOptions = {}): Promise<T> {
    const { election, terms, logger } = this.#init
    const grace = graceOf(options.grace, terms)
    const signal = AbortSignal.any([this.#stopped.signal, ...(options.signal === undefined ? [] : [options.signal])])
    for (;;) {
      const leadership = await this.#untilLeading(grace, signal)
      logger.info({ epoch: leadership.epoch }, 'leader-only work begins')
      const stint = new Stint({ election, leadership, grace, signal, end: () => this.#end(grace) })
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
    this.#stopped.abort(new StoppedError('the peer has left the cluster'))
    await this.#stopAll()
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
      if (!election.isLeader) this.#handingOver = undefined
      const stays = this.#handingOver === undefined || this.#handingOver.aborted
      if (stays && leader !== undefined && election.remaining > grace) return leader
      await new Promise<void>(resolve => {
        // A lease that has less left than the grace is renewed soon, or lost.
        const again = stays && election.isLeader ? setTimeout(done, RENEWAL_POLL) : undefined
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
  signal: AbortSignal
  end: () => void
}

/** One run of the work, within one leadership. */
class Stint {
  readonly #init: StintInit
  readonly #controller = new AbortController()
  #settled: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

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
    const context = { epoch: leadership.epoch, signal: stopping, remaining: () => election.remaining, grace }
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
    const { election, leadership, grace } = this.#init
    if (this.#controller.signal.aborted) return
    const leads = election.leader?.id === leadership.id && election.leader.epoch === leadership.epoch
    const left = election.remaining - grace
    if (!leads || left <= 0) this.#abort(this.#lost())
    else if (Number.isFinite(left)) {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#check(), left)
    }
  }

  #abort(reason: unknown): void {
    if (this.#controller.signal.aborted) return
    const { election, leadership, grace, end } = this.#init
    this.#controller.abort(reason)
    const leads = election.leader?.id === leadership.id && election.leader.epoch === leadership.epoch
    clearTimeout(this.#timer)
    this.#timer = setTimeout(end, leads ? Math.min(grace, election.remaining) : grace)
  }

  #lost(): LeadershipLostError {
    return new LeadershipLostError(`this peer no longer leads with epoch ${this.#init.leadership.epoch}`)
  }
}

/** How soon a lease that is about to be renewed is looked at again, in ms. */
const RENEWAL_POLL = 20
