/**
 * The state of each chunk of one job, in one or two bytes a chunk, with versions to tell the changes since an earlier
 * view. The leader writes the record, and each client that shows a job keeps a copy of the record.
 */

/** The largest number of chunks that are recorded. A longer stream keeps only the newest chunks. */
export const MOST_RECORDED = 2 ** 20
/** The largest number of peers that the record of a job can distinguish. */
export const MOST_RECORDED_PEERS = 10_000

/** No worker has the chunk. */
export const WAITING = 0
/** The chunk is done, and its worker is not known any more. */
export const DONE = 1
/** The codes of the first peer. Each peer has two codes. */
const GIVEN_TO_FIRST = 2
const DONE_BY_FIRST = 3

/** Changes are tracked by blocks of this many chunks. */
const BLOCK = 256
const BLOCK_BITS = 8
const LEAST_CELLS = 1_024
const LARGEST_BYTE = 255

/** All recorded chunks from {@link first} on, or only the changed chunks. */
export interface ChunkChanges {
  /** The lowest index that is recorded. */
  first: number
  /** Number of chunks split so far. */
  end: number
  /** The peers that the codes refer to. New peers are appended. */
  peers: readonly string[]
  /**
   * Start, length, code; start, length, code; …, ascending. Codes: 0 waiting; 1 done by an unknown peer; 2 + 2p given
   * to `peers[p]`; 3 + 2p done by `peers[p]`.
   */
  runs: number[]
}

export interface ChunkChangesSince extends ChunkChanges {
  /** The version that the next request for changes must contain. */
  version: number
  /** The index where the next piece begins. `undefined` if this is the last piece. */
  next: number | undefined
}

export class ChunkRecord {
  /**
   * A ring whose number of cells is a power of two. The cell of a chunk is its index modulo that number. With many peers a
   * cell has two bytes.
   */
  #codes: Uint8Array | Uint16Array = new Uint8Array(LEAST_CELLS)
  #mask = LEAST_CELLS - 1
  /** The version at which each block of the ring changed last. */
  #changed = new Float64Array(LEAST_CELLS / BLOCK)
  /** The version that the next change gets. Only reads increase the version, so that a change costs only one write. */
  #version = 1
  #first: number
  #end: number
  readonly #peers: string[] = []
  readonly #places = new Map<string, number>()

