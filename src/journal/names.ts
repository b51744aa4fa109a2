/** The names of entries: the id of a job, or for other entries a kind, a slash and a name. No id of a job has a slash. */
import { check, isJobId } from '../jobs/protocol/wire-parts.ts'
import type { ScheduleRecord } from './schedule-record.ts'

/** The kind of a lock and its name, of at most 200 characters. */
const LOCK_NAME = /^(?:lock|leadership)\/.{0,200}$/s
/** The definition of a schedule, or its mark. The name of a job that starts later is its id. */
const SCHEDULE_KEY = /^(schedule|mark)\/([A-Za-z0-9._:@-]{1,128})$/

export { isJobId }

export function isLockName(name: string): boolean {
  return LOCK_NAME.test(name)
}

/** Whether an entry with this name may have this record of a schedule. */
export function isScheduleKey(name: string, record: ScheduleRecord): boolean {
  return SCHEDULE_KEY.exec(name)?.[1] === (record.kind === 'mark' ? 'mark' : 'schedule')
}

/** Checks the name of an entry. */
export function checkEntryName(name: string): string {
  check(isJobId(name) || LOCK_NAME.test(name) || SCHEDULE_KEY.test(name), 'no name of an entry')
  return name
}
