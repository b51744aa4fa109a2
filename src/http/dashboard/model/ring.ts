/** The positions of the peers in the ring. */
import type { ShownMember } from './model.ts'

/** Half the width of the picture. The middle of the picture is at 0, 0. */
export const HALF = 200

/** The number of peers up to which the names are upright. */
const MOST_UPRIGHT = 12
/** The number of peers up to which the names run outwards. */
const MOST_RADIAL = 72

/** The position of a name, relative to its peer. */
export interface Label {
  /**
   * The direction of the name. If the ring has few members, the names are upright and larger. If it has many, the names run outwards
   * from the middle. If it has too many, the names are hidden.
   */
  kind: 'upright' | 'radial' | 'none'
  anchor: 'start' | 'middle' | 'end'
  x: number
  y: number
  /** The rotation in degrees. */
  turn: number
}

export interface Place {
  member: ShownMember
  x: number
  y: number
  radius: number
  label: Label
}

/** Places the members in the order of their ids, so that a new leader moves no peer. */
export function places(members: readonly ShownMember[], leader: string | undefined): Place[] {
  const sorted = [...members].sort((a, b) => (a.peerId < b.peerId ? -1 : 1))
  const orbit = orbitOf(sorted.length)
  const between = (2 * Math.PI * orbit) / Math.max(1, sorted.length)
  const usual = Math.max(2.5, Math.min(11, between * 0.36))
  return sorted.map((member, index) => {
    const angle = (360 * index) / sorted.length
    const turn = (angle * Math.PI) / 180
    const isLeader = member.peerId === leader
    const radius = isLeader ? 1.7 * Math.max(usual, 6) : usual
    const hasName = sorted.length <= MOST_RADIAL || isLeader
    const label = hasName ? labelOf(angle, radius, sorted.length <= MOST_UPRIGHT) : NO_LABEL
    return { member, x: orbit * Math.sin(turn), y: -orbit * Math.cos(turn), radius, label }
  })
}

/** Returns the radius of the circle of `many` peers. The circle is smaller with upright names, which need room beside the circle. */
export function orbitOf(many: number): number {
  return HALF - (many <= MOST_UPRIGHT ? 90 : 74)
}

const NO_LABEL: Label = { kind: 'none', anchor: 'start', x: 0, y: 0, turn: 0 }

/** @param angle - clockwise from the top, in degrees */
function labelOf(angle: number, radius: number, isUpright: boolean): Label {
  const isLeft = angle > 180
  const side = isLeft ? -1 : 1
  if (!isUpright) {
    // Names in the left half are turned, so that no name is upside down.
    return {
      kind: 'radial',
      anchor: isLeft ? 'end' : 'start',
      x: side * (radius + 6),
      y: 0,
      turn: isLeft ? angle + 90 : angle - 90
    }
  }
  const turn = (angle * Math.PI) / 180
  const isBeside = Math.abs(Math.sin(turn)) > 0.4
  if (isBeside) return { kind: 'upright', anchor: isLeft ? 'end' : 'start', x: side * (radius + 7), y: 0, turn: 0 }
  return { kind: 'upright', anchor: 'middle', x: 0, y: -Math.sign(Math.cos(turn)) * (radius + 14), turn: 0 }
}
