import { setImmediate } from 'node:timers/promises'
import { isIteration } from '../define/iteration.ts'
import { TimesWriter } from '../execute/chunk-times.ts'
import { chunkTimedOut, type TaskFailure } from '../execute/failure.ts'
import { CHUNKS_A_GROUP, endsGroup, groupOf } from '../execute/group.ts'
import type { BatchData, FailedChunk } from '../execute/messages.ts'
import { toFailure } from '../execute/stack.ts'
import { PackWriter } from '../values/pack-writer.ts'
import { decodeAt } from '../values/payload.ts'
import { Call } from './call.ts'
import { combineAll } from './combiner.ts'
import { type AnyTask, loadTask, type Task } from './load-task.ts'
import { runChunk } from './run-chunk.ts'
import { runRound } from './run-round.ts'
import { isThenable } from './scope.ts'

/** The shortest interval (ms) between two messages with outcomes. The outcomes of tiny chunks share a message; a long chunk gets its own message. */
const FLUSH_AFTER = 10
/** If a group will be combined, the longest time (ms) that its first outcomes wait for the rest of the group. */
const HOLD_GROUP = 250
/** If the waiting partials have more bytes than this, the outcomes do not wait for the rest of their group. */
const HOLD_BYTES = 1 * 2 ** 20

/** Runs chunks, one after the other. */
export async function runBatch(data: BatchData): Promise<void> {
  const call = new Call(data)
  const outcomes = new Outcomes(call, data.indices, data.times ? new TimesWriter() : undefined)
  call.onExit = () => outcomes.flush()
  try {
    const task = await loadTask(call, data.file).catch(error => {
      const failure = toFailure(error, 'load')
      for (const index of data.indices) outcomes.failed.push({ index, failure })
    })
    if (task !== undefined) await runChunks(call, task, data, outcomes)
    outcomes.flush()
  } finally {
    call.end()
  }
}

async function runChunks(call: Call, task: AnyTask, data: BatchData, outcomes: Outcomes): Promise<void> {
  const { indices, lengths, bytes, state } = data
  const { times } = outcomes
  const combines = data.combine && !isIteration(task) && task.combine !== undefined
  let turnedAt = performance.now()
  let i = 0
  call.stopOf = () => state.stopOf(i)
  call.onStop = () => outcomes.flush()
  outcomes.begin()
  for (let start = 0; i < indices.length; start += lengths[i++] as number) {
    if (state.cancelled) return
    if (state.stopOf(i) !== undefined) continue
    const index = indices[i] as number
    call.nextChunk()
    const began = times === undefined ? 0 : performance.now()
    state.enter('run', index)
    let value: unknown
    let failure: TaskFailure | undefined
    try {
      const end = start + (lengths[i] as number)
      const returned = isIteration(task)
        ? runRound(call, task, bytes.subarray(start, end), index)
        : runChunk(call, task, decodeAt(bytes, start, end, 'chunk'), index)
      value = isThenable(returned) ? await returned : returned
    } catch (error) {
      // If the job was cancelled, an error of a chunk is no failure of the task.
      if (state.cancelled) return
      failure = toFailure(error, 'run', index)
    }
    const stop = state.stopOf(i)
    if (stop === 'timed-out') failure = chunkTimedOut(index, data.chunkTimeout ?? 0)
    if (times !== undefined)
      times.add(i, began, performance.now(), stop ?? (failure === undefined ? 'completed' : 'failed'))
    if (stop !== 'cancelled') outcomes.add(i, index, value, failure)
    state.leave()
    if (combines && endsGroup(index)) await outcomes.combine(task, i)
    const now = performance.now()
    if (outcomes.isDue(now, combines ? i : undefined)) outcomes.flush()
    if (now - turnedAt >= FLUSH_AFTER) {
      // Lets the event loop handle timers, sockets and rejections of the user's code.
      await setImmediate()
      turnedAt = performance.now()
    }
  }
}

/** Whether the batch contains the whole group of the chunk at this position, and further chunks of the group follow. */
function isInsideGroup(indices: Float64Array, position: number): boolean {
  const index = indices[position]!
  const start = position - (index - groupOf(index))
  return start >= 0 && !endsGroup(index) && isGroup(indices, start)
}

