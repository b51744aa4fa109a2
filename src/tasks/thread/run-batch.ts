import { setImmediate } from 'node:timers/promises'
import { chunkTimedOut, type TaskFailure } from '../failure.ts'
import type { BatchData, FailedChunk } from '../messages.ts'
import { PackWriter } from '../pack-writer.ts'
import { decodeAt } from '../payload.ts'
import { toFailure } from '../stack.ts'
import { StopFlags } from '../stop-flags.ts'
import { Call, isThenable } from './call.ts'
import { loadTask, type Task } from './load-task.ts'
import { runChunk } from './run-chunk.ts'

/** Outcomes are sent when this has passed since the last sending (ms): tiny chunks together, long ones at once. */
const FLUSH_AFTER = 10

/** Runs chunks, one after the other. */
export async function runBatch(data: BatchData): Promise<void> {
  const call = new Call(data)
  const outcomes = new Outcomes(call)
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

async function runChunks(call: Call, task: Task, data: BatchData, outcomes: Outcomes): Promise<void> {
  const { indices, lengths, bytes } = data
  const stops = new StopFlags(data.stops)
  let i = 0
  call.stopOf = () => stops.get(i)
  call.onStop = () => outcomes.flush()
  for (let start = 0; i < indices.length; start += lengths[i++] as number) {
    if (call.state.cancelled) return
    if (stops.get(i) !== undefined) continue
    const index = indices[i] as number
    call.nextChunk()
    call.state.enter('run', index)
    let value: unknown
    let failure: TaskFailure | undefined
    try {
      const chunk = decodeAt(bytes, start, start + (lengths[i] as number), 'chunk')
      const returned = runChunk(call, task, chunk, index)
      value = isThenable(returned) ? await returned : returned
    } catch (error) {
      // What a cancelled chunk throws is no failure of the task.
      if (call.state.cancelled) return
      failure = toFailure(error, 'run', index)
    }
    const stop = stops.get(i)
    if (stop === 'timed-out') failure = chunkTimedOut(index, data.chunkTimeout ?? 0)
    if (stop !== 'cancelled') outcomes.add(i, index, value, failure)
    call.state.leave()
    if (outcomes.due) {
      outcomes.flush()
      // Lets the user's timers, sockets and rejections have their turn.
      await setImmediate()
    }
  }
}

class Outcomes {
  readonly failed: FailedChunk[] = []
  readonly #call: Call
  #positions: number[] = []
  readonly #partials = new PackWriter()
  #since = performance.now()

  constructor(call: Call) {
    this.#call = call
  }

  /** What the chunk at a position of the batch returned, or how it failed. */
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

  get due(): boolean {
    return performance.now() - this.#since >= FLUSH_AFTER
  }

  flush(): void {
    const now = performance.now()
    if (this.#positions.length > 0 || this.failed.length > 0) {
      const { lengths, bytes } = this.#partials.take()
      const positions = Uint32Array.from(this.#positions)
      const failed = this.failed.splice(0)
      const busyMs = now - this.#since
      const transfer = [positions.buffer, lengths.buffer, bytes.buffer]
      this.#call.post({ type: 'outcomes', positions, lengths, bytes, failed, busyMs }, transfer)
    }
    this.#positions = []
    this.#since = now
  }
}
