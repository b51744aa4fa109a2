/** The messages between the main thread and its worker threads. Both run the same build, so nothing is validated here. */
import type { TaskFunction } from '../../common/errors.ts'
import type { Pack } from '../values/pack.ts'
import type { Checkpoint, FoldKind, FoldState } from './checkpoint.ts'
import type { ChunkTimes } from './chunk-times.ts'
import type { TaskFailure } from './failure.ts'
import type { Activity, CallState } from './shared-state.ts'

/** A line that a task printed. */
export interface LogLine {
  function: TaskFunction
  /** The index of the chunk; undefined if the function does not run for a chunk. */
  index: number | undefined
  stream: 'stdout' | 'stderr'
  line: string
}

/** The channel from a thread or process to the main thread. */
export interface CallPort {
  postMessage(message: ThreadMessage, transfer?: ArrayBuffer[]): void
  on(type: 'message', listener: (message: MainMessage) => void): unknown
}

/** The data of every call into a thread or process. */
export interface CallData {
  port: CallPort
  state: CallState
  /** The file of the bundle. */
  file: string
}

export interface BatchData extends CallData, Pack {
  indices: Float64Array
  /** The time limit of each chunk, in ms; undefined: no limit. */
  chunkTimeout: number | undefined
  /** Whether to combine whole groups, if the task has `combine`. */
  combine: boolean
  /** Whether to report start and end times. */
  times: boolean
}

export interface DriverData extends CallData {
  input: Uint8Array
  slots: number
  /** In ms since the Unix epoch. */
  scheduledFor?: number | undefined
  resume?: ResumeData | undefined
}

/** The state of a driver's thread after its job. */
export interface DriverEnd {
  /** Whether the job has left no state behind, so that the thread may drive another job. */
  reusable: boolean
}

export type WholeData = DriverData

/** The data of a call that converts the result of a job for readers without structured clone. */
export interface ResultData extends CallData {
  encoded: Uint8Array
  /** The largest number of characters in the JSON text. */
  mostJson: number
}

/** The format of a converted result. If the type is `json` or `bytes`, the thread has posted the result. */
export type ResultEnd = { type: 'json' | 'bytes' } | { type: 'too-large' | 'invalid'; message: string }

/** A {@link DriverResume} in the form in which it is sent to the thread of a driver. */
export interface ResumeData extends Pack {
  kind: FoldKind
  next: number
  digest: Uint8Array
}

/** Values of an iteration. A value is sent together with the first reference to the value. */
export interface ValueBatch extends Pack {
  /** The SHA-256 of each value, in hex. */
  ids: readonly string[]
  /** Whether the first value is the state of a new round. If so, no chunk needs the state of the previous round any more. */
  hasState: boolean
}

export interface WorkerSettings {
  /** Names of npm packages that tasks may load. */
  external: string[]
  /** The folder from which the packages are resolved. */
  cwd: string
  /** Whether a stub replaces a missing external package: the stub suffices if only the exports of the module are inspected. */
  lenient: boolean
}

/** The result of an inspection: whether a module's default export is a task. */
export type Inspection = { ok: true; name: string | undefined; isIteration: boolean } | { ok: false; problem: string }

export interface FailedChunk {
  index: number
  failure: TaskFailure
}

export interface ThreadOutcomes extends Pack {
  type: 'outcomes'
  /** For each partial, the position of its chunk in the batch. */
  positions: Uint32Array
  /** Combined partials of whole groups, by the position of each group's first chunk. */
  combined: ({ positions: Uint32Array } & Pack) | undefined
  failed: FailedChunk[]
  busyMs: number
  /** Start and end times, if requested. */
  times?: ChunkTimes | undefined
}

/** A message from a worker thread. */
export type ThreadMessage =
  | { type: 'log'; lines: LogLine[] }
  | ThreadOutcomes
  | { type: 'exit'; code: number; activity: Activity | undefined }
  /** The call has returned. The thread accepts no other call, because the thread has loaded too many modules. */
  | { type: 'worn' }
  | { type: 'reply'; id: number; value: DriverReply }
  | { type: 'failed'; id: number; failure: TaskFailure }

export type DriverReply =
  | ({
      type: 'chunks'
      first: number
      done: boolean
      digests: Uint8Array
      digest: Uint8Array
      values?: ValueBatch | undefined
      roundOf?: number | undefined
      combines?: boolean | undefined
      msEach?: number | undefined
    } & Pack)
  | { type: 'bytes'; bytes: Uint8Array }
  | { type: 'kind'; kind: FoldKind }
  | { type: 'folded'; state: FoldState }
  /** `tookMs` is the time that the thread spent on the checkpoint, in ms. */
  | { type: 'checkpoint'; checkpoint: Checkpoint | undefined; tookMs: number }

/** A message to a driver's thread. */
export type DriverRequest =
  | { type: 'pull'; id: number; max: number }
  | ({ type: 'fold'; id: number; first: number } & Pack)
  | { type: 'kind'; id: number }
  | { type: 'checkpoint'; id: number }
  | { type: 'finish'; id: number }
  | { type: 'close' }

/** A message to a worker thread. */
export type MainMessage = DriverRequest | { type: 'cancel' } | { type: 'stop-chunk' }
