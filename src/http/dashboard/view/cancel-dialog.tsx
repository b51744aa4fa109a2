/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { shortJob } from '../../../views/words.ts'
import { cancelJob, savedToken } from '../token.ts'

interface Props {
  jobId: string
  task: string | undefined
  onClose: () => void
}

/** Asks for confirmation before a job is cancelled, and shows the outcome. */
export function CancelDialog({ jobId, task, onClose }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  /** The element that receives the focus when the dialog closes. */
  const focusNext = useRef<HTMLElement>(null)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const hasToken = savedToken() !== ''
  useEffect(() => {
    const opener = document.activeElement
    if (opener instanceof HTMLElement) focusNext.current = opener
    dialog.current?.showModal()
    // If the job has ended while the dialog was open, its button is gone.
    return () => focusNext.current?.focus()
  }, [])
  const cancel = async (): Promise<void> => {
    setAsking(true)
    setProblem(undefined)
    const answer = await cancelJob(jobId, savedToken())
    setAsking(false)
    if (answer.ok) onClose()
    else setProblem(answer.message)
  }
  const toToken = (): void => {
    focusNext.current = document.getElementById('token')
    onClose()
  }
  return (
    <dialog ref={dialog} aria-labelledby="cancel-title" onClose={onClose}>
      <h2 id="cancel-title">Cancel job {shortJob(jobId)}?</h2>
      <p>
        {task !== undefined && (
          <>
            <span class="task">{task}</span>:{' '}
          </>
        )}
        what it has computed so far is thrown away, for everybody who waits for it.
      </p>
      {!hasToken && <p class="problem">This needs the token of this peer, which the page has not been given.</p>}
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Keep it
        </button>
        {hasToken ? (
          <button type="button" class="danger" data-confirm-cancel disabled={isAsking} onClick={() => void cancel()}>
            {isAsking ? 'Cancelling…' : 'Cancel the job'}
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
