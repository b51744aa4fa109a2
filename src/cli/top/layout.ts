/** Divides the rows of the terminal among the panels. */

/** The smallest terminal that `top` supports. A smaller one shows only a message about its size. */
export const LEAST = { columns: 40, rows: 10 }

/** The header, the two panel titles and the footer are always on the screen. */
const HEADER_ROWS = 3
const FIXED_ROWS = HEADER_ROWS + 3
/** The smallest number of rows with a log: the log needs a title and must leave room for the lists. */
const ROWS_WITH_LOG = 16
const LOG_SHARE = 0.2
const LEAST_LOG = 2
/** The share of the list rows that jobs may take when the members do not all fit. */
const JOBS_SHARE = 0.4

/** The number of rows below each panel's title. `log` is undefined when the log is hidden, title included. */
export interface Layout {
  header: number
  members: number
  jobs: number
  log: number | undefined
}

/**
 * @returns the rows of each panel, which fill the terminal exactly together with the titles and the footer; undefined
 * when the terminal is too small
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
  // An empty list shows a message in one row.
  const wanted = { members: Math.max(1, counts.members), jobs: Math.max(1, counts.jobs) }
  const jobs = Math.min(wanted.jobs, Math.max(Math.floor(lists * JOBS_SHARE), lists - wanted.members))
  // The log takes the spare rows; without a log, the members take them.
  const members = hasLog ? Math.min(wanted.members, lists - jobs) : lists - jobs
  return { header: HEADER_ROWS, members, jobs, log: hasLog ? body - members - jobs : undefined }
}

/** The index of the first row on the screen. It puts the selected row in the middle where possible. */
export function firstShown(selected: number, count: number, rows: number): number {
  return Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows))
}
