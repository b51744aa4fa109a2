/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { type FollowedJob, timeLeft } from '../../../views/jobs.ts'
import { isOver } from '../../../views/states.ts'
import { durationInSeconds, number, rate, shortJob } from '../../../views/words.ts'
import type { JobDecision } from './job-dialog.tsx'
import { Scroll } from './scroll.tsx'
import { Titles } from './titles.tsx'

interface Props {
  jobs: readonly FollowedJob[]
  /** The id of the job whose chunk map is shown. */
  shown: string | undefined
  /** Called to show a job's chunk map, or to hide the map if the page already shows it. */
  onShow: (jobId: string) => void
  /** Called to ask whether to cancel or resume a job. */
  onDecide: (decision: JobDecision) => void
}

export function JobsPanel({ jobs, shown, onShow, onDecide }: Props): JSX.Element {
  const suspended = jobs.filter(({ state }) => state === 'suspended').length
  const finished = jobs.filter(({ state }) => isOver(state)).length
  const counts = [
    `${jobs.length - suspended - finished} running`,
    ...(suspended === 0 ? [] : [`${suspended} suspended`]),
    `${finished} finished`
  ]
  return (
    <section class="panel" aria-labelledby="jobs-title">
      <h2 id="jobs-title">
        Jobs <small>{jobs.length === 0 ? 'none yet' : counts.join(', ')}</small>
      </h2>
      <Scroll label="Table of jobs">
        <table id="jobs">
          <Titles titles={['Job', 'State', 'Progress']} numbers={['Chunks/s', 'Left']} hidden="Actions" />
          <tbody>
            {jobs.map(job => (
              <Row key={job.jobId} job={job} isShown={job.jobId === shown} onShow={onShow} onDecide={onDecide} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

interface RowProps extends Omit<Props, 'jobs' | 'shown'> {
  job: FollowedJob
  isShown: boolean
}

function Row({ job, isShown, onShow, onDecide }: RowProps): JSX.Element {
  const { jobId, task, state, done, total, unserved, pace, missingSince, durable, durability } = job
  const left = timeLeft(job)
  const name = shortJob(jobId)
  const over = isOver(state)
  const why =
    missingSince !== undefined
      ? 'the leader looks for it'
      : state === 'suspended'
        ? 'it may have ended already'
        : unserved && !over
          ? 'no peer can compute it'
          : ''
  return (
    <tr data-job={jobId} data-state={state} data-done={done} data-total={total ?? ''}>
      <th scope="row">
        <code title={jobId}>{name}</code>{' '}
        <span class="task" title={task}>
          {task}
        </span>
      </th>
      <td>
        <span class={`word ${state}`}>{state}</span>
        {why !== '' && <small class="why">{why}</small>}
        {durable > 0 && <small class="why">{`disks ${durability.disk} of ${durable}`}</small>}
      </td>
      <td class="progress">
        {/* Of a job whose size nobody knows no bar could say how far it is. */}
        {total !== undefined && (
          <progress aria-label={`Progress of job ${name}`} value={done} max={Math.max(1, total)} />
        )}
        <span class="figures">{total === undefined ? number(done) : `${number(done)} / ${number(total)}`}</span>
      </td>
      <td class="end">{pace === undefined ? '–' : rate(pace)}</td>
      <td class="end">{left === undefined ? '–' : durationInSeconds(left)}</td>
      <td class="actions">
        <button
          type="button"
          aria-label={`Show the chunks of job ${name}`}
          aria-pressed={isShown}
          onClick={() => onShow(jobId)}
        >
          Chunks
        </button>
        {state === 'suspended' && (
          <button type="button" aria-label={`Resume job ${name}`} onClick={() => onDecide({ jobId, action: 'resume' })}>
            Resume
          </button>
        )}
        {!over && (
          <button
            type="button"
            class="danger"
            aria-label={`Cancel job ${name}`}
            onClick={() => onDecide({ jobId, action: 'cancel' })}
          >
            Cancel
          </button>
        )}
      </td>
    </tr>
  )
}
