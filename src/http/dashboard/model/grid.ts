/** Where the cells of the chunk map are, and how many chunks each stands for. Lengths are in pixels of the canvas. */

/** The largest cell that looks like one of many. */
const LARGEST = 16

export interface Grid {
  /** Of a cell, the gap to the next one included. */
  size: number
  gap: number
  columns: number
  rows: number
  cells: number
  chunksPerCell: number
}

/**
 * One cell a chunk while that fits, as large as possible; else several chunks a cell, as few as possible.
 *
 * @param scale - pixels of the canvas in one of the page, from 1 on: no cell is smaller than that
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

/** The code that most chunks of a cell have; of several, the highest: what was done rather than what waits. */
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
