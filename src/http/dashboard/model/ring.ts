/** Where the peers stand in the ring. */
import type { ShownMember } from './model.ts'

/** Half of the picture's side; the middle is 0, 0. */
export const HALF = 200

/** Beyond, the labels would cover each other. */
const MOST_LABELS = 72

export interface Place {
  member: ShownMember
  x: number
  y: number
  /** Clockwise from the top, in degrees. */
  angle: number
  radius: number
  /** Whether there is room for its name. */
  hasLabel: boolean
}

/** By their ids, so that nobody moves when another one takes the lead. */
export function places(members: readonly ShownMember[], leader: string | undefined): Place[] {
  const sorted = [...members].sort((a, b) => (a.peerId < b.peerId ? -1 : 1))
  const orbit = HALF - 74
  const between = (2 * Math.PI * orbit) / Math.max(1, sorted.length)
  const radius = Math.max(2.5, Math.min(11, between * 0.36))
  return sorted.map((member, index) => {
    const angle = (360 * index) / sorted.length
    const turn = (angle * Math.PI) / 180
    return {
      member,
      x: orbit * Math.sin(turn),
      y: -orbit * Math.cos(turn),
      angle,
      radius,
      hasLabel: sorted.length <= MOST_LABELS || member.peerId === leader
    }
  })
}
