/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { count, number, runTime } from '../../../views/words.ts'
import { scheduleRows } from '../model/schedules.ts'
import type { WireSchedule } from '../model/wire.ts'
import { changeSchedule, savedToken } from '../token.ts'
import { Scroll } from './scroll.tsx'
import { Titles } from './titles.tsx'

type Action = Parameters<typeof changeSchedule>[1]

interface Props {
  schedules: readonly WireSchedule[]
  /** Called when the page has changed a schedule. */
  onChange: () => void
}

/** Shows nothing if there are no schedules. */
export function SchedulesPanel({ schedules, onChange }: Props): JSX.Element | null {
  const [said, say] = useState<{ text: string; isBad: boolean }>()
  if (schedules.length === 0) return null
  const change = async (name: string, action: Action): Promise<void> => {
    if (savedToken() === '') {
      document.getElementById('token')?.focus()
      return say({ text: 'This needs the token of this peer: enter it below, then try again.', isBad: true })
    }
    const answer = await changeSchedule(name, action, savedToken())
    if (!answer.ok) return say({ text: answer.message, isBad: true })
    say({ text: answer.jobId === undefined ? '' : `Job ${answer.jobId} is accepted.`, isBad: false })
    onChange()
  }
  const rows = scheduleRows(schedules)
  const paused = schedules.filter(({ state }) => state === 'paused').length
  const shown = rows.length < schedules.length ? ` · ${rows.length} shown` : ''
  return (
    <section class="panel" aria-labelledby="schedules-title">
      <h2 id="schedules-title">
        Schedules <small>{`${count(schedules.length, 'schedule')} · ${number(paused)} paused${shown}`}</small>
      </h2>
      <p class={said?.isBad ? 'problem' : 'muted'} role="status" data-schedule-said>
        {said?.text}
      </p>
      <Scroll label="Table of schedules" tall>
        <table id="schedules">
          <Titles
            titles={['Schedule', 'Times', 'Next run', 'Last run', 'Outcome']}
            numbers={['Skipped']}
            hidden="Actions"
          />
          <tbody>
            {rows.map(schedule => (
              <Row key={schedule.name} schedule={schedule} onAct={action => void change(schedule.name, action)} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

function Row({ schedule, onAct }: { schedule: WireSchedule; onAct: (action: Action) => void }): JSX.Element {
  const { name, cron, timeZone, task, state, next, last, skipped, problem } = schedule
  const toggle = state === 'paused' ? 'resume' : 'pause'
  const shown = (at: number | undefined | null): string => (at == null ? '–' : runTime(at, timeZone))
  return (
    <tr data-schedule={name} data-state={state}>
      <th scope="row">
        <code title={name}>{name}</code>{' '}
        <span class="task" title={task}>
          {task}
        </span>
        {problem !== null && <small class="why">{problem}</small>}
      </th>
      <td>
        {cron === null ? 'once' : <code>{cron}</code>} <span class="task">{timeZone}</span>
      </td>
      <td>{state === 'paused' ? 'paused' : shown(next)}</td>
      <td title={last?.job}>{shown(last?.due)}</td>
      <td>{last === null || last.state === null ? '–' : <span class={`word ${last.state}`}>{last.state}</span>}</td>
      <td class="end">{number(skipped)}</td>
      <td class="actions">
        {cron !== null && (
          <>
            <button type="button" aria-label={`Run now: ${name}`} onClick={() => onAct('run')}>
              Run now
            </button>
            <button type="button" aria-label={`${WORDS[toggle]} ${name}`} onClick={() => onAct(toggle)}>
              {WORDS[toggle]}
            </button>
          </>
        )}
      </td>
    </tr>
  )
}

const WORDS = { pause: 'Pause', resume: 'Resume' }
