/** The jobs: how far each is, how fast it gets on, and when it will have ended. */
import type { JobState } from '../../jobs/shared/types.ts'
import { oneLine } from '../terminal/text-width.ts'
import type { Column } from './columns.ts'
import { clock, short } from './figures.ts'
import { isOver, type ShownJob } from './jobs.ts'
import { bar, type Piece, piece, type Tone } from './line.ts'

const STATES: Record<JobState, { sign: string; tone: Tone }> = {
  accepted: { sign: '·', tone: 'plain' },
  running: { sign: '»', tone: 'plain' },
  completed: { sign: '√', tone: 'good' },
  failed: { sign: '✕', tone: 'bad' },
  cancelled: { sign: '■', tone: 'caution' }
}

/** How much longer a job will take at its pace, in ms; undefined where that cannot be told. */
export function remaining({ state, total, done, pace }: ShownJob): number | undefined {
  if (state !== 'running' || total === undefined || pace === undefined || pace <= 0) return undefined
  return ((total - done) * 1_000) / pace
}

function stateOf({ state, unserved, missingSince }: ShownJob): Piece {
  if (missingSince !== undefined) return piece('? unknown', 'caution')
  if (unserved && !isOver(state)) return piece('! no worker', 'caution')
  return piece(`${STATES[state].sign} ${state}`, STATES[state].tone)
}

function percent({ state, done, total }: ShownJob): string {
  if (total === undefined) return '-'
  if (total === 0) return isOver(state) ? '100%' : '-'
  return `${Math.floor((100 * done) / total)}%`
}

/** @param now - in ms since the epoch */
export function jobColumns(now: number): Array<Column<ShownJob>> {
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
        // A long job is split as it runs: how long it is, is known near its end.
        return piece(isOver(state) ? '' : 'splitting', 'gone')
      }
    },
    { title: '%', width: 4, align: 'right', cell: job => piece(percent(job)) },
    {
      title: 'CHUNKS',
      width: 11,
      align: 'right',
      keep: 3,
      cell: ({ done, total }) => piece(`${short(done)}/${total === undefined ? '?' : short(total)}`)
    },
    {
      title: 'PER S',
      width: 5,
      align: 'right',
      keep: 2,
      cell: ({ pace }) => piece(pace === undefined ? '-' : short(pace))
    },
    {
      title: 'ETA',
      width: 6,
      align: 'right',
      keep: 1,
      cell: job => {
        const left = remaining(job)
        return piece(left === undefined ? '-' : clock(left))
      }
    },
    {
      title: 'AGE',
      width: 6,
      align: 'right',
      keep: 0,
      cell: ({ acceptedAt }) => piece(acceptedAt === undefined ? '-' : clock(now - acceptedAt))
    }
  ]
}
