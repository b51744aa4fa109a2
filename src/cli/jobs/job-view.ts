/** Shows a job to the user who waits for it: its progress and the lines that its task prints. */
import type { Job, JobDurability, JobProgress, JobStats, TaskLogLine } from '../../jobs/shared/types.ts'
import { Rate } from '../../views/rate.ts'
import { count, shortId } from '../../views/words.ts'
import { type LiveLine, paint, printable, say } from '../terminal/output.ts'
import { doneLine, jobLine } from './job-line.ts'
import { ProgressLine, type ProgressLineOptions } from './progress-line.ts'

/** Describes the computing power that works on a job, such as `3 peers`. */
export type Computing = (progress: JobProgress) => string

const byPeers: Computing = ({ peers }) => count(peers, 'peer')

/** Turns a job's progress into progress lines, and measures the job's rate. */
export class JobMeter {
  readonly noun: string
  readonly #computing: Computing
  readonly #rate = new Rate()
  readonly #startedAt = performance.now()

  /** @param noun - the unit of progress */
  constructor(noun = 'chunk', computing = byPeers) {
    this.noun = noun
    this.#computing = computing
  }

  /** The time since this meter was created, in ms. */
  get elapsed(): number {
    return performance.now() - this.#startedAt
  }

  /** Returns the line for this progress. The times and rates in the line are computed when the line is drawn. */
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

/** Formats a line that a task printed, with the peer and the function or chunk that printed it. */
export function taskLine({ peer, function: where, index, line }: TaskLogLine): string {
  const place = index === undefined ? where : `chunk ${index}`
  return `${paint('dim', `[${shortId(peer)} ${place}]`)} ${printable(line)}`
}

/** Says at how many peers and disks a job is held. */
export function heldLine({ memory, disk }: JobDurability): string {
  const disks = disk === 0 ? 'in memory only' : `${disk} of them on disk`
  return `held by ${count(memory, 'peer')}, ${disks}`
}

/** Returns the reason why no peer can compute a job that was submitted here. */
export function unservedLine(requires: Record<string, string>): string {
  const tags = Object.entries(requires).map(([key, value]) => `${key}=${value}`)
  const why = tags.length === 0 ? 'no live peer computes' : `no live peer that computes has the tags ${tags.join(' ')}`
  return `${why}: the job waits for one (join --tag gives a peer a tag; Ctrl-C cancels the job)`
}

export interface JobViewOptions extends ProgressLineOptions {
  /** The unit of progress. Default: `chunk`. */
  noun?: string
  /** The message to print when no peer can compute the job. */
  unserved?: string
  /** Describes the job's current computing power. Default: the number of peers. */
  computing?: Computing
}

/** Shows the progress of a job, and prints a message when no peer can compute it. */
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

  /** Removes the progress line. The line is not drawn again. */
  end(): void {
    this.#line.end()
  }

  /**
   * Replaces the progress line with a final line. By default, the final line contains the totals of the last progress.
   */
  conclude(line?: string): void {
    if (this.#last === undefined) return
    const { done: amount, retries } = this.#last
    this.#line.conclude(line ?? doneLine({ noun: this.#meter.noun, amount, retries, elapsed: this.#meter.elapsed }))
  }
}

/** Shows the progress of a job and the lines that its task prints. */
export function show(job: Job, options: JobViewOptions): JobProgressView {
  const view = new JobProgressView(options)
  job.addEventListener('log', ({ detail }) => say(taskLine(detail)))
  job.addEventListener('progress', ({ detail }) => view.update(detail))
  view.update(job.progress)
  return view
}

/**
 * Returns the final line of a completed job: `512 chunks · 4 peers · 2 retries · 8.3 s`.
 *
 * @param timed - whether the line includes the duration, which is known only if the command has waited from the start
 * of the job
 */
export function summary({ chunks, retries, perPeer, elapsedMs }: JobStats, timed: boolean, computing?: string): string {
  const by = computing ?? count(Object.keys(perPeer).length, 'peer')
  return doneLine({ noun: 'chunk', amount: chunks, computing: by, retries, ...(timed ? { elapsed: elapsedMs } : {}) })
}
