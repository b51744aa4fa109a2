/** The names of entries: the id of a job, or for other entries a kind, a slash and a name. No id of a job has a slash. */
import { check, isJobId } from '../jobs/protocol/wire-parts.ts'
import { SCHEDULE_NAME, type ScheduleRecord, type ScheduleTimes } from './schedule-record.ts'

/** The kind of a lock and its name, of at most 200 characters. */
const LOCK_NAME = /^(?:lock|leadership)\/.{0,200}$/s
/** The definition of a schedule, or its mark. The name of a job that starts later is its id. */
const SCHEDULE_KEY = /^(schedule|mark)\/([A-Za-z0-9._:@-]{1,128})$/

export { isJobId }

export function isLockName(name: string): boolean {
  return LOCK_NAME.test(name)
}

/** Whether an entry with this name may have this record of a schedule. */
export function isScheduleKey(key: string, record: ScheduleRecord): boolean {
  const [, kind, name = ''] = SCHEDULE_KEY.exec(key) ?? []
  if (kind !== (record.kind === 'mark' ? 'mark' : 'schedule')) return false
  return record.kind !== 'definition' || mayHaveName(record.times, name)
}

/** Whether these due times may have this name: the ids of their jobs must be valid. */
export function mayHaveName({ type }: ScheduleTimes, name: string): boolean {
  return type === 'once' ? isJobId(name) : SCHEDULE_NAME.test(name)
}

/** Checks the name of an entry. */
export function checkEntryName(name: string): string {
  check(isJobId(name) || LOCK_NAME.test(name) || SCHEDULE_KEY.test(name), 'no name of an entry')
  return name
}
