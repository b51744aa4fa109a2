/** How a job that is waited for is shown: its progress and what it prints. */
import type { Job, JobProgress, JobStats, TaskLogLine } from '../../jobs/shared/types.ts'
import { Rate } from '../../views/rate.ts'
import { count, shortId } from '../../views/words.ts'
import { type LiveLine, paint, printable, say } from '../terminal/output.ts'
import { doneLine, jobLine } from './job-line.ts'
import { ProgressLine } from './progress-line.ts'

/** What computes a job. */
export type Computing = (progress: JobProgress) => string

const byPeers: Computing = ({ peers }) => count(peers, 'peer')

/** Makes lines of a job's progress, and remembers what they need of what was before. */
export class JobMeter {
  readonly #noun: string
  readonly #computing: Computing
  readonly #rate = new Rate()
  readonly #startedAt = performance.now()

  /** @param noun - what is counted */
  constructor(noun = 'chunk', computing = byPeers) {
    this.#noun = noun
    this.#computing = computing
  }

  /** Since it was made, in ms. */
  get elapsed(): number {
    return performance.now() - this.#startedAt
  }

  /** The line that tells of these news, whenever it is drawn. */
  line(progress: JobProgress): LiveLine {
    const { done, total, retries, speculated } = progress
    this.#rate.add(done, performance.now())
    return columns => {
      const now = performance.now()
      const view = { noun: this.#noun, done, total, retries, speculated, computing: this.#computing(progress) }
      const pace = { rate: this.#rate.perSecond(now), msLeft: this.#rate.msLeft(total, now), elapsed: this.elapsed }
      return jobLine({ ...view, ...pace }, columns)
    }
  }
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

export interface ShownJob {
  /** Said when no peer can compute it. */
  unserved?: string
  /** What computes it now. Default: how many peers. */
  computing?: Computing
  /** Off a terminal: whether there are lines now and then. Default true. */
  plain?: boolean
}

/** Shows how a job gets on, and what it prints. */
export function show(job: Job, { unserved = '', computing, plain = true }: ShownJob): ProgressLine {
  const progress = new ProgressLine({ plain })
  const meter = new JobMeter('chunk', computing)
  job.addEventListener('log', ({ detail }) => say(taskLine(detail)))
  let waits = false
  const update = (now: JobProgress): void => {
    if (now.unserved && !waits) say(`${paint('caution', 'waiting:')} ${printable(unserved)}`)
    waits = now.unserved
    progress.update(meter.line(now))
  }
  job.addEventListener('progress', ({ detail }) => update(detail))
  update(job.progress)
  return progress
}

/**
 * What is said of a job that has been computed: `512 chunks · 4 peers · 2 retries · 8.3 s`.
 *
 * @param timed - whether it was waited for from its start
 */
export function summary({ chunks, retries, perPeer, elapsedMs }: JobStats, timed: boolean, computing?: string): string {
  const by = computing ?? count(Object.keys(perPeer).length, 'peer')
  return doneLine({ noun: 'chunk', amount: chunks, computing: by, retries, ...(timed ? { elapsed: elapsedMs } : {}) })
}
