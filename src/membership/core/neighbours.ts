/**
 * With whom a peer keeps up: all others in a small cluster, a bounded number in a large one. There the members stand on
 * several rings, in an order of each ring's own, and a member's neighbours are those before and behind it on each (as in
 * Rapid, Suresh et al. 2018, §4.1). So neighbours agree that they are neighbours, every member has as many observers, and
 * the graph of all hangs together whoever fails.
 */
import type { PeerIdString } from '../../network/types.ts'

/** Two neighbours a ring. Then each of 1,000 members reaches all over five at most, and one of 16 probes a crashed one in a period or so. */
const RINGS = 8
export const MOST_NEIGHBOURS = 2 * RINGS
/** A whole turn of a ring; positions are 32 bits. */
const TURN = 2 ** 32

interface Side {
  id: PeerIdString | undefined
  distance: number
}

export class Neighbours {
  readonly #self: PeerIdString
  readonly #fullMesh: number
  readonly #live = new Set<PeerIdString>()
  #rings: Rings | undefined
  /** Grows with each change of the neighbours in a large cluster, and when it becomes one or ceases to be. */
  version = 0

  /** Up to `fullMesh` members, this peer included, all are neighbours. */
  constructor(self: PeerIdString, fullMesh: number) {
    this.#self = self
    this.#fullMesh = fullMesh
  }

  /** Takes whether another member is live. */
  update(id: PeerIdString, live: boolean): void {
    if (id === this.#self || live === this.#live.has(id)) return
    if (live) this.#live.add(id)
    else this.#live.delete(id)
    const large = this.live > this.#fullMesh
    if (!large) {
      if (this.#rings !== undefined) this.version += 1
      this.#rings = undefined
    } else if (this.#rings === undefined || (!live && this.#rings.has(id))) {
      this.#rings = new Rings(this.#self)
      for (const other of this.#live) this.#rings.add(other)
      this.version += 1
    } else if (live && this.#rings.add(id)) {
      this.version += 1
    }
  }

  /** How many members are live, this peer included. */
  get live(): number {
    return this.#live.size + 1
  }

  /** Whether the cluster is so large that not all others are neighbours. */
  get isBounded(): boolean {
    return this.#rings !== undefined
  }

  ids(): PeerIdString[] {
    return this.#rings?.ids() ?? [...this.#live]
  }

  has(id: PeerIdString): boolean {
    return this.#rings?.has(id) ?? this.#live.has(id)
  }

  /** Another member's neighbours, as this peer sees it; without this peer. */
  of(member: PeerIdString): PeerIdString[] {
    const others = [...this.#live].filter(id => id !== member)
    if (this.#rings === undefined) return others
    const rings = new Rings(member)
    for (const id of others) rings.add(id)
    rings.add(this.#self)
    return rings.ids().filter(id => id !== this.#self)
  }
}

/** One member's place on the rings: who is next to it. */
class Rings {
  readonly #center: PeerIdString
  readonly #positions: readonly number[]
  readonly #behind: Side[] = Array.from({ length: RINGS }, () => ({
    id: undefined,
    distance: Number.POSITIVE_INFINITY
  }))
  readonly #before: Side[] = Array.from({ length: RINGS }, () => ({
    id: undefined,
    distance: Number.POSITIVE_INFINITY
  }))

  constructor(center: PeerIdString) {
    this.#center = center
    const own = hash(center)
    this.#positions = Array.from({ length: RINGS }, (_, ring) => position(own, ring))
  }

  /** Puts a member on the rings; says whether it became a neighbour. */
  add(id: PeerIdString): boolean {
    const other = hash(id)
    let added = false
    for (let ring = 0; ring < RINGS; ring++) {
      const turn = (position(other, ring) - this.#positions[ring]!) >>> 0
      // Who shares a position stands in the order of the ids.
      const distance = turn > 0 ? turn : id > this.#center ? 0 : TURN
      if (nearer(this.#behind[ring]!, distance, id, 1)) {
        this.#behind[ring] = { id, distance }
        added = true
      }
      if (nearer(this.#before[ring]!, TURN - distance, id, -1)) {
        this.#before[ring] = { id, distance: TURN - distance }
        added = true
      }
    }
    return added
  }

  has(id: PeerIdString): boolean {
    return this.#behind.some(side => side.id === id) || this.#before.some(side => side.id === id)
  }

  ids(): PeerIdString[] {
    const ids = new Set<PeerIdString>()
    for (const { id } of [...this.#behind, ...this.#before]) if (id !== undefined) ids.add(id)
    return [...ids]
  }
}

function nearer(held: Side, distance: number, id: PeerIdString, direction: 1 | -1): boolean {
  if (distance !== held.distance || held.id === undefined) return distance < held.distance
  return direction === 1 ? id < held.id : id > held.id
}

/** FNV-1a over the characters, in 32 bits. */
function hash(id: PeerIdString): number {
  let value = 0x811c9dc5
  for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/** Where a hash stands on a ring: mixed anew for each (the finalizer of MurmurHash3). */
function position(value: number, ring: number): number {
  let mixed = (value + Math.imul(ring + 1, 0x9e3779b9)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