/** Whether the chunks of a whole group are at the positions from `start` on. */
function isGroup(indices: ArrayLike<number>, start: number): boolean {
  const first = indices[start]
  if (first === undefined || first !== groupOf(first)) return false
  for (let i = 1; i < CHUNKS_A_GROUP; i++) if (indices[start + i] !== first + i) return false
  return true
}

class Outcomes {
  readonly failed: FailedChunk[] = []
  /** The recorded times; undefined if times were not requested. */
  readonly times: TimesWriter | undefined
  readonly #call: Call
  readonly #indices: Float64Array
  #positions: number[] = []
  readonly #partials = new PackWriter()
  /** The positions where combined groups begin. */
  #groups: number[] = []
  readonly #combined = new PackWriter()
  #since = performance.now()

  constructor(call: Call, indices: Float64Array, times: TimesWriter | undefined) {
    this.times = times
    this.#call = call
    this.#indices = indices
  }

  /** Starts the clock of the chunks. It is called after the load of the task, because the load does not count as time of a chunk. */
  begin(): void {
    this.#since = performance.now()
  }

  /** Adds the partial or failure of the chunk at a position of the batch. */
  add(position: number, index: number, partial: unknown, failure: TaskFailure | undefined): void {
    if (failure !== undefined) {
      this.failed.push({ index, failure })
      return
    }
    try {
      this.#partials.add(partial, 'partial')
      this.#positions.push(position)
    } catch (error) {
      this.failed.push({ index, failure: toFailure(error, 'run', index) })
    }
  }

  /** Combines the group whose last chunk is at this position, if no partial of the group has been sent yet. */
  async combine(task: Pick<Task, 'combine'>, position: number): Promise<void> {
    const start = position - CHUNKS_A_GROUP + 1
    // Positions ascend. So if the first and the last position match, the positions between them are exactly the positions of the group.
    const areHere = this.#positions.at(-1) === position && this.#positions.at(-CHUNKS_A_GROUP) === start
    if (!areHere || !isGroup(this.#indices, start)) return
    const { bytes, ends } = this.#partials.last(CHUNKS_A_GROUP)
    try {
      const made = combineAll(this.#call, task, bytes, ends, this.#indices[start]!)
      const value = isThenable(made) ? await made : made
      // The partials may have been sent while `combine` ran.
      if (this.#positions.at(-1) !== position) return
      this.#combined.add(value, 'partial')
      this.#groups.push(start)
    } catch {
      // The error is not reported here. The leader gets the partials one by one, and gets the same error when it combines the partials.
    }
  }

  /**
   * Whether to send the outcomes now.
   *
   * @param ended - the position of the chunk that has ended; undefined if groups are not combined
   */
  isDue(now: number, ended: number | undefined): boolean {
    const passed = now - this.#since
    // The time is checked first, because most calls come before the interval is over.
    return passed >= FLUSH_AFTER && (ended === undefined || passed >= HOLD_GROUP || !this.#isWorthWaiting(ended))
  }

  /** Whether further chunks of the group of this position follow, and no partial of the group has been sent yet. */
  #isWorthWaiting(position: number): boolean {
    if (this.#partials.byteLength >= HOLD_BYTES || !isInsideGroup(this.#indices, position)) return false
    const index = this.#indices[position]!
    const before = index - groupOf(index)
    return this.#positions.at(-1) === position && this.#positions.at(-1 - before) === position - before
  }

  flush(): void {
    const now = performance.now()
    if (this.#positions.length > 0 || this.failed.length > 0 || this.times?.isEmpty === false) {
      const { lengths, bytes } = this.#partials.take()
      const positions = Uint32Array.from(this.#positions)
      const failed = this.failed.splice(0)
      const busyMs = now - this.#since
      const combined =
        this.#groups.length === 0 ? undefined : { positions: Uint32Array.from(this.#groups), ...this.#combined.take() }
      const transfer = [positions.buffer, lengths.buffer, bytes.buffer]
      if (combined !== undefined)
        transfer.push(combined.positions.buffer, combined.lengths.buffer, combined.bytes.buffer)
      const times = this.times?.take()
      this.#call.post({ type: 'outcomes', positions, lengths, bytes, combined, failed, busyMs, times }, transfer)
    }
    this.#positions = []
    this.#groups = []
    this.#since = now
  }
}
