/** Paints the chunk map. The painter sets the pixels of changed cells in memory, and copies the changed rows to the canvas. */
import { type ChunkMap, DONE, isDone, peerOf, type Range, WAITING } from '../model/chunk-map.ts'
import { type Grid, gridFor, mostOf } from '../model/grid.ts'
import { given, type Palette, parts, peerColour } from './palette.ts'

/** The largest height of the map, in pixels of the page. */
const MOST_HEIGHT = 440
/** The share of extra rows when the canvas grows, so that the canvas is not reallocated each second. */
const ROOM = 1 / 8

export class Painter {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  #image: ImageData | undefined
  #pixels = new Uint32Array(0)
  #grid: Grid | undefined
  /** The number of cell rows for which the canvas has room. */
  #room = 0
  /** The index of the first chunk of the first cell. */
  #start = 0
  /** The colour of each code, in the format of the canvas's memory. */
  readonly #colours = new Map<number, number>()
  #look = ''

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
    // The painter never reads pixels from the context, so the canvas may stay on the GPU.
    this.#context = canvas.getContext('2d', { alpha: true })!
  }

  /**
   * @param changed - the changed ranges; undefined to paint all chunks
   * @param only - the only peer of the table whose chunks are coloured; undefined to colour the chunks of all peers
   */
  paint(map: ChunkMap, changed: readonly Range[] | undefined, palette: Palette, only: number | undefined): void {
    const scale = Math.max(1, Math.round(devicePixelRatio))
    const width = Math.floor(this.#canvas.parentElement!.clientWidth * scale)
    const grid = gridFor(map.end - map.first, width, MOST_HEIGHT * scale, scale)
    const start = Math.floor(map.first / grid.chunksPerCell) * grid.chunksPerCell
    const look = [palette.ground, only, start, width, scale, grid.size, grid.columns, grid.chunksPerCell].join()
    if (look !== this.#look || changed === undefined || grid.rows < this.#grid!.rows) {
      this.#start = start
      this.#look = look
      this.#colours.clear()
      this.#resize(grid, scale, grid.rows)
      this.#cells(map, 0, grid.cells, palette, only)
      this.#context.putImageData(this.#image!, 0, 0)
      return
    }
    let [top, bottom] = [grid.rows, -1]
    if (grid.rows > this.#room) {
      // The map of a job that is split while it runs grows. The painter keeps the cells that are already painted.
      const before = this.#pixels
      const most = Math.floor((MOST_HEIGHT * scale) / grid.size)
      this.#resize(grid, scale, Math.min(most, Math.ceil(grid.rows * (1 + ROOM))))
      this.#pixels.set(before)
      ;[top, bottom] = [0, grid.rows - 1]
    }
    this.#tell(grid)
    for (const range of changed) {
      const from = Math.max(0, Math.floor((range.start - start) / grid.chunksPerCell))
      const to = Math.min(grid.cells, Math.ceil((range.start + range.length - start) / grid.chunksPerCell))
      if (to <= from) continue
      this.#cells(map, from, to, palette, only)
      top = Math.min(top, Math.floor(from / grid.columns))
      bottom = Math.max(bottom, Math.floor((to - 1) / grid.columns))
    }
    if (bottom < top) return
    const height = (bottom - top + 1) * grid.size
    this.#context.putImageData(this.#image!, 0, 0, 0, top * grid.size, this.#image!.width, height)
  }

  /** Resizes the canvas. Resizing also clears the canvas. */
  #resize(grid: Grid, scale: number, room: number): void {
    const [width, height] = [Math.max(1, grid.columns * grid.size), Math.max(1, room * grid.size)]
    this.#room = room
    this.#canvas.width = width
    this.#canvas.height = height
    this.#canvas.style.width = `${width / scale}px`
    this.#canvas.style.height = `${height / scale}px`
    this.#image = this.#context.createImageData(width, height)
    this.#pixels = new Uint32Array(this.#image.data.buffer)
    this.#tell(grid)
  }

  #tell(grid: Grid): void {
    const { cells, chunksPerCell } = grid
    this.#grid = grid
    this.#canvas.dataset.cells = String(cells)
    this.#canvas.dataset.chunksPerCell = String(chunksPerCell)
  }

  #cells(map: ChunkMap, from: number, to: number, palette: Palette, only: number | undefined): void {
    const { size, gap, columns, chunksPerCell } = this.#grid!
    const width = this.#image!.width
    for (let cell = from; cell < to; cell++) {
      const colour = this.#colour(codeOf(map, this.#start + cell * chunksPerCell, chunksPerCell), palette, only)
      const left = (cell % columns) * size
      const top = Math.floor(cell / columns) * size
      for (let y = top; y < top + size - gap; y++) {
        const row = y * width + left
        this.#pixels.fill(colour, row, row + size - gap)
      }
    }
  }

  #colour(code: number, palette: Palette, only: number | undefined): number {
    const known = this.#colours.get(code)
    if (known !== undefined) return known
    const [red, green, blue] = parts(colourOf(code, palette, only))
    const packed = new Uint32Array(Uint8ClampedArray.of(red, green, blue, 255).buffer)[0]!
    this.#colours.set(code, packed)
    return packed
  }
}

function codeOf(map: ChunkMap, from: number, many: number): number {
  if (many === 1) return map.codeOf(from)
  const codes: number[] = []
  for (let index = Math.max(from, map.first); index < Math.min(from + many, map.end); index++)
    codes.push(map.codeOf(index))
  return mostOf(codes)
}

function colourOf(code: number, palette: Palette, only: number | undefined): string {
  const peer = peerOf(code)
  if (code === WAITING) return palette.waiting
  if (code === DONE || peer === undefined) return only === undefined ? palette.done : palette.waiting
  if (only !== undefined && peer !== only) return palette.waiting
  const colour = peerColour(palette, peer)
  return isDone(code) ? colour : given(colour, palette.ground)
}
