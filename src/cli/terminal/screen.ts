/** Selects the rows that fit on the screen. */
import { number } from '../../views/words.ts'
import { cut } from './text-width.ts'

/** The size of the screen, which is unlimited when stdout is not a terminal. */
export interface Screen {
  columns: number
  rows: number
}

export const ENDLESS: Screen = { columns: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY }

export function screenOf(stream: NodeJS.WriteStream): Screen {
  return stream.isTTY === true ? { columns: stream.columns || 80, rows: stream.rows || 24 } : ENDLESS
}

/**
 * Returns the most important items that fit into the rows, in their original order, and the number of items left out.
 * One row stays free for the line that shows this number.
 *
 * @param importance - items with a higher number are shown first
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

/**
 * Divides rows between two tables. Each table gets the rows that it needs, as long as the other table gets half of the
 * rows or all the rows that it needs.
 */
export function share(rows: number, first: number, second: number): [number, number] {
  const half = Math.max(1, Math.floor(rows / 2))
  if (first + second <= rows) return [first, second]
  if (first <= half) return [first, Math.max(1, rows - first)]
  return second <= rows - half ? [Math.max(1, rows - second), second] : [half, Math.max(1, rows - half)]
}

/** Returns the line with the number of rows left out, or no line if no row is left out. */
export function moreLine(left: number, where: string, columns: number): string[] {
  return left === 0 ? [] : [cut(`… and ${number(left)} more (${where})`, columns)]
}
