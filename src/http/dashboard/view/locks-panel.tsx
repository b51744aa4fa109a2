/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact'
import { count, number, timeOfDay } from '../../../views/words.ts'
import { type LockRow, lockRows } from '../model/locks.ts'
import type { WireLock, WireLockWaiter } from '../model/wire.ts'
import { Scroll } from './scroll.tsx'
import { Titles } from './titles.tsx'

/** Shows nothing if there are no locks. */
export function LocksPanel({ locks }: { locks: readonly WireLock[] }): JSX.Element | null {
  if (locks.length === 0) return null
  const waiting = locks.reduce((sum, { waiters }) => sum + waiters.length, 0)
  const rows = lockRows(locks)
  const shown = rows.length < locks.length ? ` · ${rows.length} shown` : ''
  return (
    <section class="panel" aria-labelledby="locks-title">
      <h2 id="locks-title">
        Locks <small>{`${count(locks.length, 'lock')} · ${number(waiting)} waiting${shown}`}</small>
      </h2>
      <Scroll label="Table of locks" tall>
        <table id="locks">
          <Titles titles={['Lock', 'Held by', 'Since', 'Token', 'Waiting, in order']} numbers={['Limit']} />
          <tbody>
            {rows.map(row => (
              <Row key={`${row.kind}/${row.name}`} row={row} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

function Row({
  row: { kind, name, limit, holders, waiters, moreHolders, moreWaiters }
}: {
  row: LockRow
}): JSX.Element {
  return (
    <tr data-lock={name} data-kind={kind}>
      <th scope="row">
        <code title={name}>{name}</code>
        {kind === 'leadership' && <span class="badge">leadership</span>}
      </th>
      <Lines more={moreHolders}>{holders.map(owner)}</Lines>
      <Lines>{holders.map(({ since }) => timeOfDay(since))}</Lines>
      <Lines>{holders.map(({ token }) => token)}</Lines>
      <Lines more={moreWaiters}>{waiters.map(owner)}</Lines>
      <td class="end">{number(limit)}</td>
    </tr>
  )
}

function owner({ owner: text, client }: WireLockWaiter): JSX.Element {
  return (
    <span class="task" title={`${text}, ${client}`}>
      {text}
    </span>
  )
}

/** A cell with one line for each part. */
function Lines({ children, more = 0 }: { children: ComponentChildren[]; more?: number }): JSX.Element {
  return (
    <td>
      {children.length === 0 && '–'}
      {children.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no state
        <div key={index}>{line}</div>
      ))}
      {more > 0 && <small>{`and ${number(more)} more`}</small>}
    </td>
  )
}
