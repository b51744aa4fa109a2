/** Lays out the cells of the chunk map. Lengths are in pixels of the canvas. */

/** The largest size of a cell. */
const LARGEST = 16

export interface Grid {
  /** The size of a cell, including the gap to the next one. */
  size: number
  gap: number
  columns: number
  rows: number
  cells: number
  chunksPerCell: number
}

/**
 * Gives each chunk one cell while they fit, as large as possible; else each cell stands for several chunks, as few as
 * possible.
 *
 * @param scale - canvas pixels in one page pixel, at least 1; no cell is smaller than this
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

/** The most frequent code among a cell's chunks. In a tie the highest one wins, so that done goes before waiting. */
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
