/** The columns of a panel: which there is room for, and how wide they are. */
import { fill } from '../terminal/text-width.ts'
import { type Line, lineOf, type Piece, piece } from './line.ts'

export interface Column<Row> {
  title: string
  /** In cells; one that `grows` may become wider. */
  width: number
  align?: 'left' | 'right'
  /** Where there is no room, columns with the lowest number go first; undefined: it always stays. */
  keep?: number
  /** How much of the room that is left it takes, beside others that grow. */
  grows?: number
  cell(row: Row, cells: number): Piece
}

/** The columns that fitting, each with its width; together, with a space between two, they are as wide as asked, or narrower. */
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

/** @param end - said at the right end, such as which rows are shown */
export function titleLine<Row>(columns: ReadonlyArray<[Column<Row>, number]>, end: string, cells: number): Line {
  const titles = columns
    .map(([{ title, align }, width]) => fill(title, width, align))
    .join(' ')
    .trimEnd()
  const room = end === '' ? cells : Math.max(0, cells - end.length - 1)
  return lineOf([piece(fill(titles, room), 'title'), piece(end === '' ? '' : ` ${end}`, 'title')], cells)
}
