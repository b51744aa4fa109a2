import { TaskFailureError } from '../failure.ts'
import type { WholeData } from '../messages.ts'
import { ownBytes, unpack } from '../pack.ts'
import { PackWriter } from '../pack-writer.ts'
import { decode } from '../payload.ts'
import { toFailure } from '../stack.ts'
import { Call } from './call.ts'
import { Folder } from './folder.ts'
import { loadTask, type Task } from './load-task.ts'
import { runChunk } from './run-chunk.ts'
import { Splitter } from './splitter.ts'

const CHUNKS_AT_A_TIME = 256

/** Runs a whole task in this thread alone, and answers as a driver does: the reference that a cluster is compared with. */
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
  const splitter = new Splitter(call, task, decode(input, 'input'), { slots })
  const folder = new Folder(call, task)
  const partial = new PackWriter()
  for (let done = false; !done; ) {
    const pulled = await splitter.pull(CHUNKS_AT_A_TIME)
    done = pulled.done
    for (const [i, chunk] of unpack(pulled.chunks).entries()) {
      const index = pulled.first + i
      await run(call, task, chunk, index, partial)
      await folder.fold(index, partial.take())
    }
  }
  return folder.finish()
}

/** Adds what `run` makes of the chunk to `partials`. */
async function run(call: Call, task: Task, chunk: Uint8Array, index: number, partials: PackWriter): Promise<void> {
  try {
    partials.add(await runChunk(call, task, decode(chunk, 'chunk'), index), 'partial')
  } catch (error) {
    throw new TaskFailureError(toFailure(error, 'run', index))
  }
}
