/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { shortJob } from '../../../views/words.ts'
import { decideJob, savedToken } from '../token.ts'

/** A change of a job that needs the token. */
export interface JobDecision {
  jobId: string
  action: 'cancel' | 'resume'
}

interface Props extends JobDecision {
  task: string | undefined
  onClose: () => void
}

const WORDS = {
  cancel: {
    title: 'Cancel',
    what: 'what it has computed so far is thrown away, for everybody who waits for it.',
    no: 'Keep it',
    yes: 'Cancel the job',
    going: 'Cancelling…'
  },
  resume: {
    title: 'Resume',
    what: 'it may have ended already, and then runs again. Look for its result first.',
    no: 'Leave it',
    yes: 'Resume the job',
    going: 'Resuming…'
  }
} as const satisfies Record<JobDecision['action'], object>

/** Asks for confirmation before a job is cancelled or resumed, and shows the outcome. */
export function JobDialog({ jobId, action, task, onClose }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  /** The element that receives the focus when the dialog closes. */
  const focusNext = useRef<HTMLElement>(null)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const hasToken = savedToken() !== ''
  const words = WORDS[action]
  useEffect(() => {
    const opener = document.activeElement
    if (opener instanceof HTMLElement) focusNext.current = opener
    dialog.current?.showModal()
    // If the job has ended while the dialog was open, its button is gone.
    return () => focusNext.current?.focus()
  }, [])
  const decide = async (): Promise<void> => {
    setAsking(true)
    setProblem(undefined)
    const answer = await decideJob(jobId, action, savedToken())
    setAsking(false)
    if (answer.ok) onClose()
    else setProblem(answer.message)
  }
  const toToken = (): void => {
    focusNext.current = document.getElementById('token')
    onClose()
  }
  return (
    <dialog ref={dialog} aria-labelledby="job-dialog-title" onClose={onClose}>
      <h2 id="job-dialog-title">
        {words.title} job {shortJob(jobId)}?
      </h2>
      <p>
        {task !== undefined && (
          <>
            <span class="task">{task}</span>:{' '}
          </>
        )}
        {words.what}
      </p>
      {!hasToken && <p class="problem">This needs the token of this peer, which the page has not been given.</p>}
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {words.no}
        </button>
        {hasToken ? (
          <button
            type="button"
            class={action === 'cancel' ? 'danger' : ''}
            data-confirm={action}
            disabled={isAsking}
            onClick={() => void decide()}
          >
            {isAsking ? words.going : words.yes}
          </button>
        ) : (
          <button type="button" onClick={toToken}>
            Enter the token
          </button>
        )}
      </div>
    </dialog>
  )
}
