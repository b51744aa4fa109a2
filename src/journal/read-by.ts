import type { PeerIdString } from '../network/types.ts'

/** So many leaderships are remembered. */
const REMEMBERED = 256

/** The leaderships that have read the journal that a peer keeps, the last ones: only these can have written to it. */
export class ReadBy {
  readonly #known = new Set<string>()

  add(leader: PeerIdString, epoch: number): void {
    const key = `${epoch} ${leader}`
    this.#known.delete(key)
    this.#known.add(key)
    for (const oldest of this.#known) {
      if (this.#known.size <= REMEMBERED) break
      this.#known.delete(oldest)
    }
  }

  has(leader: PeerIdString, epoch: number): boolean {
    return this.#known.has(`${epoch} ${leader}`)
  }
}
