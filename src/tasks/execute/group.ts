/** The number of chunks in a group. The groups are fixed (chunks 0 to 15, 16 to 31, …), so that every peer combines the same partials. */
export const CHUNKS_A_GROUP = 16

/** The longest duration (ms) of a group that one thread of one worker gets as a whole. */
const SHORT_GROUP = 200

/** The index of the first chunk in the group that contains the chunk. */
export function groupOf(index: number): number {
  return index - (index % CHUNKS_A_GROUP)
}

/** Whether a chunk is the last chunk of a full group. */
export function endsGroup(index: number): boolean {
  return index % CHUNKS_A_GROUP === CHUNKS_A_GROUP - 1
}

/** @param duration - the duration of a chunk in ms, if known */
export function isGroupShort(duration: number | undefined): boolean {
  return duration !== undefined && duration * CHUNKS_A_GROUP <= SHORT_GROUP
}
