/** How a job that is waited for is shown: its progress and what it prints. */
import type { Job, JobProgress, TaskLogLine } from '../jobs/types.ts'
import { count, shortId, span } from './format.ts'
import { paint, printable, say } from './output.ts'
import { bar, ProgressLine } from './progress-line.ts'

/** What computes a job. */
export type Computing = (progress: JobProgress) => string

const byPeers: Computing = ({ peers }) => count(peers, 'peer')

/** The text of the progress line. */
export function progressText(progress: JobProgress, startedAt: number, computing = byPeers): string {
  const { done, total, retries, speculated } = progress
  const share =
    total === undefined
      ? `${count(done, 'chunk')} done`
      : `${bar(done, total)} ${total === 0 ? 100 : Math.floor((100 * done) / total)}%  ${done}/${count(total, 'chunk')}`
  const parts = [share, computing(progress), span(performance.now() - startedAt)]
  if (retries > 0) parts.push(retries === 1 ? '1 retry' : `${retries} retries`)
  if (speculated > 0) parts.push(`${speculated} slow, started twice`)
  return parts.join(' · ')
}

/** A line that a task printed, with where it comes from. */
export function taskLine({ peer, function: where, index, line }: TaskLogLine): string {
  const place = index === undefined ? where : `chunk ${index}`
  return `${paint('dim', `[${shortId(peer)} ${place}]`)} ${printable(line)}`
}

/** Why no peer can compute a job that was submitted here. */
export function unservedLine(requires: Record<string, string>): string {
  const tags = Object.entries(requires).map(([key, value]) => `${key}=${value}`)
  const why = tags.length === 0 ? 'no live peer computes' : `no live peer that computes has the tags ${tags.join(' ')}`
  return `${why}: the job waits for one (join --tag gives a peer a tag; Ctrl-C cancels the job)`
}

/** Shows how a job gets on, and what it prints. `unserved`: said when no peer can compute it. */
export function show(job: Job, how: { unserved?: string; computing?: Computing }): ProgressLine {
  const { unserved = '', computing } = how
  const progress = new ProgressLine()
  const startedAt = performance.now()
  job.addEventListener('log', ({ detail }) => say(taskLine(detail)))
  let waits = false
  const update = (now: JobProgress): void => {
    if (now.unserved && !waits) say(`${paint('yellow', 'waiting:')} ${printable(unserved)}`)
    waits = now.unserved
    progress.update(progressText(now, startedAt, computing), now.done, now.total)
  }
  job.addEventListener('progress', ({ detail }) => update(detail))
  update(job.progress)
  return progress
}
