import type { Logger } from '../common/logger.ts'
import type { ScheduleReport } from './core/types.ts'

const WHY = {
  missed: 'no leader was there to start their jobs',
  overlap: 'the job before had not ended',
  'catch-up': 'too many of them waited (catchUp)',
  refused: 'the leader refused the job'
} as const

/** Logs what the schedules of a leader have to report. */
export function tellSchedules(logger: Logger, report: ScheduleReport): void {
  switch (report.type) {
    case 'clock': {
      const aheadMs = Math.round(report.ahead)
      logger.error(
        { event: 'schedule', aheadMs },
        'schedules start no jobs: the clock of this peer differs from the clocks of the members; set it (NTP), or let another peer lead'
      )
      break
    }
    case 'clock-right':
      logger.info({ event: 'schedule' }, 'schedules start jobs again: the clock of this peer is right')
      break
    case 'reset': {
      const { name: schedule, ahead } = report
      logger.error(
        { event: 'schedule', schedule, aheadMs: Math.round(ahead) },
        'a schedule had run ahead of the clocks of the members, because an earlier leader had a wrong clock: it continues at the present time'
      )
      break
    }
    case 'skipped': {
      const { name: schedule, count: skipped, why, last } = report
      const fields = { event: 'schedule', schedule, skipped, last: new Date(last).toISOString() }
      const due = skipped === 1 ? 'a due time was' : 'due times were'
      logger.warn(fields, `${report.atLeast ? 'at least these ' : ''}${due} skipped: ${WHY[why]}`)
      break
    }
    case 'refused': {
      const { name: schedule, job: jobId, reason, isFinal } = report
      const again = isFinal ? '' : '; the leader tries again'
      logger.warn({ event: 'schedule', schedule, jobId, reason }, `the job of a schedule was refused${again}`)
      break
    }
    case 'no-calendar':
      logger.error(
        { event: 'schedule', schedule: report.name, reason: report.problem },
        'a schedule starts no jobs, because its due times cannot be computed'
      )
      break
  }
}
