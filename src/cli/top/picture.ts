/** Draws the whole screen as lines: one line for each row of the terminal, as wide as the terminal. */
import { timeOfDay } from '../../views/words.ts'
import type { Screen } from '../terminal/screen.ts'
import { type Column, fitting, rowLine, titleLine } from './columns.ts'
import { type Controls, type Lists, type Panel, placeOf, shown } from './controls.ts'
import { headerLines, OLD_MS } from './header.ts'
import { helpLines } from './help.ts'
import { jobName } from './jobs.ts'
import { jobColumns } from './jobs-panel.ts'
import { LEAST, layout } from './layout.ts'
import { fillLines, type Line, type LogEntry, lineOf, lineOfParts, piece } from './line.ts'
import { memberColumns } from './members-panel.ts'
import type { Model } from './model.ts'

/** Returns the rows that the keys act on, for a screen of this size. */
export function listsOf(model: Model, size: Screen): Lists {
  const { members, jobs } = model
  const rows = layout(size, { members: members.length, jobs: jobs.length }) ?? { members: 1, jobs: 1 }
  return { members: members.map(({ id }) => id), jobs, rows: { members: rows.members, jobs: rows.jobs } }
}

/** @param now - in ms since the epoch, by the clock of the events */
export function picture(model: Model, controls: Controls, size: Screen, now: number): Line[] {
  const { columns } = size
  const { members, jobs, log } = model
  const rows = layout(size, { members: members.length, jobs: jobs.length })
  if (rows === undefined) return tooSmall(size)
  const header = headerLines(model, columns, now)
  if (controls.help)
    return [...header, ...helpLines(columns, size.rows - header.length - 1), footer(model, controls, columns)]
  const isOld = model.lostSince !== undefined || (model.answeredAt ?? now) < now - OLD_MS
  const lists = [
    ...panel({
      name: 'members',
      controls,
      columns,
      rows: rows.members,
      all: members,
      ids: members.map(({ id }) => id),
      shape: memberColumns(model),
      empty: 'no members',
      isOld: model.lostSince !== undefined
    }),
    ...panel({
      name: 'jobs',
      controls,
      columns,
      rows: rows.jobs,
      all: jobs,
      ids: jobs.map(({ jobId }) => jobId),
      shape: jobColumns(model.jobs, now),
      empty: 'no jobs',
      isOld
    })
  ]
  const told = rows.log === undefined ? [] : logLines(log, rows.log, columns)
  return [...header, ...lists, ...told, footer(model, controls, columns)]
}

function panel<Row>(parts: {
  name: Panel
  controls: Controls
  columns: number
  rows: number
  all: readonly Row[]
  ids: readonly string[]
  shape: ReadonlyArray<Column<Row>>
  empty: string
  isOld: boolean
}): Line[] {
  const { name, controls, columns, rows, all, ids, shape, empty, isOld } = parts
  const isActive = controls.panel === name
  const fitted = fitting(shape, columns - 1)
  const view = shown(all, placeOf(controls[name], ids), rows)
  const last = view.first + view.rows.length
  const range = all.length > view.rows.length ? `${view.first + 1}–${last} of ${all.length}` : ''
  const title = titleLine(fitted, range, columns - 1)
  const lines = view.rows.map((row, index): Line => {
    const isSelected = index === view.selected
    const { pieces } = rowLine(fitted, row, columns - 1)
    const told = isOld ? pieces.map(({ text }) => piece(text, 'gone')) : pieces
    return { pieces: [piece(isSelected ? '▸' : ' '), ...told], selected: isSelected && isActive }
  })
  if (lines.length === 0) lines.push(lineOf([piece(` ${empty}`, 'gone')], columns))
  return [{ pieces: [piece(isActive ? '▸' : ' ', 'title'), ...title.pieces] }, ...fillLines(lines, rows, columns)]
}

function logLines(log: readonly LogEntry[], rows: number, columns: number): Line[] {
  const newest = log
    .slice(-rows)
    .toReversed()
    .map(({ at, text, tone }) => lineOf([piece(` ${timeOfDay(at)} `, 'gone'), piece(text, tone)], columns))
  return [lineOf([piece(' LOG'.padEnd(columns), 'title')], columns), ...fillLines(newest, rows, columns)]
}

function footer(model: Model, { asks, help }: Controls, columns: number): Line {
  if (asks !== undefined) {
    const job = model.jobs.find(({ jobId }) => jobId === asks)
    const name = job === undefined ? asks.slice(0, 8) : jobName(job)
    return lineOf([piece('y/n ', 'strong'), piece(`cancel ${name} on the whole cluster?`, 'caution')], columns)
  }
  if (help) return lineOf([piece('any key: back')], columns)
  const keys: Array<[string, string]> = [
    ['q', 'quit'],
    ['?', 'help'],
    ['c', 'cancel job'],
    ['Tab', 'members/jobs'],
    ['↑↓', 'select'],
    ['PgUp PgDn', 'page']
  ]
  return lineOfParts(
    keys.map(([key, what]) => [piece(key, 'strong'), piece(` ${what}`)]),
    columns
  )
}

function tooSmall({ columns, rows }: Screen): Line[] {
  // The message is short, because it must fit on a tiny terminal.
  const text = [
    'This terminal is',
    `too small: ${columns}×${rows}.`,
    `top needs ${LEAST.columns}×${LEAST.rows}.`,
    'q quits.'
  ]
  return fillLines(
    text.map(line => lineOf([piece(line)], columns)),
    rows,
    columns
  )
}
