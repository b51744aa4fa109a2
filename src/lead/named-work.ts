/** Work of named leaderships. Each name has a leader of its own among the peers that want to lead it. */
import { LeadershipLostError, StoppedError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import { atMost, eitherSignal } from '../lib/abort.ts'
import type { Locks } from '../locks/locks.ts'
import { graceUnder, tenureOf, workWhileHeld } from './held-work.ts'
import type { LeadFunction, LeadOptions } from './leader-work.ts'

/** How long a release may take that no leader confirms, in ms. Later the leadership ends by its ttl. */
const RELEASE_MS = 2_000

export interface NamedWorkInit {
  locks: Pick<Locks, 'acquire'>
  /** Describes this peer to people. */
  owner: string
  logger: Logger
  /** Ends this process at once. Tests replace this function. */
  endProcess?: () => void
}

export class NamedWork {
  readonly #init: NamedWorkInit
  readonly #stopped = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  constructor(init: NamedWorkInit) {
    this.#init = init
  }

  /** Runs `fn` whenever this peer leads `name`, until a run of `fn` settles without having been stopped: see `Peer.lead`. */
  async lead<T>(fn: LeadFunction<T>, name: string, ttl: number, options: LeadOptions): Promise<T> {
    const grace = graceUnder(ttl, options.grace)
    const { signal, release } = eitherSignal(options.signal, this.#stopped.signal)
    const work = this.#lead(fn, name, ttl, { ...options, grace, signal })
    const settled = work.catch(() => {})
    this.#running.add(settled)
    try {
      return await work
    } finally {
      this.#running.delete(settled)
      release()
    }
  }

  /** Stops all work, and resolves when all work has stopped and all names are released. */
  async stop(): Promise<void> {
    this.#stopped.abort(new StoppedError('the peer has left the cluster'))
    await Promise.all(this.#running)
  }

  async #lead<T>(
    fn: LeadFunction<T>,
    name: string,
    ttl: number,
    options: LeadOptions & { grace: number; signal: AbortSignal }
  ): Promise<T> {
    const { locks, owner, logger } = this.#init
    const { grace, signal } = options
    for (;;) {
      const wanted = { kind: 'leadership', name, limit: 1, ttl, owner, wait: Number.POSITIVE_INFINITY, signal } as const
      // A cluster may be without a leader for long, as when voters are down. The work waits for the next one.
      const session = await locks.acquire({ ...wanted, isPatient: true })
      const { token } = session
      const lost = (): Error => new LeadershipLostError(`this peer no longer leads ${JSON.stringify(name)}`)
      const tenure = tenureOf(session.lost, () => session.remaining, lost)
      logger.info({ name, token }, 'leader-only work begins')
      const stopping = eitherSignal(session.yields, signal)
      try {
        const outcome = await workWhileHeld(tenure, context => fn({ ...context, epoch: token }), {
          grace,
          signal: stopping.signal,
          end: () => this.#end(grace, options.kill)
        })
        if (outcome !== undefined) return outcome.value
        signal.throwIfAborted()
      } catch (error) {
        if (!session.yields.aborted || signal.aborted) throw error
      } finally {
        stopping.release()
        await atMost(session.release(), RELEASE_MS)
      }
      logger.info({ name, token }, 'leader-only work has stopped')
    }
  }

  #end(grace: number, kill: (() => boolean) | undefined): void {
    if (kill?.() === true) return
    const { logger, endProcess = () => process.kill(process.pid, 'SIGKILL') } = this.#init
    logger.error({ grace }, 'leader-only work did not stop within its grace: this peer ends its process')
    endProcess()
  }
}
