import type { PeerIdString } from '../../network/types.ts'
import { type Coordinator, compareLeaderships } from './messages.ts'

/** The other live leaders that a leader has heard of, as after a cut. */
export class Rivals {
  readonly #known = new Map<PeerIdString, Coordinator>()

  /** Takes another leadership, next to the `own`; whether it is news. */
  add(rival: Coordinator, own: Coordinator | undefined): boolean {
    const isOver = own?.goAheads.some(({ from, fromEpoch }) => from === rival.leader && fromEpoch >= rival.epoch)
    const known = this.#known.get(rival.leader)
    if (isOver || (known !== undefined && compareLeaderships(rival, known) <= 0)) return false
    this.#known.set(rival.leader, rival)
    return true
  }

  delete(id: PeerIdString): void {
    this.#known.delete(id)
  }

  clear(): void {
    this.#known.clear()
  }

  has(id: PeerIdString): boolean {
    return this.#known.has(id)
  }

  epochOf(id: PeerIdString): number | undefined {
    return this.#known.get(id)?.epoch
  }

  all(): Iterable<Coordinator> {
    return this.#known.values()
  }

  get size(): number {
    return this.#known.size
  }
}
