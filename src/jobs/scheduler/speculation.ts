/**
 * Which running chunks to start a second time. Only what would idle is used for it: a free slot for which there is no
 * chunk. And only chunks that are clearly slower than usual are worth it, else the last chunks of every job would all run
 * twice.
 */
import type { PeerIdString } from '../../network/types.ts'
import { ableWorkers } from './able-workers.ts'
import type { JobRecord, WorkerRecord } from './scheduled-job.ts'
import type { SchedulerRules } from './types.ts'

/** Chunks that are to be started again at `worker`. */
export interface Copies {
  job: JobRecord
  worker: WorkerRecord
  /** Each chunk, and who has it. */
  chunks: Slow[]
}

interface Slow {
  index: number
  holder: PeerIdString
  since: number
}

/**
 * @param least - a chunk that has run for less (ms) is never slow
 * @returns `more`: others may be slow too, and there was no free slot for them
 */
export function chooseCopies(
  jobs: Iterable<JobRecord>,
  workers: readonly WorkerRecord[],
  rules: SchedulerRules,
  least: number,
  now: number
): { copies: Copies[]; more: boolean } {
  const free = new Map<WorkerRecord, number>()
  for (const worker of workers) {
    const slots = worker.slots - worker.outstanding
    if (slots > 0) free.set(worker, slots)
  }
  const copies: Copies[] = []
  if (free.size === 0) return { copies, more: true }
  for (const job of jobs) {
    if (!job.terms.speculate || !knowsUsual(job, workers)) continue
    const slow = slowest(job, workers, rules, now - job.usual.slowFrom(least))
    const able = new Set(ableWorkers(job, workers, rules.tags))
    for (let next = 0; next < slow.length; ) {
      const first = slow[next]!
      const worker = fastest(job, first, able, free)
      if (worker === undefined) {
        if (free.size === 0) return { copies, more: true }
        next += 1
        continue
      }
      // Tiny chunks go together, as they do otherwise.
      const most = worker.shares.get(job.id)?.pace.batch() ?? 1
      let end = next + 1
      while (end < Math.min(slow.length, next + most) && mayRunAt(job, slow[end]!, worker)) end += 1
      copies.push({ job, worker, chunks: slow.slice(next, end) })
      next = end
      const left = free.get(worker)! - 1
      if (left === 0) free.delete(worker)
      else free.set(worker, left)
    }
  }
  return { copies, more: false }
}

/** What is usual is known once as many chunks have ended as are running. */
function knowsUsual(job: JobRecord, workers: readonly WorkerRecord[]): boolean {
  let running = 0
  for (const { slots, shares } of workers) running += Math.min(slots, shares.get(job.id)?.outstanding.size ?? 0)
  return running > 0 && job.usual.measured >= running
}

/** Never where the chunk is, nor where it has failed. */
function mayRunAt(job: JobRecord, { index, holder }: Slow, worker: WorkerRecord): boolean {
  return worker.id !== holder && !job.failedAt(index).includes(worker.id)
}

/** The chunks that one worker has, and should have returned long ago: those that have taken longest first. */
function slowest(job: JobRecord, workers: readonly WorkerRecord[], rules: SchedulerRules, before: number): Slow[] {
  const found: Slow[] = []
  for (const { id, shares } of workers) {
    for (const [index, since] of shares.get(job.id)?.outstanding ?? []) {
      if (since >= before || job.copies.has(index)) continue
      // A copy of a chunk that peers have died with would put one more peer at risk.
      if (!rules.noCopiesOfLost || job.deaths.modeOf(index, rules) === 'plain') found.push({ index, holder: id, since })
    }
  }
  return found.sort((a, b) => a.since - b.since || a.index - b.index)
}

/** Of the workers with a free slot, the one that is quickest with the job. */
function fastest(
  job: JobRecord,
  slow: Slow,
  able: ReadonlySet<WorkerRecord>,
  free: ReadonlyMap<WorkerRecord, number>
): WorkerRecord | undefined {
  let best: WorkerRecord | undefined
  let shortest = Number.POSITIVE_INFINITY
  for (const worker of free.keys()) {
    if (!able.has(worker) || !mayRunAt(job, slow, worker)) continue
    const duration = worker.shares.get(job.id)?.pace.duration ?? job.usual.mean
    if (duration >= shortest) continue
    best = worker
    shortest = duration
  }
  return best
}
