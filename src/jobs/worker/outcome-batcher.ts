import type { TaskFailure } from '../../tasks/execute/failure.ts'
import type { FailedChunk, Outcomes } from '../../tasks/executor.ts'
import {
  concatIndexed,
  type IndexedPack,
  type IndexedValue,
  NOTHING_PACKED,
  packIndexed,
  unpackIndexed
} from '../../tasks/values/pack.ts'
import { MAX_CHUNKS_A_MESSAGE, MAX_PAYLOAD_BYTES } from '../protocol/wire-parts.ts'
import type { WorkerSays } from '../protocol/work-messages.ts'

/** Outcomes without the submission id. The worker adds the submission id. */
export type OutcomesToSend = Omit<Extract<WorkerSays, { type: 'outcomes' }>, 'submissionId'>

/** The usual time that outcomes wait for more outcomes (ms), so that the outcomes of tiny chunks share a message. */
export const FLUSH_AFTER = 5
/** When the pending partials have this many bytes, they are sent at once. */
const FLUSH_BYTES = 1 * 2 ** 20

/** Batches the outcomes of one job at a worker into few messages. */
export class OutcomeBatcher {
  readonly #job: string
  readonly #send: (outcomes: OutcomesToSend) => void
  #partials: IndexedPack[] = []
  #failed: FailedChunk[] = []
  #count = 0
  #bytes = 0
  #busyMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(job: string, send: (outcomes: OutcomesToSend) => void) {
    this.#job = job
    this.#send = send
  }

  /** @param hold - the longest wait for more outcomes, in ms */
  add({ partials, failed }: Outcomes, busyMs: number, hold = FLUSH_AFTER): void {
    // If the outcomes need several messages, the first message contains the whole thread time.
    this.#busyMs += busyMs
    const { length } = partials.indices
    if (partials.bytes.byteLength <= MAX_PAYLOAD_BYTES && length <= MAX_CHUNKS_A_MESSAGE) this.#put(partials)
    else for (const partial of unpackIndexed(partials)) this.#putOne(partial)
    for (const each of failed) this.#fail(each)
    if (this.#count === 0) return
    if (this.#bytes >= FLUSH_BYTES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), hold)
  }

  #put(partials: IndexedPack): void {
    const { length } = partials.indices
    if (length === 0) return
    const { byteLength } = partials.bytes
    if (this.#bytes + byteLength > MAX_PAYLOAD_BYTES || this.#count + length > MAX_CHUNKS_A_MESSAGE) this.flush()
    this.#partials.push(partials)
    this.#count += length
    this.#bytes += byteLength
  }

  #putOne(partial: IndexedValue): void {
    const { index, bytes } = partial
    if (bytes.byteLength <= MAX_PAYLOAD_BYTES) this.#put(packIndexed([partial]))
    else this.#fail({ index, failure: tooLarge(index, bytes) })
  }

  #fail(failed: FailedChunk): void {
    this.#failed.push(failed)
    if (++this.#count >= MAX_CHUNKS_A_MESSAGE) this.flush()
  }

  /** Sends the pending outcomes. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#count === 0) return
    const outcomes: OutcomesToSend = {
      type: 'outcomes',
      job: this.#job,
      partials: this.#partials.length === 0 ? NOTHING_PACKED : concatIndexed(this.#partials),
      failed: this.#failed,
      busyMs: this.#busyMs
    }
    this.clear()
    this.#send(outcomes)
  }

  /** Drops the pending outcomes. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#partials = []
    this.#failed = []
    this.#count = 0
    this.#bytes = 0
    this.#busyMs = 0
  }
}

function tooLarge(index: number, { byteLength }: Uint8Array): TaskFailure {
  const message = `the partial has ${byteLength} bytes, more than the ${MAX_PAYLOAD_BYTES} that can travel: return less`
  return { function: 'run', index, name: 'MessageTooLargeError', message, stack: '' }
}
