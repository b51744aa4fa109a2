/** How long the outcomes of jobs are kept, in ms. */

export const DEFAULT_KEEP_MS = 600_000
export const LONGEST_KEEP_MS = 7 * 24 * 3_600_000
