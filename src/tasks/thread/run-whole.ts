import { isIteration } from '../define/iteration.ts'
import { TaskFailureError } from '../execute/failure.ts'
import { CHUNKS_A_GROUP } from '../execute/group.ts'
import type { WholeData } from '../execute/messages.ts'
import { toFailure } from '../execute/stack.ts'
import { ownBytes, pack, unpack } from '../values/pack.ts'
import { PackWriter } from '../values/pack-writer.ts'
import { decode, encode } from '../values/payload.ts'
import { shardRoundOf, withValues } from '../values/shard-round.ts'
import { Call } from './call.ts'
import { Folder } from './folder.ts'
import { type IterationTask, loadTask, type Task } from './load-task.ts'
import { Rounds } from './rounds.ts'
import { runChunk } from './run-chunk.ts'
import { runRound } from './run-round.ts'
import { Splitter } from './splitter.ts'

const CHUNKS_AT_A_TIME = 256

/** Runs a whole task in this thread, and answers like a driver. The result of a cluster must equal the result of this function. */
export async function runWhole(data: WholeData): Promise<void> {
  const call = new Call(data)
  try {
    const bytes = ownBytes(await compute(call, data))
    call.post({ type: 'reply', id: 0, value: { type: 'bytes', bytes } }, [bytes.buffer])
  } catch (error) {
    const failure = error instanceof TaskFailureError ? error.failure : toFailure(error, 'load')
    call.post({ type: 'failed', id: 0, failure })
  } finally {
    call.end()
  }
}

async function compute(call: Call, { file, input, slots }: WholeData): Promise<Uint8Array<ArrayBuffer>> {
  const task = await loadTask(call, file)
  if (isIteration(task)) return iterate(call, task, new Rounds(call, task, { input, slots }))
  const splitter = new Splitter(call, task, decode(input, 'input'), { slots })
  const folder = new Folder(call, task)
  const together = task.combine === undefined ? 1 : CHUNKS_A_GROUP
  const partials = new PackWriter()
  for (let done = false; !done; ) {
    const pulled = await splitter.pull(CHUNKS_AT_A_TIME)
    done = pulled.done
    for (const [i, chunk] of unpack(pulled.chunks).entries()) {
      const index = pulled.first + i
      await run(call, task, chunk, index, partials)
      if (partials.count === together) await folder.fold(index + 1 - together, partials.take())
    }
    if (done && partials.count > 0) {
      const end = pulled.first + pulled.chunks.lengths.length
      await folder.fold(end - partials.count, partials.take())
    }
  }
  return folder.finish()
}

/** Runs a chunk and adds its partial to `partials`. */
async function run(call: Call, task: Task, chunk: Uint8Array, index: number, partials: PackWriter): Promise<void> {
  try {
    partials.add(await runChunk(call, task, decode(chunk, 'chunk'), index), 'partial')
  } catch (error) {
    throw new TaskFailureError(toFailure(error, 'run', index))
  }
}

async function iterate(call: Call, task: IterationTask, rounds: Rounds): Promise<Uint8Array<ArrayBuffer>> {
  const known = new Map<string, Uint8Array>()
  for (;;) {
    const { first, chunks, values, done } = await rounds.pull(CHUNKS_AT_A_TIME)
    if (values !== undefined) for (const [i, bytes] of unpack(values).entries()) known.set(values.ids[i]!, bytes)
    for (const [i, bytes] of unpack(chunks).entries()) {
      const index = first + i
      const reference = shardRoundOf(bytes)!
      const whole = withValues(reference, known.get(reference.state)!, known.get(reference.data)!)
      try {
        const partial = encode(await runRound(call, task, whole, index), 'partial')
        await rounds.fold(index, pack([partial]))
      } catch (error) {
        if (error instanceof TaskFailureError) throw error
        throw new TaskFailureError(toFailure(error, 'run', index))
      }
    }
    if (done) return rounds.finish()
  }
}
