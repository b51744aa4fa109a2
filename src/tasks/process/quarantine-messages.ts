/** What a peer and the process of a chunk that runs alone say to each other. Both run the same build, so nothing is checked here. */
import type { Outcomes } from '../execute/batch.ts'
import type { LogLine, WorkerSettings } from '../execute/messages.ts'
import type { IndexedValue } from '../values/pack.ts'

/** To the process. */
export type QuarantineOrder =
  | {
      type: 'run'
      /** Of the bundle. */
      file: string
      chunk: IndexedValue
      settings: WorkerSettings
      maxHeapMb: number | undefined
      chunkTimeout: number | undefined
      times: boolean
    }
  | { type: 'cancel' }

/** From the process. */
export type QuarantineReport =
  /** It has the chunk: whatever ends it from now on is put down to that. */
  | { type: 'taken' }
  | { type: 'started' }
  | { type: 'log'; line: LogLine }
  | { type: 'outcomes'; outcomes: Outcomes; busyMs: number }
