/** How a job that is waited for is shown: its progress and what it prints. */
import type { Job, JobProgress, JobStats, TaskLogLine } from '../../jobs/shared/types.ts'
import { Rate } from '../../views/rate.ts'
import { count, shortId } from '../../views/words.ts'
import { type LiveLine, paint, printable, say } from '../terminal/output.ts'
import { doneLine, jobLine } from './job-line.ts'
import { ProgressLine, type ProgressLineOptions } from './progress-line.ts'

/** What computes a job. */
export type Computing = (progress: JobProgress) => string

const byPeers: Computing = ({ peers }) => count(peers, 'peer')

/** Makes lines of a job's progress, and remembers what they need of what was before. */
export class JobMeter {
  readonly noun: string
  readonly #computing: Computing
  readonly #rate = new Rate()
  readonly #startedAt = performance.now()

  /** @param noun - what is counted */
  constructor(noun = 'chunk', computing = byPeers) {
    this.noun = noun
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
      const view = { noun: this.noun, done, total, retries, speculated, computing: this.#computing(progress) }
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

export interface JobViewOptions extends ProgressLineOptions {
  /** What is counted. Default: chunks. */
  noun?: string
  /** Said when no peer can compute the job. */
  unserved?: string
  /** What computes the job now. Default: how many peers. */
  computing?: Computing
}

/** Shows the progress of a job, and says when no peer can compute it. */
export class JobProgressView {
  readonly #line: ProgressLine
  readonly #meter: JobMeter
  readonly #unserved: string
  #last: JobProgress | undefined

  constructor({ noun, unserved = '', computing, ...options }: JobViewOptions) {
    this.#line = new ProgressLine(options)
    this.#meter = new JobMeter(noun, computing)
    this.#unserved = unserved
  }

  update(now: JobProgress): void {
    if (now.unserved && this.#last?.unserved !== true) {
      say(`${paint('caution', 'waiting:')} ${printable(this.#unserved)}`)
    }
    this.#last = now
    this.#line.update(this.#meter.line(now))
  }

  /** Takes the line away, for good. */
  end(): void {
    this.#line.end()
  }

  /** Says in one line what was done. Default: what the last progress told. */
  conclude(line?: string): void {
    if (this.#last === undefined) return
    const { done: amount, retries } = this.#last
    this.#line.conclude(line ?? doneLine({ noun: this.#meter.noun, amount, retries, elapsed: this.#meter.elapsed }))
  }
}

/** Shows the progress of a job, and what its task prints. */
export function show(job: Job, options: JobViewOptions): JobProgressView {
  const view = new JobProgressView(options)
  job.addEventListener('log', ({ detail }) => say(taskLine(detail)))
  job.addEventListener('progress', ({ detail }) => view.update(detail))
  view.update(job.progress)
  return view
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
