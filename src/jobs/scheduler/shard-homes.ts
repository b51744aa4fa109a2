import type { PeerIdString } from '../../network/types.ts'

/** Of an iteration: which worker has run each shard last, so that it gets it in the next round, too. */
export class ShardHomes {
  /** Chunks in a round; undefined: it is no iteration. */
  roundOf: number | undefined
  readonly #homes = new Map<number, PeerIdString>()

  /** A worker has run a chunk, so it has the shard. */
  ran(index: number, worker: PeerIdString): void {
    if (this.roundOf !== undefined) this.#homes.set(index % this.roundOf, worker)
  }

  /** Whether it is a chunk whose shard this worker has; of a job that is no iteration all chunks are. */
  isAt(index: number, worker: PeerIdString): boolean {
    return this.roundOf === undefined || this.#homes.get(index % this.roundOf) === worker
  }
}
