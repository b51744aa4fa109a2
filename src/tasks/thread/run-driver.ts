import { TaskFailureError } from '../failure.ts'
import type { DriverData, DriverReply, DriverRequest, MainMessage } from '../messages.ts'
import { ownBytes, pack, unpack } from '../pack.ts'
import { decode } from '../payload.ts'
import { toFailure } from '../stack.ts'
import { Call } from './call.ts'
import { Folder } from './folder.ts'
import { loadTask } from './load-task.ts'
import { Splitter } from './splitter.ts'

type Question = Exclude<DriverRequest, { type: 'close' }>

interface Parts {
  splitter: Splitter
  folder: Folder
}

/** Splits, folds and finishes one job, as it is asked to, until it is closed. */
export function runDriver(data: DriverData): Promise<void> {
  return new Promise(resolve => {
    const call = new Call(data, onMessage)
    const parts = load(call, data)
    // Pulls and folds queue apart from each other: a split that waits must not hold up the folds.
    const queues = { split: parts.then(() => {}), fold: parts.then(() => {}) }
    queues.split.catch(() => {})
    queues.fold.catch(() => {})

    function onMessage(message: MainMessage): void {
      if (message.type === 'close' || message.type === 'cancel') {
        parts
          .then(({ splitter }) => splitter.close())
          .catch(() => {})
          .then(() => {
            call.end()
            resolve()
          })
        return
      }
      const queue = message.type === 'pull' ? 'split' : 'fold'
      const answer = queues[queue].then(async () => answerTo(await parts, message))
      queues[queue] = answer.then(
        () => {},
        () => {}
      )
      answer.then(
        ({ value, transfer }) => call.post({ type: 'reply', id: message.id, value }, transfer),
        (error: unknown) => {
          const failure = error instanceof TaskFailureError ? error.failure : toFailure(error, 'load')
          call.post({ type: 'failed', id: message.id, failure })
        }
      )
    }
  })
}

async function load(call: Call, { file, input, slots }: DriverData): Promise<Parts> {
  const task = await loadTask(call, file)
  return {
    splitter: new Splitter(call, task, decode(input, 'input'), slots),
    folder: new Folder(call, task)
  }
}

async function answerTo(
  { splitter, folder }: Parts,
  request: Question
): Promise<{ value: DriverReply; transfer: ArrayBuffer[] }> {
  switch (request.type) {
    case 'pull': {
      const { first, chunks, done } = await splitter.pull(request.max)
      const { lengths, bytes } = pack(chunks)
      return { value: { type: 'chunks', first, done, lengths, bytes }, transfer: [bytes.buffer] }
    }
    case 'fold': {
      await folder.fold(request.first, unpack(request))
      return { value: { type: 'bytes', bytes: new Uint8Array() }, transfer: [] }
    }
    case 'finish': {
      const bytes = ownBytes(await folder.finish())
      return { value: { type: 'bytes', bytes }, transfer: [bytes.buffer] }
    }
  }
}
