/** Divides the rows of the terminal among the panels. */

/** The smallest terminal that `top` supports. A smaller terminal shows only a message about the required size. */
export const LEAST = { columns: 40, rows: 10 }

/** The header, the two panel titles and the footer are always on the screen. */
const HEADER_ROWS = 3
const FIXED_ROWS = HEADER_ROWS + 3
/**
 * The smallest number of rows of a terminal that shows the log. The log needs a title and must leave room for the
 * lists.
 */
const ROWS_WITH_LOG = 16
const LOG_SHARE = 0.2
const LEAST_LOG = 2
/** The share of the list rows that the jobs may take when not all members fit. */
const JOBS_SHARE = 0.4

/** The number of rows below the title of each panel. `log` is undefined when the log and its title are hidden. */
export interface Layout {
  header: number
  members: number
  jobs: number
  log: number | undefined
}

/**
 * @returns the number of rows of each panel; together with the titles and the footer, these rows fill the terminal
 * exactly. Undefined when the terminal is too small
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
  // The log takes the spare rows. Without a log, the list of members takes the spare rows.
  const members = hasLog ? Math.min(wanted.members, lists - jobs) : lists - jobs
  return { header: HEADER_ROWS, members, jobs, log: hasLog ? body - members - jobs : undefined }
}

/** Returns the index of the first row on the screen. The selected row is in the middle of the screen where possible. */
export function firstShown(selected: number, count: number, rows: number): number {
  return Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows))
}
