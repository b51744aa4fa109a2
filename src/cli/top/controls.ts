/** The reducer of the keys. Its state is the selected panel, the selected row and the open question. */
import type { FollowedJob } from '../../views/jobs.ts'
import { isOver } from '../../views/states.ts'
import { jobName } from './jobs.ts'
import { firstShown } from './layout.ts'

export type Panel = 'members' | 'jobs'

/**
 * The selected row of a list. The same item stays selected when the list changes. When this item disappears, the item
 * at the same index is selected.
 */
export interface Cursor {
  id: string | undefined
  index: number
}

export interface Controls {
  panel: Panel
  members: Cursor
  jobs: Cursor
  /** The id of the job whose cancellation the user is asked to confirm; undefined while no question is open. */
  asks: string | undefined
  help: boolean
}

/** The rows that the keys act on. */
export interface Lists {
  members: readonly string[]
  jobs: readonly FollowedJob[]
  /** The number of rows of each panel that fit on the screen. */
  rows: Record<Panel, number>
}

/** The effect of a key on more than the screen. */
export type Action =
  | { type: 'quit' }
  | { type: 'cancel'; jobId: string }
  | { type: 'say'; text: string }
  | { type: 'suspend' }
  | { type: 'redraw' }

export function startControls(): Controls {
  const cursor = { id: undefined, index: 0 }
  return { panel: 'members', members: cursor, jobs: cursor, asks: undefined, help: false }
}

/** Returns the index of the cursor's row in a list. */
export function placeOf({ id, index }: Cursor, ids: readonly string[]): number {
  const place = id === undefined ? -1 : ids.indexOf(id)
  return place >= 0 ? place : Math.max(0, Math.min(index, ids.length - 1))
}

/** Returns the rows of a list that are on the screen, and the index of the selected row. */
export function shown<T>(
  rows: readonly T[],
  selected: number,
  height: number
): { first: number; rows: readonly T[]; selected: number } {
  const first = firstShown(selected, rows.length, height)
  return { first, rows: rows.slice(first, first + height), selected: selected - first }
}

/** @param key - a character, or the name of a key: `up`, `pageDown`, `tab`, `ctrl-c`, … */
export function press(controls: Controls, key: string, lists: Lists): { controls: Controls; action?: Action } {
  // These keys work on every screen, even while a question is open.
  if (key === 'ctrl-c') return { controls, action: { type: 'quit' } }
  if (key === 'ctrl-z') return { controls, action: { type: 'suspend' } }
  if (key === 'ctrl-l') return { controls, action: { type: 'redraw' } }
  if (controls.asks !== undefined) return answer(controls, controls.asks, key)
  if (controls.help) return { controls: { ...controls, help: false } }
  switch (key) {
    case 'q':
      return { controls, action: { type: 'quit' } }
    case '?':
    case 'h':
      return { controls: { ...controls, help: true } }
    case 'tab':
      return { controls: { ...controls, panel: controls.panel === 'members' ? 'jobs' : 'members' } }
    case 'c':
      return askToCancel(controls, lists)
    default:
      return { controls: move(controls, key, lists) }
  }
}

function answer(controls: Controls, jobId: string, key: string): { controls: Controls; action?: Action } {
  if (key === 'y') return { controls: { ...controls, asks: undefined }, action: { type: 'cancel', jobId } }
  const isNo = key === 'n' || key === 'escape' || key === 'q'
  return { controls: isNo ? { ...controls, asks: undefined } : controls }
}

function askToCancel(controls: Controls, { jobs }: Lists): { controls: Controls; action?: Action } {
  const ids = jobs.map(({ jobId }) => jobId)
  const job = jobs[placeOf(controls.jobs, ids)]
  if (job === undefined) return { controls, action: { type: 'say', text: 'there is no job to cancel' } }
  if (isOver(job.state)) return { controls, action: { type: 'say', text: `${jobName(job)} has ended: ${job.state}` } }
  return { controls: { ...controls, asks: job.jobId } }
}

function move(controls: Controls, key: string, lists: Lists): Controls {
  const { panel } = controls
  const ids = panel === 'members' ? lists.members : lists.jobs.map(({ jobId }) => jobId)
  const place = placeOf(controls[panel], ids)
  const page = Math.max(1, lists.rows[panel] - 1)
  const last = ids.length - 1
  const targets: Record<string, number> = {
    up: place - 1,
    k: place - 1,
    down: place + 1,
    j: place + 1,
    pageUp: place - page,
    pageDown: place + page,
    home: 0,
    g: 0,
    end: last,
    G: last
  }
  const target = targets[key]
  if (target === undefined || ids.length === 0) return controls
  const index = Math.max(0, Math.min(last, target))
  return { ...controls, [panel]: { id: ids[index], index } }
}
