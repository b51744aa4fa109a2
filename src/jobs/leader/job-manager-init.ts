import type { LeaderJournal } from '../../journal/leader-journal.ts'
import type { LeaderJournalEvents } from '../../journal/leader-journal-events.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { JobTerms } from '../scheduler/index.ts'
import type { JobProgress } from '../shared/types.ts'
import type { LeaderJob } from './leader-job.ts'
import type { LeadershipParts } from './leadership-parts.ts'

export interface JobManagerInit extends LeadershipParts {
  self: PeerIdString
  /** Number of slots in the cluster. */
  slots(): number
  journal(events: LeaderJournalEvents): LeaderJournal
  /** Whether some peer can compute a job. */
  isServed(terms: JobTerms): boolean
  /** Called when the job is replicated and may run. */
  begin(job: LeaderJob, resumed: boolean): void
  /** Called when a client reports how many chunks of the job earlier leaders have folded. */
  seen(job: string, folded: number): void
  /** Called when a checkpoint covers the chunks of a job before `next`, so that the workers may drop their partials. */
  covered(job: string, next: number): void
  /** Called when all jobs of earlier leaders are known. */
  ready(): void
  cancel(job: string): void
  progress(job: string): JobProgress | undefined
}
