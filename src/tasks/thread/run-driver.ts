import { TaskFailureError } from '../failure.ts'
import type { DriverData, DriverReply, DriverRequest, MainMessage, ResumeData } from '../messages.ts'
import { ownBytes } from '../pack.ts'
import { decode } from '../payload.ts'
import { toFailure } from '../stack.ts'
import { Call } from './call.ts'
import { Folder } from './folder.ts'
import { loadTask } from './load-task.ts'
import { SplitDigest } from './split-digest.ts'
import { Splitter } from './splitter.ts'

type Question = Exclude<DriverRequest, { type: 'close' }>

interface Parts {
  splitter: Splitter
  folder: Folder
  digest: SplitDigest
  resumed: ResumeData | undefined
}

const QUEUE = { pull: 'split', fold: 'fold', checkpoint: 'fold', finish: 'fold', kind: 'kind' } as const

/** Splits, folds and finishes one job, as it is asked to, until it is closed. */
export function runDriver(data: DriverData): Promise<void> {
  return new Promise(resolve => {
    const call = new Call(data, onMessage)
    const parts = load(call, data)
    // Pulls and folds queue apart from each other: a split that waits must not hold up the folds.
    const queues = { split: parts.then(() => {}), fold: parts.then(() => {}), kind: parts.then(() => {}) }
    queues.split.catch(() => {})
    queues.fold.catch(() => {})
    queues.kind.catch(() => {})

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
      // A driver runs no chunks.
      if (message.type === 'stop-chunk') return
      const queue = QUEUE[message.type]
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

async function load(call: Call, { file, input, slots, resume }: DriverData): Promise<Parts> {
  const task = await loadTask(call, file)
  const folder = new Folder(call, task)
  if (resume !== undefined) folder.resume(resume)
  const digest = new SplitDigest()
  const past = { skip: resume?.next ?? 0, expected: resume?.digest }
  const splitter = new Splitter(call, task, decode(input, 'input'), { slots, digest, ...past })
  return { splitter, folder, digest, resumed: resume }
}

async function answerTo(
  { splitter, folder, digest, resumed }: Parts,
  request: Question
): Promise<{ value: DriverReply; transfer: ArrayBuffer[] }> {
  switch (request.type) {
    case 'pull': {
      const { first, chunks, done } = await splitter.pull(request.max)
      const told = { digests: digest.last(chunks.lengths.length), digest: digest.newest() }
      return {
        value: { type: 'chunks', first, done, ...told, ...chunks },
        transfer: [chunks.bytes.buffer, chunks.lengths.buffer, told.digests.buffer]
      }
    }
    case 'fold': {
      await folder.fold(request.first, request)
      digest.forget(folder.oldest)
      return { value: { type: 'folded', state: folder.state }, transfer: [] }
    }
    case 'kind':
      return { value: { type: 'kind', kind: folder.state.kind }, transfer: [] }
    case 'checkpoint': {
      const began = performance.now()
      const folded = await folder.checkpoint()
      const tookMs = performance.now() - began
      if (folded === undefined) return { value: { type: 'checkpoint', checkpoint: undefined, tookMs }, transfer: [] }
      // Where nothing was folded since, the split may not have come so far.
      const since = folded.next === resumed?.next ? resumed.digest : digest.at(folded.next)
      const checkpoint = { ...folded, digest: since }
      const transfer = checkpoint.kind === 'folded' ? [checkpoint.accumulator.buffer as ArrayBuffer] : []
      return { value: { type: 'checkpoint', checkpoint, tookMs }, transfer }
    }
    case 'finish': {
      const bytes = ownBytes(await folder.finish())
      return { value: { type: 'bytes', bytes }, transfer: [bytes.buffer] }
    }
  }
}
