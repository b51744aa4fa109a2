/** How the rows of the terminal are shared out. */

/** In a smaller one nothing is shown but that it is too small. */
export const LEAST = { columns: 40, rows: 10 }

/** Header, the titles of members and jobs, and the footer are always there. */
const HEADER_ROWS = 3
const FIXED_ROWS = HEADER_ROWS + 3
/** The log has a title as well, so it comes only where that leaves room for the lists. */
const ROWS_WITH_LOG = 16
const LOG_SHARE = 0.2
const LEAST_LOG = 2
/** The share of the rows of both lists that jobs may take where there are more members than fit. */
const JOBS_SHARE = 0.4

/** Rows below each panel's title; `log` undefined: neither title nor rows. */
export interface Layout {
  header: number
  members: number
  jobs: number
  log: number | undefined
}

/**
 * @returns the rows of each part, which with the titles and the footer fill the terminal exactly; undefined where it is too small
 */
export function layout(
  size: { columns: number; rows: number },
  counts: { members: number; jobs: number }
): Layout | undefined {
  const { columns, rows } = size
  if (columns < LEAST.columns || rows < LEAST.rows) return undefined
  const hasLog = rows >= ROWS_WITH_LOG
  const body = rows - FIXED_ROWS - (hasLog ? 1 : 0)
  const leastLog = hasLog ? Math.max(LEAST_LOG, Math.floor(body * LOG_SHARE)) : 0
  const lists = body - leastLog
  // An empty list says so in a row of its own.
  const wanted = { members: Math.max(1, counts.members), jobs: Math.max(1, counts.jobs) }
  const jobs = Math.min(wanted.jobs, Math.max(Math.floor(lists * JOBS_SHARE), lists - wanted.members))
  // What nobody needs goes to the log, and without one to the members.
  const members = hasLog ? Math.min(wanted.members, lists - jobs) : lists - jobs
  return { header: HEADER_ROWS, members, jobs, log: hasLog ? body - members - jobs : undefined }
}

/** The first row of a list that is shown, so that the selected one is in the middle where it can be. */
export function firstShown(selected: number, count: number, rows: number): number {
  return Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows))
}
