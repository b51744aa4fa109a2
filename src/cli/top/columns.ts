/** Chooses the columns of a panel that fit on the screen, and their widths. */
import { fill } from '../terminal/text-width.ts'
import { type Line, lineOf, type Piece, piece } from './line.ts'

export interface Column<Row> {
  title: string
  /** The width in cells. A column with `grows` may become wider. */
  width: number
  align?: 'left' | 'right'
  /**
   * The priority of the column. When the screen is too narrow, the column with the lowest number is dropped first. If
   * undefined, the column is never dropped.
   */
  keep?: number
  /** The column's share of the spare width, relative to the other columns that grow. */
  grows?: number
  cell(row: Row, cells: number): Piece
}

/**
 * Returns the columns that fit, each with its width. The columns, with one space between each two, are at most as wide
 * as the screen.
 */
export function fitting<Row>(
  columns: readonly Column<Row>[],
  cells: number
): Array<[column: Column<Row>, width: number]> {
  const kept = [...columns]
  const needed = (): number => kept.reduce((sum, column) => sum + column.width + 1, -1)
  while (needed() > cells) {
    const [first] = kept.filter(({ keep }) => keep !== undefined).sort((a, b) => a.keep! - b.keep!)
    if (first === undefined) break
    kept.splice(kept.indexOf(first), 1)
  }
  const room = Math.max(0, cells - needed())
  const shares = kept.reduce((sum, { grows = 0 }) => sum + grows, 0)
  return kept.map(column => [
    column,
    column.width + (shares === 0 ? 0 : Math.floor((room * (column.grows ?? 0)) / shares))
  ])
}

export function rowLine<Row>(columns: ReadonlyArray<[Column<Row>, number]>, row: Row, cells: number): Line {
  const pieces = columns.flatMap(([column, width], index): Piece[] => {
    const { text, tone } = column.cell(row, width)
    const gap = index === 0 ? [] : [piece(' ')]
    return [...gap, piece(fill(text, width, column.align), tone)]
  })
  return lineOf(pieces, cells)
}

/** @param end - text at the right end of the line, such as the range of rows that is shown */
export function titleLine<Row>(columns: ReadonlyArray<[Column<Row>, number]>, end: string, cells: number): Line {
  const titles = columns
    .map(([{ title, align }, width]) => fill(title, width, align))
    .join(' ')
    .trimEnd()
  const room = end === '' ? cells : Math.max(0, cells - end.length - 1)
  return lineOf([piece(fill(titles, room), 'title'), piece(end === '' ? '' : ` ${end}`, 'title')], cells)
}
