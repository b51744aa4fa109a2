import type { Limits } from '../../common/limits.ts'
import type { Logger } from '../../common/logger.ts'
import type { JournalRoom } from '../../journal/journal-room.ts'
import type { Refusals } from '../../network/guard/refusals.ts'
import type { JobSpans } from '../shared/job-spans.ts'
import type { CodeKeeper, Runner } from '../shared/runner.ts'
import type { JobEventState } from '../shared/types.ts'
import type { ScheduleKeeper } from './due-jobs.ts'

/** The parts that a leader and its job manager share. */
export interface LeadershipParts {
  epoch: number
  runner: Runner
  codeStore: CodeKeeper
  limits: Limits
  /** The room for new jobs in the data folder. `undefined` if this peer has none. */
  room: JournalRoom | undefined
  refusals: Refusals
  logger: Logger
  /** Keeps the schedules while this peer leads. `undefined` if this peer keeps none. */
  schedules: ScheduleKeeper | undefined
  /** Records traces. `undefined` if this peer records no traces. */
  spans: JobSpans | undefined
  onJobState(job: string, state: JobEventState): void
  /** Called when a newer leader exists. The callee must stop this leader. */
  onFenced(): void
}