  /** @param done - the number of leading chunks that are done by unknown peers */
  constructor(done = 0) {
    this.#first = firstOf(done)
    this.#end = this.#first
    this.add(done - this.#first)
    this.#fill(this.#first, done, DONE)
  }

  /** Makes a copy of the record of another peer. {@link apply} updates the copy. */
  static from(whole: ChunkChanges): ChunkRecord {
    const record = new ChunkRecord()
    record.#first = whole.first
    record.#end = whole.first
    record.apply(whole)
    return record
  }

  get first(): number {
    return this.#first
  }

  get end(): number {
    return this.#end
  }

  /** Bytes of the record, without the names of the peers. */
  get bytes(): number {
    return this.#codes.byteLength + this.#changed.byteLength
  }

  /** Adds `count` waiting chunks. */
  add(count: number): void {
    const from = this.#end
    this.#end += count
    this.#first = Math.max(this.#first, firstOf(this.#end))
    if (this.#end - blockStart(this.#first) > this.#codes.length) this.#grow(from)
    this.#fill(Math.max(from, this.#first), this.#end, WAITING)
  }

  /** Returns the code for {@link set} of a chunk that `peer` has. */
  givenTo(peer: string): number {
    const place = this.#place(peer)
    return place === undefined ? WAITING : GIVEN_TO_FIRST + 2 * place
  }

  /** Returns the code for {@link set} of a chunk that `peer` has done. */
  doneBy(peer: string): number {
    const place = this.#place(peer)
    return place === undefined ? DONE : DONE_BY_FIRST + 2 * place
  }

  /** Sets the code of a chunk. Does nothing if the chunk is not recorded. */
  set(index: number, code: number): void {
    if (index < this.#first || index >= this.#end) return
    const cell = index & this.#mask
    this.#codes[cell] = code
    this.#changed[cell >> BLOCK_BITS] = this.#version
  }

  /** Records that the job has ended: chunks that are not done count as waiting. */
  release(): void {
    for (let index = this.#first; index < this.#end; index++) {
      const code = this.#codes[index & this.#mask]!
      if (code >= GIVEN_TO_FIRST && code % 2 === 0) this.set(index, WAITING)
    }
  }

  /**
   * Returns the changes after a version. After 0 or an unknown version, returns the whole record. If there are several pieces,
   * a viewer keeps the version of the first piece: changes between two pieces are reported again later.
   *
   * @param from - the `next` of the previous piece, if that was incomplete
   * @param most - the approximate number of runs in one answer; at least 1
   */
  since(version: number, from = 0, most = Number.POSITIVE_INFINITY): ChunkChangesSince {
    const known = version < this.#version ? version : 0
    const runs: number[] = []
    let next: number | undefined
    for (let block = blockStart(Math.max(from, this.#first)); block < this.#end; block += BLOCK) {
      if (this.#changed[(block & this.#mask) >> BLOCK_BITS]! <= known) continue
      if (runs.length >= 3 * most) {
        next = block
        break
      }
      this.#appendRuns(runs, Math.max(block, this.#first), Math.min(block + BLOCK, this.#end))
    }
    // Changes after this read get a newer version.
    const told = this.#version++
    return { version: told, first: this.#first, end: this.#end, peers: this.#peers, runs, next }
  }

  /** Applies changes from another peer's record. */
  apply({ first, end, peers, runs }: ChunkChanges): void {
    this.add(Math.max(0, end - this.#end))
    this.#first = Math.max(this.#first, Math.min(first, this.#end))
    for (const peer of peers) this.#place(peer)
    for (let at = 0; at < runs.length; at += 3) {
      const start = Math.max(runs[at]!, this.#first)
      this.#fill(start, Math.min(runs[at]! + runs[at + 1]!, this.#end), runs[at + 2]!)
    }
  }

  #appendRuns(runs: number[], from: number, to: number): void {
    const codes = this.#codes
    const mask = this.#mask
    let last = runs.length - 3
    for (let index = from; index < to; index++) {
      const code = codes[index & mask]!
      if (last >= 0 && runs[last + 2] === code && runs[last]! + runs[last + 1]! === index) runs[last + 1]! += 1
      else last = runs.push(index, 1, code) - 3
    }
  }

  #fill(from: number, to: number, code: number): void {
    for (let start = from; start < to; ) {
      const cell = start & this.#mask
      const count = Math.min(to - start, this.#codes.length - cell)
      this.#codes.fill(code, cell, cell + count)
      this.#changed.fill(this.#version, cell >> BLOCK_BITS, ((cell + count - 1) >> BLOCK_BITS) + 1)
      start += count
    }
  }

  #place(peer: string): number | undefined {
    const known = this.#places.get(peer)
    if (known !== undefined) return known
    const place = this.#peers.length
    if (place === MOST_RECORDED_PEERS) return undefined
    if (DONE_BY_FIRST + 2 * place > LARGEST_BYTE && this.#codes instanceof Uint8Array)
      this.#codes = Uint16Array.from(this.#codes)
    this.#places.set(peer, place)
    this.#peers.push(peer)
    return place
  }

  /** Enlarges the ring to hold all recorded chunks. Moves the cells of the chunks before `to`. */
  #grow(to: number): void {
    let cells = this.#codes.length
    while (cells < MOST_RECORDED && cells < this.#end - blockStart(this.#first)) cells *= 2
    if (cells === this.#codes.length) return
    const codes = this.#codes instanceof Uint8Array ? new Uint8Array(cells) : new Uint16Array(cells)
    const changed = new Float64Array(cells / BLOCK)
    for (let block = blockStart(this.#first); block < to; block += BLOCK) {
      const cell = block & this.#mask
      codes.set(this.#codes.subarray(cell, cell + BLOCK), block & (cells - 1))
      changed[(block & (cells - 1)) >> BLOCK_BITS] = this.#changed[cell >> BLOCK_BITS]!
    }
    this.#codes = codes
    this.#changed = changed
    this.#mask = cells - 1
  }
}

/** Returns the lowest recorded index if `end` chunks are split. The index is at a block boundary, so that no two blocks share ring cells. */
function firstOf(end: number): number {
  return Math.max(0, Math.ceil((end - MOST_RECORDED) / BLOCK) * BLOCK)
}

function blockStart(index: number): number {
  return Math.floor(index / BLOCK) * BLOCK
}
