import { CANCEL_GRACE, type CallOptions } from '../execute/calls.ts'
import type { ThreadMessage } from '../execute/messages.ts'
import type { Activity } from '../execute/shared-state.ts'

/** The time (ms) that the watchdog adds to `chunkTimeout`: outcomes may wait for the next chunk, and a stopped chunk has time to end. */
const SLACK = 4 * CANCEL_GRACE
/** The time (ms) that the watchdog adds while the module loads, because the load does not count for a chunk. */
const LOAD_LIMIT = 30_000

/**
 * Kills the process of a call that reports no outcome for longer than `chunkTimeout`. The process itself reports which chunk runs, so the code
 * of the task can lie about the chunk. Therefore the watchdog relies only on the clock of the peer.
 */
export class CallWatchdog {
  readonly #limit: number | undefined
  readonly #activity: () => Activity | undefined
  readonly #kill: (why: string) => void
  #timer: NodeJS.Timeout | undefined
  #since = 0

  constructor({ handler, data }: CallOptions, activity: () => Activity | undefined, kill: (why: string) => void) {
    const { chunkTimeout } = data
    this.#limit = handler === 'runBatch' && typeof chunkTimeout === 'number' ? chunkTimeout + SLACK : undefined
    this.#activity = activity
    this.#kill = kill
  }

  /** Starts the clock when the process has received the call. */
  begin(): void {
    this.#since = performance.now()
    if (this.#limit !== undefined) this.#wait(this.#limit)
  }

  heard(message: ThreadMessage): void {
    if (message.type === 'outcomes') this.#since = performance.now()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), ms)
  }

  #look(): void {
    const silent = performance.now() - this.#since
    const most = this.#limit! + (this.#activity()?.function === 'load' ? LOAD_LIMIT : 0)
    if (silent < most) this.#wait(most - silent)
    else this.#kill(`no chunk of it has ended for ${Math.round(silent)} ms, which is longer than chunkTimeout`)
  }
}
