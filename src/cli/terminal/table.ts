/**
 * Renders a table: each column is as wide as its widest cell, numbers are right-aligned, and no row is wider than the
 * terminal.
 */
import { cut, fill, textWidth } from './text-width.ts'

export interface Column {
  title: string
  align?: 'left' | 'right'
  /**
   * How far the column may shrink: to at least `least` columns of the terminal, by cutting its cells. Columns of the
   * first turn shrink first.
   */
  shrink?: { turn: number; least: number }
  /**
   * When shrinking is not enough, the column with the highest number is dropped first. If undefined, the column is
   * never dropped.
   */
  drop?: number
  /** Whether the column is dropped before any other column shrinks. */
  isExtra?: boolean
}

const GAP = '  '

/** @param room - the width of the terminal in columns; by default no cell is cut */
export function table(columns: readonly Column[], rows: readonly string[][], room = Number.POSITIVE_INFINITY): string {
  const natural = columns.map((column, index) =>
    Math.max(textWidth(column.title), ...rows.map(row => textWidth(row[index] ?? '')))
  )
  const shown = layOut(columns, natural, room)
  const line = (cells: readonly string[]): string =>
    shown
      .map(({ index, width }) => fill(cells[index] ?? '', width, columns[index]!.align))
      .join(GAP)
      .trimEnd()
  return [line(columns.map(column => column.title)), ...rows.map(line)].map(text => cut(text, room)).join('\n')
}

interface Shown {
  index: number
  width: number
}

/** Returns the columns that fit, with their widths. */
function layOut(columns: readonly Column[], natural: readonly number[], room: number): Shown[] {
  const isTight = natural.reduce((sum, width) => sum + width + GAP.length, -GAP.length) > room
  const kept = new Set([...columns.keys()].filter(index => !isTight || columns[index]!.isExtra !== true))
  const dropped = [...columns.entries()]
    .filter(([, { drop }]) => drop !== undefined)
    .sort(([, a], [, b]) => b.drop! - a.drop!)
  for (;;) {
    const shown = [...kept].map(index => ({ index, width: natural[index]! }))
    let excess = shown.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length) - room
    const byTurn = shown
      .filter(({ index }) => columns[index]!.shrink !== undefined)
      .sort((a, b) => columns[a.index]!.shrink!.turn - columns[b.index]!.shrink!.turn)
    for (const column of byTurn) {
      const less = Math.max(0, Math.min(excess, column.width - columns[column.index]!.shrink!.least))
      column.width -= less
      excess -= less
    }
    const next = excess > 0 ? dropped.shift() : undefined
    if (next === undefined) return shown
    kept.delete(next[0])
  }
}
