import type { Entry } from './core/entry.ts'
import type { Durability } from './core/replication.ts'
import type { JobRecord } from './record.ts'
import type { ScheduleRecord } from './schedule-record.ts'

export interface LeaderJournalEvents {
  /** Called when this leader knows all jobs of earlier leaders. */
  ready(): void
  /** Called for each job of an earlier leader. The job resumes, or has already ended. */
  adopt(entry: Entry<JobRecord>): void
  /** Called when a job of this leader has ended in another part of a partitioned cluster. */
  overruled(entry: Entry<JobRecord>): void
  /** Called when another peer has a later checkpoint of a job of this leader. */
  advanced(entry: Entry<JobRecord>): void
  /** Called for each entry of a schedule that an earlier leader has written. */
  adoptSchedule(key: string, record: ScheduleRecord): void
  /** Called when the number of peers that hold a running job, or an entry of a schedule, has changed. */
  held(job: string, durability: Durability): void
  /** Called for a new job, or a new entry of a schedule, that needs more disks than there are. */
  notDurable(job: string, disks: number): void
  /** Called when a newer leader exists. Then this leader must stop. */
  fenced(): void
}
