/** What the main thread and the worker threads say to each other. Both run the same build, so nothing is checked here. */
import type { TaskFunction } from '../../common/errors.ts'
import type { Pack } from '../values/pack.ts'
import type { Checkpoint, FoldKind, FoldState } from './checkpoint.ts'
import type { ChunkTimes } from './chunk-times.ts'
import type { TaskFailure } from './failure.ts'
import type { Activity, CallState } from './shared-state.ts'

/** A line that a task printed. */
export interface LogLine {
  function: TaskFunction
  /** The chunk, where there is one. */
  index: number | undefined
  stream: 'stdout' | 'stderr'
  line: string
}

/** The thread's or process's end of what it and the main thread say to each other. */
export interface CallPort {
  postMessage(message: ThreadMessage, transfer?: ArrayBuffer[]): void
  on(type: 'message', listener: (message: MainMessage) => void): unknown
}

/** What every call into a thread or process brings along. */
export interface CallData {
  port: CallPort
  state: CallState
  /** The file of the bundle. */
  file: string
}

export interface BatchData extends CallData, Pack {
  indices: Float64Array
  /** In ms. */
  chunkTimeout: number | undefined
  /** Whole groups are to be combined, where the task says how. */
  combine: boolean
  /** It is to be said when they ran. */
  times: boolean
}

export interface DriverData extends CallData {
  input: Uint8Array
  slots: number
  resume?: ResumeData | undefined
}

/** How a driver's thread is after its job. */
export interface DriverEnd {
  /** Nothing of the job is left in it: it may drive another one. */
  reusable: boolean
}

export type WholeData = DriverData

/** A job's result, for who has no structured clone. */
export interface ResultData extends CallData {
  encoded: Uint8Array
  /** The most characters that it may have as JSON. */
  mostJson: number
}

/** What a result turned out to be. `json` and `bytes`: it has been posted. */
export type ResultEnd = { type: 'json' | 'bytes' } | { type: 'too-large' | 'invalid'; message: string }

/** What a driver's thread has of a {@link DriverResume}. */
export interface ResumeData extends Pack {
  kind: FoldKind
  next: number
  digest: Uint8Array
}

/** Values that references name, which come with the first reference to each. */
export interface ValueBatch extends Pack {
  /** The SHA-256 of each, in hex. */
  ids: readonly string[]
  /** The first of them is the state of a round that begins: no chunk needs that of the round before any more. */
  hasState: boolean
}

export interface WorkerSettings {
  /** npm packages that tasks may load. */
  external: string[]
  /** The folder that they are resolved from. */
  cwd: string
  /** External packages that cannot be loaded are replaced by a stand-in: only the module's shape matters. */
  lenient: boolean
}

/** What a module's default export turned out to be. */
export type Inspection = { ok: true; name: string | undefined; isIteration: boolean } | { ok: false; problem: string }

export interface FailedChunk {
  index: number
  failure: TaskFailure
}

export interface ThreadOutcomes extends Pack {
  type: 'outcomes'
  /** Of the chunks in their batch whose partials these are. */
  positions: Uint32Array
  /** What was made of whole groups of them, by the position of the first chunk of each. */
  combined: ({ positions: Uint32Array } & Pack) | undefined
  failed: FailedChunk[]
  busyMs: number
  /** Where that was asked for. */
  times?: ChunkTimes | undefined
}

/** From a worker thread. */
export type ThreadMessage =
  | { type: 'log'; lines: LogLine[] }
  | ThreadOutcomes
  | { type: 'exit'; code: number; activity: Activity | undefined }
  /** The call is done, and the thread takes no other: it has loaded enough modules. */
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
  /** `tookMs`: of the thread's time. */
  | { type: 'checkpoint'; checkpoint: Checkpoint | undefined; tookMs: number }

/** To a driver's thread. */
export type DriverRequest =
  | { type: 'pull'; id: number; max: number }
  | ({ type: 'fold'; id: number; first: number } & Pack)
  | { type: 'kind'; id: number }
  | { type: 'checkpoint'; id: number }
  | { type: 'finish'; id: number }
  | { type: 'close' }

/** To a worker thread. */
export type MainMessage = DriverRequest | { type: 'cancel' } | { type: 'stop-chunk' }
