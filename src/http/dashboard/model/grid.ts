/** Lays out the cells of the chunk map. Lengths are in pixels of the canvas. */

/** The largest size of a cell. */
const LARGEST = 16

export interface Grid {
  /** The size of a cell, including the gap to the next cell. */
  size: number
  gap: number
  columns: number
  rows: number
  cells: number
  chunksPerCell: number
}

/**
 * Gives each chunk one cell, as large as possible, if all cells fit. Otherwise each cell shows several chunks, but as few chunks as
 * possible.
 *
 * @param scale - the number of canvas pixels in one page pixel, at least 1; no cell is smaller than one page pixel
 */
export function gridFor(chunks: number, width: number, height: number, scale: number): Grid {
  for (let size = LARGEST * scale; size >= scale; size -= scale) {
    const columns = Math.max(1, Math.floor(width / size))
    const rows = Math.ceil(chunks / columns)
    if (rows * size <= height) return { size, gap: gapOf(size, scale), columns, rows, cells: chunks, chunksPerCell: 1 }
  }
  const columns = Math.max(1, Math.floor(width / scale))
  const room = columns * Math.max(1, Math.floor(height / scale))
  const chunksPerCell = Math.ceil(chunks / room)
  const cells = Math.ceil(chunks / chunksPerCell)
  return { size: scale, gap: 0, columns, rows: Math.ceil(cells / columns), cells, chunksPerCell }
}

function gapOf(size: number, scale: number): number {
  return size >= 5 * scale ? scale : 0
}

/** Returns the most frequent code among a cell's chunks. In a tie the highest code wins, so that done wins over waiting. */
export function mostOf(codes: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  let most = 0
  let found = 0
  for (const [code, many] of counts) {
    if (many > most || (many === most && code > found)) {
      most = many
      found = code
    }
  }
  return found
}
