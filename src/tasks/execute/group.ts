/** Neighbouring chunks are combined in fixed groups (0 to 15, 16 to 31, …), so that every peer computes the same result. */
export const CHUNKS_A_GROUP = 16

/** The longest group (ms) that one thread of one worker gets as a whole. */
const SHORT_GROUP = 200

/** The first chunk of the group of a chunk. */
export function groupOf(index: number): number {
  return index - (index % CHUNKS_A_GROUP)
}

/** Whether a chunk is the last one of a full group. */
export function endsGroup(index: number): boolean {
  return index % CHUNKS_A_GROUP === CHUNKS_A_GROUP - 1
}

/** @param duration - the duration of a chunk in ms, if known */
export function isGroupShort(duration: number | undefined): boolean {
  return duration !== undefined && duration * CHUNKS_A_GROUP <= SHORT_GROUP
}
