/** How long the outcomes of jobs are kept, in ms, and on how many disks a job may have to be. */

export const DEFAULT_KEEP_MS = 600_000
export const LONGEST_KEEP_MS = 7 * 24 * 3_600_000
/** As many peers store the whole journal as a job needs disks. */
export const MOST_DURABLE = 16
