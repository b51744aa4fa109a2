/** How neighbouring chunks are combined: 0 to 15, 16 to 31, …; always the same, so that whoever combines them, the same comes out. */
export const CHUNKS_A_GROUP = 16

/** One worker, and there one thread, is given a whole group where that takes it no longer than this (ms). */
const SHORT_GROUP = 200

/** The first chunk of the group of a chunk. */
export function groupOf(index: number): number {
  return index - (index % CHUNKS_A_GROUP)
}

/** Whether it is the last chunk of its group, should the job have that many. */
export function endsGroup(index: number): boolean {
  return index % CHUNKS_A_GROUP === CHUNKS_A_GROUP - 1
}

/** @param duration what a chunk takes, in ms, if that is known */
export function isGroupShort(duration: number | undefined): boolean {
  return duration !== undefined && duration * CHUNKS_A_GROUP <= SHORT_GROUP
}
