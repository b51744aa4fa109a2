import type { Durability } from '../../journal/core/replication.ts'
import type { Channel, PeerIdString } from '../../network/types.ts'
import { type FromLeaderSays, NO_STATS, type SubmitMessage } from '../protocol/submit-messages.ts'
import type { LedSchedules } from './due-jobs.ts'

type SubmitChannel = Channel<SubmitMessage>

/** The clients that wait for jobs that are not due yet. */
export interface LaterJobsInit {
  epoch: number
  self: PeerIdString
  schedules(): Pick<LedSchedules, 'whenHeld'> | undefined
}

export class LaterJobs {
  readonly #init: LaterJobsInit
  readonly #watchers = new Map<string, Set<SubmitChannel>>()

  constructor(init: LaterJobsInit) {
    this.#init = init
  }

  watch(job: string, channel: SubmitChannel): void {
    if (channel.closed.aborted) return
    const watchers = this.#watchers.get(job) ?? new Set()
    this.#watchers.set(job, watchers.add(channel))
    const accepted = (durability: Durability): void => {
      // A client whose job has started since gets its answer from that job.
      if (this.#watchers.get(job)?.has(channel) !== true) return
      this.#tell(job, { type: 'accepted', folded: 0, durability }, [channel])
    }
    this.#init.schedules()?.whenHeld(job, accepted, channel.closed)
  }

  held(job: string, durability: Durability): void {
    this.#tell(job, { type: 'durability', durability }, this.#watchers.get(job))
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
    this.#tell(job, { type: 'cancelled', stats: NO_STATS }, this.take(job))
  }

  /** Lets the clients of a job ask a leader again, which is this one unless another is given. */
  sendAway(job: string, leader: string | undefined = this.#init.self): void {
    for (const channel of this.take(job)) channel.send({ job, type: 'not-leader', leader }).catch(() => {})
  }

  /** Sends the clients to the next leader. */
  stop(next: string | undefined): void {
    for (const job of [...this.#watchers.keys()]) this.sendAway(job, next)
  }

  #tell(job: string, says: FromLeaderSays, channels: Iterable<SubmitChannel> = []): void {
    for (const channel of channels) channel.send({ job, epoch: this.#init.epoch, ...says }).catch(() => {})
  }
}
