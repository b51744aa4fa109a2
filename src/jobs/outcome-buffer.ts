import type { ChunkOutcome } from '../tasks/executor.ts'
import { THREAD_ENDED } from '../tasks/failure.ts'
import { MAX_CHUNKS_A_MESSAGE, MAX_PAYLOAD_BYTES } from './wire-parts.ts'
import type { FailedChunk, WorkerSays } from './work-messages.ts'

/** The worker adds which job it is. */
type Outcomes = Omit<Extract<WorkerSays, { type: 'outcomes' }>, 'birth'>

/** Outcomes wait at most this long (ms) for others, so that tiny chunks share a message. */
const FLUSH_AFTER = 5
/** Partials of this many bytes are not held back. */
const FLUSH_BYTES = 1 * 2 ** 20

/** Gathers the outcomes of one job at a worker into few messages. */
export class OutcomeBuffer {
  readonly #job: string
  readonly #send: (outcomes: Outcomes) => void
  #indices: number[] = []
  #partials: Uint8Array[] = []
  #failed: FailedChunk[] = []
  #bytes = 0
  #busyMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(job: string, send: (outcomes: Outcomes) => void) {
    this.#job = job
    this.#send = send
  }

  add(outcomes: readonly ChunkOutcome[], busyMs: number): void {
    // The time goes with the first of these outcomes, should they have to be cut into several messages.
    this.#busyMs += busyMs
    for (const outcome of outcomes) {
      const { index, bytes } = outcome
      if (bytes !== undefined && bytes.byteLength <= MAX_PAYLOAD_BYTES) {
        if (this.#bytes + bytes.byteLength > MAX_PAYLOAD_BYTES) this.flush()
        this.#indices.push(index)
        this.#partials.push(bytes)
        this.#bytes += bytes.byteLength
      } else {
        this.#failed.push({ index, failure: outcome.error ?? tooLarge(index, bytes) })
      }
      if (this.#indices.length + this.#failed.length >= MAX_CHUNKS_A_MESSAGE) this.flush()
    }
    if (this.#bytes >= FLUSH_BYTES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_AFTER)
  }

  /** Sends what is there. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#indices.length + this.#failed.length === 0) return
    const outcomes: Outcomes = {
      type: 'outcomes',
      job: this.#job,
      indices: this.#indices,
      partials: this.#partials,
      failed: this.#failed,
      busyMs: this.#busyMs
    }
    this.clear()
    this.#send(outcomes)
  }

  /** Forgets what is there. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#indices = []
    this.#partials = []
    this.#failed = []
    this.#bytes = 0
    this.#busyMs = 0
  }
}

function tooLarge(index: number, bytes: Uint8Array | undefined): FailedChunk['failure'] {
  if (bytes === undefined) {
    return { function: 'run', index, name: THREAD_ENDED, message: 'the chunk had no outcome', stack: '' }
  }
  const message = `the partial has ${bytes.byteLength} bytes, more than the ${MAX_PAYLOAD_BYTES} that can travel: return less`
  return { function: 'run', index, name: 'MessageTooLargeError', message, stack: '' }
}
