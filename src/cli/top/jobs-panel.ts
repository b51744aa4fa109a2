/** The panel of jobs: the progress, pace and expected end of each job. */
import type { JobState } from '../../jobs/shared/types.ts'
import { type FollowedJob, timeLeft } from '../../views/jobs.ts'
import { isOver, JOB_TONES } from '../../views/states.ts'
import { bar, compactDuration, compactNumber, percent } from '../../views/words.ts'
import { oneLine } from '../terminal/text-width.ts'
import type { Column } from './columns.ts'
import { type Piece, piece } from './line.ts'

const SIGNS: Record<JobState, string> = {
  accepted: '·',
  running: '»',
  suspended: '‖',
  completed: '√',
  failed: '✕',
  cancelled: '■'
}

function stateOf({ state, unserved, missingSince }: FollowedJob): Piece {
  if (missingSince !== undefined) return piece('? unknown', 'caution')
  if (unserved && !isOver(state)) return piece('! no worker', 'caution')
  return piece(`${SIGNS[state]} ${state}`, JOB_TONES[state])
}

function percentOf({ state, done, total }: FollowedJob): string {
  // A job without chunks may still be splitting its input.
  return total === undefined || (total === 0 && !isOver(state)) ? '-' : `${percent(done, total)}%`
}

/** Shown only if a job must be on disks: on how many it is, and on how many it must be. */
const DISKS: Column<FollowedJob> = {
  title: 'DISKS',
  width: 5,
  align: 'right',
  keep: 4,
  cell: ({ state, durable, durability: { disk } }) => {
    if (durable === 0) return piece('-')
    return piece(`${disk}/${durable}`, disk < durable && !isOver(state) ? 'caution' : undefined)
  }
}

/** @param now - in ms since the epoch */
export function jobColumns(jobs: readonly FollowedJob[], now: number): Array<Column<FollowedJob>> {
  return [
    { title: 'JOB', width: 8, cell: ({ jobId }) => piece(oneLine(jobId).slice(0, 8)) },
    { title: 'TASK', width: 8, grows: 1, keep: 4, cell: ({ task }) => piece(oneLine(task)) },
    { title: 'STATE', width: 11, keep: 6, cell: stateOf },
    {
      title: '',
      width: 6,
      grows: 2,
      keep: 5,
      cell: ({ state, done, total }, cells) => {
        if (total !== undefined) return piece(bar(done, total, cells))
        // A long job is split while it runs, so its number of chunks is known only near its end.
        return piece(isOver(state) || state === 'suspended' ? '' : 'splitting', 'gone')
      }
    },
    { title: '%', width: 4, align: 'right', cell: job => piece(percentOf(job)) },
    {
      title: 'CHUNKS',
      width: 11,
      align: 'right',
      keep: 3,
      cell: ({ done, total }) => piece(`${compactNumber(done)}/${total === undefined ? '?' : compactNumber(total)}`)
    },
    ...(jobs.some(({ durable }) => durable > 0) ? [DISKS] : []),
    {
      title: 'PER S',
      width: 5,
      align: 'right',
      keep: 2,
      cell: ({ pace }) => piece(pace === undefined ? '-' : compactNumber(pace))
    },
    {
      title: 'ETA',
      width: 6,
      align: 'right',
      keep: 1,
      cell: job => {
        const left = timeLeft(job)
        return piece(left === undefined ? '-' : compactDuration(left))
      }
    },
    {
      title: 'AGE',
      width: 6,
      align: 'right',
      keep: 0,
      cell: ({ acceptedAt }) => piece(acceptedAt === undefined ? '-' : compactDuration(now - acceptedAt))
    }
  ]
}
