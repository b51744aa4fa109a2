import { CANCEL_GRACE, type CallOptions } from '../execute/calls.ts'
import type { ThreadMessage } from '../execute/messages.ts'
import type { Activity } from '../execute/shared-state.ts'

/** How long (ms) outcomes may be held back beyond the time of the chunk that comes after them, and a chunk takes to end when it is told to. */
const SLACK = 4 * CANCEL_GRACE
/** For the code to be loaded, which is no chunk's time, in ms. */
const LOAD_LIMIT = 30_000

/**
 * Ends a call whose chunks may run for so long only, and that has told of none for longer. Which chunk runs, and since when, the process says
 * itself, so its code may say something else; how long nothing has come of it is the peer's own.
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

  /** The process has the call. */
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
    else this.#kill(`no chunk of it has ended for ${Math.round(silent)} ms, which is longer than each may run`)
  }
}
