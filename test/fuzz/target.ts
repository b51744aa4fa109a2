/** The interface of a fuzz target, and its report. */
export interface FuzzOptions {
  seed: number
  /** The number of frames; undefined: until `isOver` returns true. */
  frames?: number
  isOver?: () => boolean
}

/** A frame as a file has it. */
export interface KeptFrame {
  /** The receiver of the frame, if the target has several. */
  to?: string
  hex: string
}

export interface FuzzReport {
  frames: number
  handled: number
  refused: number
  /** How much more is held at the end than after the first few, in bytes. */
  grown: number
  /** What should not have been, and the frames that led there, the last one last. */
  find: { what: string; frames: KeptFrame[] } | undefined
}

/** A protocol, a topic, or what lies below and above them. */
export interface Target {
  readonly name: string
  fuzz(options: FuzzOptions): Promise<FuzzReport>
  /** What goes wrong when these frames come, in their order; undefined: nothing. */
  replay(frames: readonly KeptFrame[]): Promise<string | undefined>
}

/** It may grow by so much while it is fuzzed, in bytes. */
export const MOST_GROWN = 20 * 1_000_000
