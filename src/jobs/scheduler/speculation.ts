/**
 * Finds stragglers, which are running chunks that should start a second time. Copies use only free slots for which there is no other chunk.
 * Only chunks that are clearly slower than usual are copied. Otherwise the last chunks of every job would run twice.
 */
import { ableWorkers, type SchedulerState } from './dispatch.ts'
import type { SchedulerRules } from './rules.ts'
import type { ScheduledJob, ScheduledWorker, Share } from './scheduled-job.ts'

/** The chunks that should start again at `worker`. */
export interface Copies {
  job: ScheduledJob
  worker: ScheduledWorker
  indices: number[]
}

interface Straggler {
  index: number
  /** The share of the worker that has the chunk now. */
  share: Share
  since: number
}

/** @returns `more`: further chunks may be slow, but no slot is free for them */
export function chooseCopies(state: SchedulerState, now: number): { copies: Copies[]; more: boolean } {
  const { jobs, workers, rules, settings } = state
  const free = new Map<ScheduledWorker, number>()
  for (const worker of workers.values())
    if (worker.slots > worker.outstanding) free.set(worker, worker.slots - worker.outstanding)
  const copies: Copies[] = []
  if (free.size === 0) return { copies, more: true }
  for (const job of [...jobs.values()].sort((a, b) => b.terms.priority - a.terms.priority)) {
    // While a job waits for offers, a worker that has not joined yet may already have a copy of the chunk.
    if (job.isHeldBack) continue
    if (!job.terms.speculate || !knowsUsual(job, workers)) continue
    const slow = stragglers(job, rules, now - job.usual.slowFrom(settings.leastSlow))
    const able = new Set(ableWorkers(job, state))
    for (let next = 0; next < slow.length; ) {
      const worker = fastest(job, slow[next]!, able, free)
      if (worker === undefined) {
        if (free.size === 0) return { copies, more: true }
        next += 1
        continue
      }
      // Tiny chunks are batched, as in a dispatch.
      const most = worker.shares.get(job.id)?.prefetch.batch() ?? 1
      let end = next + 1
      while (end < Math.min(slow.length, next + most) && mayRunAt(job, slow[end]!, worker)) end += 1
      copies.push({ job, worker, indices: slow.slice(next, end).map(({ index }) => index) })
      next = end
      const left = free.get(worker)! - 1
      if (left === 0) free.delete(worker)
      else free.set(worker, left)
    }
  }
  return { copies, more: false }
}

/** Whether the usual duration is known. It is known when at least as many chunks have ended as are running. */
function knowsUsual(job: ScheduledJob, workers: SchedulerState['workers']): boolean {
  let running = 0
  for (const { slots, shares } of workers.values()) running += Math.min(slots, shares.get(job.id)?.outstanding ?? 0)
  return running > 0 && job.usual.measured >= running
}

/** Whether a copy may run at a worker. A copy never runs at the worker that has the chunk, or at a worker where the chunk failed. */
function mayRunAt(job: ScheduledJob, { index, share }: Straggler, worker: ScheduledWorker): boolean {
  return worker.id !== share.worker && job.chunks.failedAt.get(index)?.includes(worker.id) !== true
}

/** Returns the chunks that only one worker has and that should have begun before `before`, oldest first. */
function stragglers({ chunks }: ScheduledJob, rules: SchedulerRules, before: number): Straggler[] {
  return [...chunks.startedBefore(before)]
    .filter(({ index }) => rules.mayCopy(chunks.lost.modeOf(index, rules)))
    .sort((a, b) => a.since - b.since || a.index - b.index)
}

/** Returns the worker with a free slot that is fastest for this job. Returns `undefined` if no such worker may run the chunk. */
function fastest(
  job: ScheduledJob,
  slow: Straggler,
  able: ReadonlySet<ScheduledWorker>,
  free: ReadonlyMap<ScheduledWorker, number>
): ScheduledWorker | undefined {
  let best: ScheduledWorker | undefined
  let shortest = Number.POSITIVE_INFINITY
  for (const worker of free.keys()) {
    if (!able.has(worker) || !mayRunAt(job, slow, worker)) continue
    const duration = worker.shares.get(job.id)?.prefetch.duration ?? job.usual.mean
    if (duration >= shortest) continue
    best = worker
    shortest = duration
  }
  return best
}
