/**
 * The members that a peer probes and stays connected to: all others in a small cluster, a bounded number in a large cluster. In a large cluster the
 * members are placed on several rings, each with a different order, and a member's neighbours are its successor and predecessor on each ring
 * (as in Rapid, Suresh et al. 2018, §4.1). So the relation is symmetric, all members have similarly many neighbours, and the graph is connected.
 */
import type { PeerIdString } from '../../network/types.ts'

/** The number of rings; a member has two neighbours on each ring. With 1,000 members, a path has at most five hops. */
const RINGS = 8
export const MOST_NEIGHBOURS = 2 * RINGS
/** The circumference of a ring. Positions are 32-bit numbers. */
const TURN = 2 ** 32

interface Neighbour {
  id: PeerIdString | undefined
  distance: number
}

export class Neighbours {
  readonly #self: PeerIdString
  readonly #fullMesh: number
  readonly #live = new Set<PeerIdString>()
  #rings: Rings | undefined
  #hasChanged = false

  /** @param fullMesh - the largest cluster, including this peer, in which all members are neighbours */
  constructor(self: PeerIdString, fullMesh: number) {
    this.#self = self
    this.#fullMesh = fullMesh
  }

  /** Records whether another member is live. */
  update(id: PeerIdString, live: boolean): void {
    if (id === this.#self || live === this.#live.has(id)) return
    if (live) this.#live.add(id)
    else this.#live.delete(id)
    const large = this.live > this.#fullMesh
    if (!large) {
      if (this.#rings !== undefined) this.#hasChanged = true
      this.#rings = undefined
    } else if (this.#rings === undefined || (!live && this.#rings.has(id))) {
      this.#rings = new Rings(this.#self)
      for (const other of this.#live) this.#rings.add(other)
      this.#hasChanged = true
    } else if (live && this.#rings.add(id)) {
      this.#hasChanged = true
    }
  }

  /** Whether the neighbours in a large cluster have changed since the last call, or the cluster has become large or small since the last call. */
  takeChange(): boolean {
    const hasChanged = this.#hasChanged
    this.#hasChanged = false
    return hasChanged
  }

  /** The number of live members, including this peer. */
  get live(): number {
    return this.#live.size + 1
  }

  /** Whether the cluster is large, so that not all other members are neighbours. */
  get isBounded(): boolean {
    return this.#rings !== undefined
  }

  ids(): PeerIdString[] {
    return this.#rings?.ids() ?? [...this.#live]
  }

  has(id: PeerIdString): boolean {
    return this.#rings?.has(id) ?? this.#live.has(id)
  }

  /** Returns the neighbours of another member, as this peer sees them and without this peer. */
  of(member: PeerIdString): PeerIdString[] {
    const others = [...this.#live].filter(id => id !== member)
    if (this.#rings === undefined) return others
    const rings = new Rings(member)
    for (const id of others) rings.add(id)
    rings.add(this.#self)
    return rings.ids().filter(id => id !== this.#self)
  }
}

/** The nearest members on both sides of one member, on each ring. */
class Rings {
  readonly #center: PeerIdString
  readonly #positions: readonly number[]
  /** The successor on each ring, then the predecessor on each ring. */
  readonly #neighbours: Neighbour[] = Array.from({ length: MOST_NEIGHBOURS }, () => ({
    id: undefined,
    distance: Number.POSITIVE_INFINITY
  }))

  constructor(center: PeerIdString) {
    this.#center = center
    const own = hash(center)
    this.#positions = Array.from({ length: RINGS }, (_, ring) => position(own, ring))
  }

  /** Places a member on the rings. Returns whether the member became a neighbour. */
  add(id: PeerIdString): boolean {
    const other = hash(id)
    let added = false
    for (let ring = 0; ring < RINGS; ring++) {
      const turn = (position(other, ring) - this.#positions[ring]!) >>> 0
      // Members with the same position are ordered by their ids.
      const distance = turn > 0 ? turn : id > this.#center ? 0 : TURN
      const isSuccessor = this.#place(ring, id, distance)
      const isPredecessor = this.#place(RINGS + ring, id, TURN - distance)
      added ||= isSuccessor || isPredecessor
    }
    return added
  }

  has(id: PeerIdString): boolean {
    return this.#neighbours.some(neighbour => neighbour.id === id)
  }

  ids(): PeerIdString[] {
    return [...new Set(this.#neighbours.flatMap(({ id }) => id ?? []))]
  }

  /** Makes the member a neighbour if it is nearer than the present neighbour. Returns whether the neighbour was replaced. */
  #place(index: number, id: PeerIdString, distance: number): boolean {
    const present = this.#neighbours[index]!
    if (distance > present.distance) return false
    if (distance === present.distance && present.id !== undefined) {
      // Both members are equally near. The member with the next id in this direction is the neighbour.
      if (index < RINGS ? id >= present.id : id <= present.id) return false
    }
    this.#neighbours[index] = { id, distance }
    return true
  }
}

/** Returns the hash of an id: FNV-1a over the characters, in 32 bits. */
function hash(id: PeerIdString): number {
  let value = 0x811c9dc5
  for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/** Returns the position of a hash on a ring. Each ring mixes the hash differently (the finalizer of MurmurHash3). */
function position(value: number, ring: number): number {
  let mixed = (value + Math.imul(ring + 1, 0x9e3779b9)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
