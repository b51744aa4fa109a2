/**
 * The encoding of the combined partials of a group. The first partial is the combined value. The other partials have 0
 * bytes, which a real partial never has. So each chunk has an outcome, and no peer has to keep a list of groups.
 */
import { CHUNKS_A_GROUP, groupOf } from '../../tasks/execute/group.ts'
import { type IndexedPack, pack } from '../../tasks/values/pack.ts'

/** The chunks in one message of a worker, and the bytes of their partials. */
interface Sent {
  indices: readonly number[]
  sizes: ArrayLike<number>
}

/**
 * Replaces the partials of combined groups by their combined values. The partials of each group must be complete and
 * consecutive.
 */
export function withCombined(partials: IndexedPack, combined: IndexedPack): IndexedPack {
  const { indices } = partials
  const lengths = Uint32Array.from(partials.lengths)
  const parts: Uint8Array[] = []
  let at = 0
  let combinedAt = 0
  for (let i = 0, group = 0; i < indices.length; ) {
    if (group === combined.indices.length || indices[i] !== combined.indices[group]) {
      const from = at
      // Copies the longest run of uncombined partials at once.
      do at += lengths[i++]!
      while (i < indices.length && indices[i] !== combined.indices[group])
      parts.push(partials.bytes.subarray(from, at))
      continue
    }
    const end = combinedAt + combined.lengths[group]!
    parts.push(combined.bytes.subarray(combinedAt, end))
    for (let k = 0; k < CHUNKS_A_GROUP; k++) at += partials.lengths[i + k]!
    lengths.fill(0, i, i + CHUNKS_A_GROUP)
    lengths[i] = end - combinedAt
    combinedAt = end
    i += CHUNKS_A_GROUP
    group += 1
  }
  return { indices, lengths, bytes: pack(parts).bytes }
}

/** Returns the position where the group of this partial begins. Returns `undefined` unless the whole group is present and combined. */
export function combinedAt({ indices, sizes }: Sent, position: number): number | undefined {
  const index = indices[position]!
  const first = groupOf(index)
  const start = position - (index - first)
  if (indices[start] !== first || sizes[start] === 0) return undefined
  for (let i = 1; i < CHUNKS_A_GROUP; i++)
    if (indices[start + i] !== first + i || sizes[start + i] !== 0) return undefined
  return start
}

/**
 * Returns the first chunk of each combined group that must not count, because another worker has some chunks of the group
 * now. A combined value cannot be separated by chunk.
 *
 * @param counts - whether a chunk counts from this sender
 */
export function tornGroups(sent: Sent, counts: (index: number) => boolean): Set<number> {
  const torn = new Set<number>()
  const whole = new Set<number>()
  for (let position = 0; position < sent.indices.length; position++) {
    if (sent.sizes[position] !== 0) continue
    const group = groupOf(sent.indices[position]!)
    if (torn.has(group) || whole.has(group)) continue
    const isWhole = combinedAt(sent, position) !== undefined && allOf(group, counts)
    if (isWhole) whole.add(group)
    else torn.add(group)
  }
  return torn
}

function allOf(group: number, counts: (index: number) => boolean): boolean {
  for (let i = 0; i < CHUNKS_A_GROUP; i++) if (!counts(group + i)) return false
  return true
}
