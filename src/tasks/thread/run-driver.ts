import { readFileSync } from 'node:fs'
import { isIteration } from '../define/iteration.ts'
import type { Checkpoint, FoldState, Pulled } from '../execute/checkpoint.ts'
import { TaskFailureError } from '../execute/failure.ts'
import type { DriverData, DriverEnd, DriverReply, DriverRequest, MainMessage } from '../execute/messages.ts'
import { toFailure } from '../execute/stack.ts'
import { type OwnPack, ownBytes, type Pack } from '../values/pack.ts'
import { decode } from '../values/payload.ts'
import { Call } from './call.ts'
import { Folder } from './folder.ts'
import { usesOnlyIntrinsics } from './intrinsics-only.ts'
import { loadTask } from './load-task.ts'
import { forgetLines } from './log-sink.ts'
import { RealmSnapshot } from './realm-snapshot.ts'
import { Rounds } from './rounds.ts'
import { SplitDigest } from './split-digest.ts'
import { Splitter } from './splitter.ts'

type Question = Exclude<DriverRequest, { type: 'close' }>

interface Answer {
  value: DriverReply
  transfer: ArrayBuffer[]
}

/** The split and the fold of one job. */
interface JobParts {
  readonly state: FoldState
  pull(max: number): Promise<PulledParts>
  fold(first: number, partials: Pack): Promise<void>
  checkpoint(): Promise<Checkpoint | undefined>
  finish(): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

type PulledParts = Omit<Pulled, 'chunks'> & { chunks: OwnPack; digests: Uint8Array<ArrayBuffer> }

const QUEUE = { pull: 'split', fold: 'fold', checkpoint: 'fold', finish: 'fold', kind: 'kind' } as const

/** The limits of code that a thread loads. A thread that reaches a limit drives no further job, because a thread cannot unload code. */
const MOST_LOADED = { bytes: 16 * 2 ** 20, times: 250 }

let untouched: RealmSnapshot | undefined
const loaded = { bytes: 0, times: 0 }

/** Drives one job: answers the requests of the main thread until the job is closed. */
export async function runDriver(data: DriverData): Promise<DriverEnd> {
  untouched ??= new RealmSnapshot()
  loaded.times += 1
  forgetLines()
  await drive(data)
  const code = readFileSync(data.file, 'utf8')
  loaded.bytes += code.length
  const mayLoad = loaded.times < MOST_LOADED.times && loaded.bytes < MOST_LOADED.bytes
  return { reusable: mayLoad && usesOnlyIntrinsics(code) && untouched.isUnchanged() }
}

function drive(data: DriverData): Promise<void> {
  return new Promise(resolve => {
    const call = new Call(data, onMessage)
    const parts = load(call, data)
    // Each kind of request has its own queue, because a split that waits must not delay the folds.
    const queues = { split: parts.then(() => {}), fold: parts.then(() => {}), kind: parts.then(() => {}) }
    queues.split.catch(() => {})
    queues.fold.catch(() => {})
    queues.kind.catch(() => {})
    let isClosing = false

    function onMessage(message: MainMessage): void {
      if (message.type === 'close' || message.type === 'cancel') {
        // `cancel` and `close` may both arrive. The second message has no further effect.
        if (isClosing) return
        isClosing = true
        parts
          .then(parts => parts.close())
          .catch(() => {})
          .then(() => {
            call.end()
            resolve()
          })
        return
      }
      // A driver runs no chunks, so it has no chunk to stop.
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

async function load(call: Call, { file, input, slots, scheduledFor, resume }: DriverData): Promise<JobParts> {
  // The module is loaded anew for each job, because the variables of the module must not reach the next job.
  const task = await loadTask(call, file, loaded.times)
  if (isIteration(task)) return new Rounds(call, task, { input, slots, scheduledFor, resume })
  const folder = new Folder(call, task)
  if (resume !== undefined) folder.resume(resume)
  const digest = new SplitDigest()
  const past = { skip: resume?.next ?? 0, expected: resume?.digest }
  const splitter = new Splitter(call, task, decode(input, 'input'), { slots, scheduledFor, digest, ...past })
  return {
    get state() {
      return folder.state
    },
    async pull(max) {
      const pulled = await splitter.pull(max)
      const digests = digest.last(pulled.chunks.lengths.length)
      return { ...pulled, combines: task.combine !== undefined, digests, digest: digest.newest() }
    },
    async fold(first, partials) {
      await folder.fold(first, partials)
      digest.forget(folder.oldest)
    },
    async checkpoint() {
      const folded = await folder.checkpoint()
      // If no partial has been folded since the resume, the split may not have reached the chunk `next` yet.
      return folded && { ...folded, digest: folded.next === resume?.next ? resume.digest : digest.at(folded.next) }
    },
    finish: () => folder.finish(),
    close: () => splitter.close()
  }
}

async function answerTo(parts: JobParts, request: Question): Promise<Answer> {
  switch (request.type) {
    case 'pull': {
      const { chunks, ...pulled } = await parts.pull(request.max)
      const transfer = [chunks.bytes.buffer, chunks.lengths.buffer, pulled.digests.buffer]
      if (pulled.values !== undefined) transfer.push(pulled.values.bytes.buffer as ArrayBuffer)
      return { value: { type: 'chunks', ...pulled, ...chunks }, transfer }
    }
    case 'fold':
      await parts.fold(request.first, request)
      return { value: { type: 'folded', state: parts.state }, transfer: [] }
    case 'kind':
      return { value: { type: 'kind', kind: parts.state.kind }, transfer: [] }
    case 'checkpoint': {
      const began = performance.now()
      const checkpoint = await parts.checkpoint()
      const tookMs = performance.now() - began
      const transfer = checkpoint?.kind === 'folded' ? [checkpoint.accumulator.buffer as ArrayBuffer] : []
      return { value: { type: 'checkpoint', checkpoint, tookMs }, transfer }
    }
    case 'finish': {
      const bytes = ownBytes(await parts.finish())
      return { value: { type: 'bytes', bytes }, transfer: [bytes.buffer] }
    }
  }
}
