/** What fits on the screen of who reads stdout. */
import { number } from '../../views/words.ts'
import { cut } from './text-width.ts'

/** A screen's size; what is no terminal has room for everything. */
export interface Screen {
  columns: number
  rows: number
}

export const ENDLESS: Screen = { columns: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY }

export function screenOf(stream: NodeJS.WriteStream): Screen {
  return stream.isTTY === true ? { columns: stream.columns || 80, rows: stream.rows || 24 } : ENDLESS
}

/**
 * As many items as there are rows for, in their order, and those that have to be left out: the least important. A row is kept free for the
 * line that tells of these.
 *
 * @param importance - the higher, the sooner it is shown
 */
export function mostImportant<T>(
  items: readonly T[],
  rows: number,
  importance: (item: T) => number
): { shown: T[]; left: number } {
  if (items.length <= rows) return { shown: [...items], left: 0 }
  const room = Math.max(1, rows - 1)
  const chosen = new Set([...items].sort((a, b) => importance(b) - importance(a)).slice(0, room))
  return { shown: items.filter(item => chosen.has(item)), left: items.length - room }
}

/** Shares rows between two tables: each gets what it needs as long as the other has half, or what it needs. */
export function share(rows: number, first: number, second: number): [number, number] {
  const half = Math.max(1, Math.floor(rows / 2))
  if (first + second <= rows) return [first, second]
  if (first <= half) return [first, Math.max(1, rows - first)]
  return second <= rows - half ? [Math.max(1, rows - second), second] : [half, Math.max(1, rows - half)]
}

/** The line that tells of rows that are not shown. */
export function moreLine(left: number, where: string, columns: number): string[] {
  return left === 0 ? [] : [cut(`… and ${number(left)} more (${where})`, columns)]
}
