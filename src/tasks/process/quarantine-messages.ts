/** The messages between a peer and the process of a quarantined chunk. Both run the same build, so nothing is validated here. */
import type { Outcomes } from '../execute/batch.ts'
import type { LogLine, WorkerSettings } from '../execute/messages.ts'
import type { IndexedValue } from '../values/pack.ts'

/** A message to the process. */
export type QuarantineOrder =
  | {
      type: 'run'
      /** The file of the bundle. */
      file: string
      chunk: IndexedValue
      settings: WorkerSettings
      maxHeapMb: number | undefined
      chunkTimeout: number | undefined
      times: boolean
    }
  | { type: 'cancel' }

/** A message from the process. */
export type QuarantineReport =
  /** The process has received the chunk. If the process ends after this message, the chunk fails. */
  | { type: 'taken' }
  | { type: 'started' }
  | { type: 'log'; line: LogLine }
  | { type: 'outcomes'; outcomes: Outcomes; busyMs: number }
