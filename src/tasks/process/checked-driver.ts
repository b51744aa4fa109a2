import type { TaskFunction } from '../../common/errors.ts'
import type { Checkpoint, FoldKind, FoldState, Pulled } from '../execute/checkpoint.ts'
import type { JobDriver } from '../execute/driver.ts'
import { PROCESS_ENDED, TaskFailureError } from '../execute/failure.ts'
import type { OwnPack } from '../values/pack.ts'

const DIGEST_OF_ALL_BYTES = 32

/**
 * A driver in a process that the code of the task may control. The scheduler relies on the answers of the driver. So if an answer contradicts
 * the request, the job fails, but no other job.
 */
export class CheckedDriver implements JobDriver {
  readonly #driver: JobDriver
  readonly #start: number
  #next: number
  /** The index after the last partial that was passed to the driver. */
  #given: number
  #folded: number
  #kind: FoldKind | undefined

  /** @param next - the index of the first chunk that the driver returns and of the first partial that it folds */
  constructor(driver: JobDriver, next: number) {
    this.#driver = driver
    this.#start = next
    this.#next = next
    this.#given = next
    this.#folded = next
  }

  async pull(max: number): Promise<Pulled> {
    const pulled = await this.#driver.pull(max)
    const count = pulled.chunks.lengths.length
    if (pulled.first !== this.#next || count > max || (count === 0 && !pulled.done)) throw wrong('split')
    if (pulled.digest.byteLength !== DIGEST_OF_ALL_BYTES) throw wrong('split')
    if (pulled.roundOf !== undefined && (pulled.roundOf < 1 || pulled.roundOf > 2 ** 31)) throw wrong('split')
    this.#next += count
    return pulled
  }

  async fold(first: number, partials: OwnPack): Promise<FoldState> {
    const end = first + partials.lengths.length
    this.#given = Math.max(this.#given, end)
    const state = await this.#driver.fold(first, partials)
    this.#check('reduce', state, this.#folded, end)
    this.#folded = state.next
    return state
  }

  async kind(): Promise<FoldKind> {
    const kind = await this.#driver.kind()
    this.#kind ??= kind
    if (kind !== this.#kind) throw wrong('load')
    return kind
  }

  async checkpoint(): Promise<Checkpoint | undefined> {
    const checkpoint = await this.#driver.checkpoint()
    if (checkpoint === undefined) return undefined
    // The answer may be an earlier checkpoint, which is still valid.
    this.#check('reduce', checkpoint, this.#start, this.#given)
    if (checkpoint.digest.byteLength !== DIGEST_OF_ALL_BYTES) throw wrong('reduce')
    return checkpoint
  }

  get checkpointMs(): number {
    return this.#driver.checkpointMs
  }

  finish(): Promise<Uint8Array> {
    return this.#driver.finish()
  }

  close(): Promise<void> {
    return this.#driver.close()
  }

  /** Checks that the next index lies between these bounds, and that the kind of the fold has not changed. */
  #check(fn: TaskFunction, { kind, next }: { kind: FoldKind; next: number }, least: number, most: number): void {
    this.#kind ??= kind
    if (kind !== this.#kind || next < least || next > most) throw wrong(fn)
  }
}

function wrong(fn: TaskFunction): TaskFailureError {
  const message = 'its process sent an answer that contradicts the question: the code of the task has tampered with it'
  return new TaskFailureError({ function: fn, name: PROCESS_ENDED, message, stack: '' })
}
