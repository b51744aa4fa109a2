/**
 * Reports each change of each job only once. The changes come from two sources: the events of this peer, and the answers of the
 * leader. The tracker reports a change from the source that is faster.
 */
import type { Leader } from '../api/types.ts'
import type { JobEventState, JobState, JobSummary } from '../jobs/shared/types.ts'
import { isOver } from '../views/states.ts'

interface Known {
  phase: 'accepted' | 'running' | 'suspended' | 'ended'
  /** The leader, with its epoch, at the last news of the job. */
  leader: string | undefined
  epoch: number | undefined
  /** The number of the last news of the job. An answer to a request with a lower number may be older than this news. */
  at: number
}

export class JobTracker {
  readonly #jobs = new Map<string, Known>()
  readonly #tell: (jobId: string, state: JobEventState) => void
  #clock = 0
  #hasBegun = false

  constructor(tell: (jobId: string, state: JobEventState) => void) {
    this.#tell = tell
  }

  /** Returns the number of a request to the leader, for {@link answered}. */
  asks(): number {
    return ++this.#clock
  }

  /** Handles an event of this peer. */
  heard(jobId: string, state: JobEventState, leader: Leader | undefined): void {
    const known = this.#jobs.get(jobId)
    if (known === undefined || isNews(known, state, leader)) this.#set(jobId, state, leader)
  }

  /** Handles an answer of the leader. The first answer only initializes the states. */
  answered(jobs: readonly JobSummary[], leader: Leader | undefined, asked: number): void {
    const seen = new Set<string>()
    for (const { jobId, state } of jobs) {
      seen.add(jobId)
      const known = this.#jobs.get(jobId)
      // News that came after the request is newer than the answer.
      if (known === undefined || known.at < asked) this.#compare(jobId, state, known, leader)
    }
    // Without a leader, the answer contains no jobs.
    if (leader !== undefined) {
      for (const [jobId, { at }] of this.#jobs) if (at < asked && !seen.has(jobId)) this.#jobs.delete(jobId)
    }
    this.#hasBegun = true
  }

  #compare(jobId: string, state: JobState, known: Known | undefined, leader: Leader | undefined): void {
    const phase = phaseOf(state)
    const goesOn = known !== undefined && known.phase !== 'ended' && (phase === 'accepted' || phase === 'running')
    if (goesOn && (known.phase === 'suspended' || known.leader !== leader?.id)) this.#set(jobId, 'resumed', leader)
    else if (known?.phase !== phase && !(known?.phase === 'running' && phase === 'accepted'))
      this.#set(jobId, state, leader)
  }

  #set(jobId: string, state: JobEventState, leader: Leader | undefined): void {
    this.#jobs.set(jobId, { phase: phaseOf(state), leader: leader?.id, epoch: leader?.epoch, at: ++this.#clock })
    if (this.#hasBegun) this.#tell(jobId, state)
  }
}

function phaseOf(state: JobEventState): Known['phase'] {
  if (state === 'accepted' || state === 'suspended') return state
  return state !== 'resumed' && isOver(state) ? 'ended' : 'running'
}

function isNews(known: Known, state: JobEventState, leader: Leader | undefined): boolean {
  switch (state) {
    // A client may submit a new job with the id of an ended job.
    case 'accepted':
      return known.phase === 'ended'
    case 'running':
      return known.phase === 'accepted'
    case 'suspended':
      return known.phase !== 'suspended'
    case 'resumed':
      return known.phase === 'suspended' || known.leader !== leader?.id || known.epoch !== leader?.epoch
    default:
      return known.phase !== 'ended'
  }
}
