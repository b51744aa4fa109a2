/**
 * The state of each chunk of a job, as `/api/chunks/JOBID` reports it. Each chunk has a code: 0 for waiting, 1 for done
 * by an unknown peer, 2+2p for assigned to peer p of the table, and 3+2p for done by peer p.
 */
import type { WireChunks } from './wire.ts'

export const WAITING = 0
export const DONE = 1

/** Returns the index in the table of the peer that a code names, or undefined if the code names no peer. */
export function peerOf(code: number): number | undefined {
  return code < 2 ? undefined : (code - 2) >> 1
}

export function isDone(code: number): boolean {
  return (code & 1) === 1
}

/** The first index of a range, and its length. */
export interface Range {
  start: number
  length: number
}

export class ChunkMap {
  /** The lowest index of a recorded chunk. */
  first = 0
  /** The number of chunks into which the job is already split. */
  end = 0
  peers: readonly string[] = []
  /** The number of chunks with each code. */
  readonly #counts = new Map<number, number>()
  /** The codes from `#base` on. */
  #codes = new Uint32Array(1_024)
  #base = 0

  /** @returns the changed ranges, or undefined when all chunks may have changed */
  apply({ reset, first, end, peers, runs }: WireChunks): Range[] | undefined {
    if (reset) {
      this.#counts.clear()
      this.#codes.fill(WAITING)
      this.#base = first
      this.first = first
      this.end = first
    }
    this.peers = peers
    const changed: Range[] = end > this.end ? [{ start: this.end, length: end - this.end }] : []
    this.#grow(Math.max(first, this.first), end)
    for (let at = 0; at + 2 < runs.length; at += 3) {
      const [start, length] = this.#set(runs[at]!, runs[at + 1]!, runs[at + 2]!)
      if (length > 0) changed.push({ start, length })
    }
    return reset ? undefined : changed
  }

  codeOf(index: number): number {
    return index < this.first || index >= this.end ? WAITING : this.#codes[index - this.#base]!
  }

  /** Returns the numbers of recorded chunks that a peer of the table has done, and that are assigned to this peer. */
  countOf(peer: number): { done: number; given: number } {
    return { done: this.#counts.get(3 + 2 * peer) ?? 0, given: this.#counts.get(2 + 2 * peer) ?? 0 }
  }

  get waiting(): number {
    return this.#counts.get(WAITING) ?? 0
  }

  /** The number of done chunks whose peer is unknown. */
  get doneBefore(): number {
    return this.#counts.get(DONE) ?? 0
  }

  #count(code: number, by: number): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + by)
  }

  /** Makes room for the chunks from `first` to `end`, and forgets earlier chunks. New chunks are waiting. */
  #grow(first: number, end: number): void {
    for (let index = this.first; index < Math.min(first, this.end); index++) this.#count(this.codeOf(index), -1)
    const kept = Math.max(first, this.first)
    if (end - this.#base > this.#codes.length) {
      const room =
        end - kept > this.#codes.length / 2 ? Math.max(end - kept, 2 * this.#codes.length) : this.#codes.length
      const codes = new Uint32Array(room)
      codes.set(this.#codes.subarray(kept - this.#base, Math.max(kept, this.end) - this.#base))
      this.#codes = codes
      this.#base = kept
    }
    const grown = end - Math.max(this.end, kept)
    if (grown > 0) this.#count(WAITING, grown)
    this.first = kept
    this.end = Math.max(this.end, end)
  }

  /** @returns the range that has really changed, because most chunks of a received run are often unchanged */
  #set(from: number, many: number, code: number): [start: number, length: number] {
    const stop = Math.min(from + many, this.end)
    let [start, end] = [stop, stop]
    for (let index = Math.max(from, this.first); index < stop; index++) {
      const before = this.#codes[index - this.#base]!
      if (before === code) continue
      this.#count(before, -1)
      this.#count(code, 1)
      this.#codes[index - this.#base] = code
      start = Math.min(start, index)
      end = index + 1
    }
    return [start, end - start]
  }
}
