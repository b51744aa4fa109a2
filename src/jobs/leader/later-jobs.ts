import type { Channel } from '../../network/types.ts'
import { NO_STATS, type SubmitMessage } from '../protocol/submit-messages.ts'

type SubmitChannel = Channel<SubmitMessage>

/** The clients that wait for jobs that are not due yet. */
export class LaterJobs {
  readonly #epoch: number
  readonly #watchers = new Map<string, Set<SubmitChannel>>()

  constructor(epoch: number) {
    this.#epoch = epoch
  }

  watch(job: string, channel: SubmitChannel): void {
    if (channel.closed.aborted) return
    const watchers = this.#watchers.get(job) ?? new Set()
    this.#watchers.set(job, watchers.add(channel))
    channel.send({ job, epoch: this.#epoch, type: 'accepted', folded: 0 }).catch(() => {})
  }

  leave(job: string, channel: SubmitChannel): void {
    const watchers = this.#watchers.get(job)
    if (watchers?.delete(channel) === true && watchers.size === 0) this.#watchers.delete(job)
  }

  closed(channel: SubmitChannel): void {
    for (const job of [...this.#watchers.keys()]) this.leave(job, channel)
  }

  /** Returns the clients of a job that starts now. */
  take(job: string): Iterable<SubmitChannel> {
    const watchers = this.#watchers.get(job) ?? []
    this.#watchers.delete(job)
    return watchers
  }

  cancelled(job: string): void {
    for (const channel of this.take(job))
      channel.send({ job, epoch: this.#epoch, type: 'cancelled', stats: NO_STATS }).catch(() => {})
  }

  /** Sends the clients to the next leader. */
  stop(next: string | undefined): void {
    for (const job of [...this.#watchers.keys()])
      for (const channel of this.take(job)) channel.send({ job, type: 'not-leader', leader: next }).catch(() => {})
  }
}
