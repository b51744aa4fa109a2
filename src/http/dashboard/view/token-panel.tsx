/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { checkToken, savedToken, saveToken } from '../token.ts'

/** The form for the token. Cancelling a job requires the token. */
export function TokenPanel(): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const [isKept, setKept] = useState(() => savedToken() !== '')
  const [said, say] = useState<{ text: string; isBad: boolean }>()
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault()
    const token = field.current?.value.trim() ?? ''
    saveToken(token)
    setKept(token !== '')
    if (token === '') return say({ text: 'The token is forgotten.', isBad: false })
    say({ text: 'Asking the peer…', isBad: false })
    const answer = await checkToken(token)
    say({ text: answer.ok ? 'The peer accepts the token.' : answer.message, isBad: !answer.ok })
  }
  const forget = (): void => {
    if (field.current !== null) field.current.value = ''
    saveToken('')
    setKept(false)
    say({ text: 'The token is forgotten.', isBad: false })
  }
  return (
    <section class="panel" aria-labelledby="token-title">
      <h2 id="token-title">
        Token <small>to cancel jobs and change schedules</small>
      </h2>
      <form onSubmit={event => void keep(event)}>
        <label for="token">Token of this peer</label>
        <div class="field">
          <input
            id="token"
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            defaultValue={savedToken()}
            aria-describedby="token-hint"
          />
          <button type="submit">Use it</button>
          {isKept && (
            <button type="button" onClick={forget}>
              Forget it
            </button>
          )}
        </div>
        <p id="token-hint" class="muted">
          It is in a file on the peer's machine, which <code>p2p-worker join --http</code> names when it starts:{' '}
          <code>http-token</code> in the folder of <code>--data-dir</code>, else one that ends in <code>.token</code>.
          This tab keeps it until it is closed.
        </p>
        {said !== undefined && (
          <p class={said.isBad ? 'problem' : 'muted'} data-token-said>
            {said.text}
          </p>
        )}
      </form>
    </section>
  )
}
