/** The interface of a fuzz target, and its report. */
export interface FuzzOptions {
  seed: number
  /** The number of frames. If it is undefined, frames are sent until `isOver` returns true. */
  frames?: number
  isOver?: () => boolean
}

/** A frame in the form that files store. */
export interface KeptFrame {
  /** The receiver of the frame, if the target has several. */
  to?: string
  hex: string
}

export interface FuzzReport {
  frames: number
  handled: number
  refused: number
  /** The growth of memory between the warm-up and the end, in bytes. */
  grown: number
  /** A fault, and the frames that led to the fault, in order. */
  find: { what: string; frames: KeptFrame[] } | undefined
}

/** A protocol, a topic, or a layer below or above the protocols. */
export interface Target {
  readonly name: string
  fuzz(options: FuzzOptions): Promise<FuzzReport>
  /** Sends these frames in order. Resolves with the fault that the frames cause, or with undefined. */
  replay(frames: readonly KeptFrame[]): Promise<string | undefined>
}

/** The most that the memory may grow while a target is fuzzed, in bytes. */
export const MOST_GROWN = 20 * 1_000_000
