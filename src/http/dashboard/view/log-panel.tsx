/** @jsxImportSource preact */
import type { JSX } from 'preact'
import { timeOfDay } from '../../../views/words.ts'
import type { Entry } from '../model/log.ts'

export function LogPanel({ log }: { log: readonly Entry[] }): JSX.Element {
  return (
    <section class="panel" aria-labelledby="log-title">
      <h2 id="log-title">
        What happened <small>{log.length === 0 ? 'nothing since this page was opened' : 'the newest first'}</small>
      </h2>
      {/* Each entry would be read aloud: the header tells of what matters. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by keyboard as well */}
      <div id="log" class="scroll tall" role="log" aria-live="off" aria-labelledby="log-title" tabIndex={0}>
        <ol>
          {log.map(({ id, at, kind, text, tone }) => (
            <li key={id} data-event={kind}>
              <time>{timeOfDay(at)}</time> <span class={`kind ${tone}`}>{kind}</span> <span>{text}</span>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
