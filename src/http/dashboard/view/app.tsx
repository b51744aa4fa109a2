/** @jsxImportSource preact */
/** The whole page, from the header down. */
import type { JSX } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import { isOver } from '../../../views/states.ts'
import type { Model } from '../model/model.ts'
import { ChunksPanel } from './chunks-panel.tsx'
import { Header, LostPeer } from './header.tsx'
import { type JobDecision, JobDialog } from './job-dialog.tsx'
import { JobsPanel } from './jobs-panel.tsx'
import { LocksPanel } from './locks-panel.tsx'
import { LogPanel } from './log-panel.tsx'
import { MembersPanel } from './members-panel.tsx'
import { PlotsPanel } from './plots-panel.tsx'
import { Ring } from './ring.tsx'
import { SchedulesPanel } from './schedules-panel.tsx'
import { TokenPanel } from './token-panel.tsx'

export function App({ model, onSchedule }: { model: Model; onSchedule: () => void }): JSX.Element {
  const [shownJob, showJob] = useState<string>()
  const [decision, decide] = useState<JobDecision>()
  const close = useCallback(() => decide(undefined), [])
  const closeChunks = (): void => {
    // The button of the panel disappears with the panel. So the keyboard focus returns to the button that opened the panel, or to
    // the jobs.
    const opener = document.querySelector<HTMLElement>('#jobs button[aria-pressed="true"]')
    showJob(undefined)
    ;(opener ?? document.getElementById('jobs')?.parentElement)?.focus()
  }
  const { members, leader, jobs, connection } = model
  const job = jobs.find(({ jobId }) => jobId === shownJob)
  const busy = members.reduce((sum, member) => sum + (member.busy ?? 0), 0)
  return (
    <>
      <Header model={model} />
      <LostPeer connection={connection} hasPicture={model.cluster !== undefined} />
      <main id="main">
        <div class="two">
          <Ring model={model} />
          <MembersPanel members={members} leader={leader?.id} busy={busy} />
        </div>
        <JobsPanel
          jobs={jobs}
          shown={shownJob}
          onShow={jobId => showJob(jobId === shownJob ? undefined : jobId)}
          onDecide={decide}
        />
        {shownJob !== undefined && (
          <ChunksPanel
            key={shownJob}
            jobId={shownJob}
            task={job?.task}
            isOver={job !== undefined && isOver(job.state)}
            onClose={closeChunks}
          />
        )}
        <SchedulesPanel schedules={model.schedules} onChange={onSchedule} />
        <LocksPanel locks={model.locks} />
        <PlotsPanel model={model} />
        <div class="two">
          <LogPanel log={model.log} />
          <TokenPanel />
        </div>
      </main>
      {decision !== undefined && (
        <JobDialog {...decision} task={jobs.find(({ jobId }) => jobId === decision.jobId)?.task} onClose={close} />
      )}
    </>
  )
}
