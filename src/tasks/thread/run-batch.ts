import { setImmediate } from 'node:timers/promises'
import { chunkTimedOut, type TaskFailure } from '../failure.ts'
import type { BatchData, FailedChunk } from '../messages.ts'
import { ownBytes, pack, unpack } from '../pack.ts'
import { decode, encode } from '../payload.ts'
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
  const chunks = unpack(data)
  const stops = new StopFlags(data.stops)
  let i = 0
  call.stopOf = () => stops.get(i)
  call.onStop = () => outcomes.flush()
  for (; i < chunks.length; i++) {
    if (call.state.cancelled) return
    if (stops.get(i) !== undefined) continue
    const index = data.indices[i] as number
    call.nextChunk()
    call.state.enter('run', index)
    let partial: Uint8Array<ArrayBuffer> | undefined
    let failure: TaskFailure | undefined
    try {
      const value = runChunk(call, task, decode(chunks[i] as Uint8Array, 'chunk'), index)
      partial = encode(isThenable(value) ? await value : value, 'partial')
    } catch (error) {
      // What a cancelled chunk throws is no failure of the task.
      if (call.state.cancelled) return
      failure = toFailure(error, 'run', index)
    }
    const stop = stops.get(i)
    if (stop === 'timed-out') failure = chunkTimedOut(index, data.chunkTimeout ?? 0)
    if (stop !== 'cancelled') outcomes.add(index, partial, failure)
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
  #indices: number[] = []
  #partials: Uint8Array<ArrayBuffer>[] = []
  #since = performance.now()

  constructor(call: Call) {
    this.#call = call
  }

  add(index: number, partial: Uint8Array<ArrayBuffer> | undefined, failure: TaskFailure | undefined): void {
    if (failure !== undefined) this.failed.push({ index, failure })
    else if (partial !== undefined) {
      this.#indices.push(index)
      this.#partials.push(partial)
    }
  }

  get due(): boolean {
    return performance.now() - this.#since >= FLUSH_AFTER
  }

  flush(): void {
    const now = performance.now()
    if (this.#indices.length > 0 || this.failed.length > 0) {
      // A single one, which may be large, is transferred without a copy.
      const only = this.#partials.length === 1 ? this.#partials[0] : undefined
      const { lengths, bytes } =
        only === undefined ? pack(this.#partials) : { lengths: Uint32Array.of(only.byteLength), bytes: ownBytes(only) }
      const indices = Float64Array.from(this.#indices)
      const failed = this.failed.splice(0)
      this.#call.post({ type: 'outcomes', indices, lengths, bytes, failed, busyMs: now - this.#since }, [bytes.buffer])
    }
    this.#indices = []
    this.#partials = []
    this.#since = now
  }
}
