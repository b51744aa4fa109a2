import type { JobRecord, WorkerRecord } from './scheduled-job.ts'

/**
 * The workers that chunks of a job may be given to: those with all the tags that it requires. A worker that is spared is
 * one of them only where there is no other: a job must not wait for ever because the only machine that could compute it
 * happens to lead.
 *
 * @param byTags - whether tags count
 */
export function ableWorkers(job: JobRecord, workers: Iterable<WorkerRecord>, byTags: boolean): WorkerRecord[] {
  const required = Object.entries(job.terms.requires)
  const able: WorkerRecord[] = []
  const spared: WorkerRecord[] = []
  for (const worker of workers) {
    if (worker.slots === 0) continue
    if (byTags && required.some(([key, value]) => worker.tags[key] !== value)) continue
    if (worker.spared) spared.push(worker)
    else able.push(worker)
  }
  return able.length > 0 ? able : spared
}
