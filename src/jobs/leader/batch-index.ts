import { IndexMap } from '../../lib/index-map.ts'
import type { IndexedPack, OwnPack, Pack } from '../../tasks/values/pack.ts'

/** Values that arrived in one pack. */
interface Piece<Origin> {
  pack: Pack
  /** The offset of each value. The last element is the end of the last value. */
  offsets: Float64Array
  origin: Origin
}

/**
 * The encoded values of one job by chunk index. The values stay in the packs in which they arrived, because one object for
 * each of a million values would use too much memory.
 *
 * @typeParam Origin - the data that is stored with a whole pack, for example its sender
 */
export class BatchIndex<Origin> {
  readonly #pieces = new IndexMap<Piece<Origin>>()
  readonly #positions = new IndexMap<number>()

  /** Returns the origin of the pack that contains the value, and the position of the value in that pack. */
  whence(index: number): { origin: Origin; position: number } | undefined {
    const piece = this.#pieces.get(index)
    return piece && { origin: piece.origin, position: this.#positions.get(index)! }
  }

  /** Returns the indices of all stored values from `first` to `end` (exclusive), in order. */
  indices(first: number, end: number): number[] {
    const found: number[] = []
    for (let index = first; index < end; index++) if (this.#positions.has(index)) found.push(index)
    return found
  }

  /** Returns the number of bytes of a stored value. */
  byteLengthOf(index: number): number {
    const { offsets } = this.#pieces.get(index)!
    const position = this.#positions.get(index)!
    return offsets[position + 1]! - offsets[position]!
  }

  /** Adds the values at these positions of a pack. Without `positions`, adds all values of the pack. */
  add({ indices, ...pack }: IndexedPack, origin: Origin, positions?: readonly number[]): void {
    const piece: Piece<Origin> = { pack, offsets: offsetsOf(pack), origin }
    const count = positions?.length ?? indices.length
    for (let i = 0; i < count; i++) {
      const position = positions === undefined ? i : positions[i]!
      this.#pieces.set(indices[position]!, piece)
      this.#positions.set(indices[position]!, position)
    }
  }

  delete(index: number): void {
    this.#pieces.delete(index)
    this.#positions.delete(index)
  }

  clear(): void {
    this.#pieces.clear()
    this.#positions.clear()
  }

  /** Returns the same values as {@link gather}, in a new buffer that the caller may transfer. */
  gatherOwn(
    indices: readonly number[],
    each: (origin: Origin, position: number, count: number) => void = () => {}
  ): OwnPack {
    const { lengths, parts } = this.#partsOf(indices, each)
    return { lengths, bytes: joined(parts) }
  }

  /**
   * Returns these values, which must all be stored. The result may share memory with a stored pack, so the caller must not change or transfer it.
   *
   * @param each - called for each run of consecutive values of one pack
   */
  gather(indices: readonly number[], each: (origin: Origin, position: number, count: number) => void = () => {}): Pack {
    const { lengths, parts } = this.#partsOf(indices, each)
    return { lengths, bytes: parts.length === 1 ? parts[0]! : joined(parts) }
  }

  #partsOf(
    indices: readonly number[],
    each: (origin: Origin, position: number, count: number) => void
  ): { lengths: Uint32Array<ArrayBuffer>; parts: Uint8Array[] } {
    const lengths = new Uint32Array(indices.length)
    const parts: Uint8Array[] = []
    for (let i = 0; i < indices.length; ) {
      const piece = this.#pieces.get(indices[i]!)!
      const { offsets } = piece
      const first = this.#positions.get(indices[i]!)!
      let next = first
      do {
        lengths[i++] = offsets[next + 1]! - offsets[next]!
        next += 1
      } while (
        i < indices.length &&
        this.#pieces.get(indices[i]!) === piece &&
        this.#positions.get(indices[i]!) === next
      )
      parts.push(piece.pack.bytes.subarray(offsets[first], offsets[next]))
      each(piece.origin, first, next - first)
    }
    return { lengths, parts }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}

function offsetsOf({ lengths }: Pack): Float64Array {
  const offsets = new Float64Array(lengths.length + 1)
  for (let i = 0; i < lengths.length; i++) offsets[i + 1] = offsets[i]! + lengths[i]!
  return offsets
}
