/**
 * Chunks and partials that workers retain from earlier leaderships, until the new leader knows their jobs. The new
 * leader first has to read the journals and split the chunks again. A chunk is reattached if an earlier leader of the
 * job has signed the batch of the chunk for this worker, and the digest of the chunk is unchanged.
 */

import { DEFAULT_LIMITS } from '../../common/limits.ts'
import type { PeerIdString } from '../../network/types.ts'
import { DIGEST_BYTES } from '../../tasks/execute/checkpoint.ts'
import type { BatchSeal } from '../protocol/batch-seal.ts'
import type { InFlightMessage } from '../protocol/work-messages.ts'
import type { OfferedChunk } from '../scheduler/index.ts'

/**
 * The limit of the chunks in the batches of one worker's offers, as a multiple of the chunks that the worker may offer. An offer
 * names its whole batch, with all digests.
 */
const NAMED_PER_OFFERED = 4

/** A job that resumes. */
export interface ResumedJob {
  id: string
  sha256: string
  /** Whether `leader` has led the job under `epoch`. */
  wasLedBy(leader: PeerIdString, epoch: number): boolean
  /** The index before which all chunks have been split or need no split. */
  readonly splitEnd: number
  /** Returns the digest of a chunk from the present split. Returns `undefined` if the leader has the partial of the chunk. */
  digestOf(index: number): Uint8Array | undefined
}

/** The offered chunks after the check of their seals and digests. */
export interface Matched {
  /** The chunks of genuine offers. */
  chunks: OfferedChunk[]
  /** The chunks of forged or useless offers. */
  refused: OfferedChunk[]
}

/** The offers in one message of an admitted worker. */
interface Offered {
  worker: PeerIdString
  offer: InFlightMessage
  lists: OfferedList[]
  /** The position of each chunk in its batch. Built only when a chunk is not near the previous chunk. */
  positions?: Map<number, number>
  /** Number of chunks that are neither matched nor refused yet (unsettled). */
  left: number
}

/** The chunks of a message in one state, in index order. The chunks before the position `next` are settled. */
interface OfferedList {
  state: OfferedChunk['state']
  indices: readonly number[]
  /** Bytes of each partial. Set only in the state `held`. */
  sizes: readonly number[] | undefined
  next: number
  /** The batch position of the last settled chunk. */
  position: number
}

/** The offers for one job. */
interface JobOffers {
  /** The offers by shelf. A shelf is a range of SHELF consecutive chunk indices. */
  shelves: Map<number, Set<Offered>>
  /** The index below which all offers are settled, except the offers of workers that were admitted later. */
  settled: number
}

/**
 * The number of chunks on a shelf. It is so large that a batch of small chunks is on few shelves, and so small that few one-chunk
 * batches share a shelf.
 */
const SHELF = 256
/** The number of batch positions that are searched before all positions are indexed. */
const NEAR = 16

export class RetainedPartials {
  readonly #seal: BatchSeal
  readonly #jobs = new Map<string, JobOffers>()
  readonly #byWorker = new Map<PeerIdString, Map<string, Offered[]>>()
  /** Number of unsettled chunks of each worker. */
  readonly #counts = new Map<PeerIdString, number>()
  /** The offers of workers that have not sent their hello yet. */
  readonly #early = new Map<PeerIdString, { offers: InFlightMessage[]; named: number }>()
  /** The result of each check whether the seal of a batch is genuine. */
  readonly #genuine = new WeakMap<InFlightMessage, boolean>()

  /** The largest number of chunks that one worker may offer. Further chunks are computed again. */
  readonly #most: number

  constructor(seal: BatchSeal, most: number = DEFAULT_LIMITS.offeredChunks) {
    this.#seal = seal
    this.#most = most
  }

  /** Returns the jobs that one worker, or any worker, has offered chunks of. The list of one worker may include settled jobs. */
  jobs(worker?: PeerIdString): string[] {
    return [...((worker === undefined ? this.#jobs : this.#byWorker.get(worker))?.keys() ?? [])]
  }

  /** Whether some offer of the worker is not settled yet. */
  hasOffers(worker: PeerIdString): boolean {
    return (this.#counts.get(worker) ?? 0) > 0
  }

  /** Adds an offer. The offer does not count before the worker is admitted. */
  add(worker: PeerIdString, offer: InFlightMessage): void {
    const early = this.#early.get(worker) ?? { offers: [], named: 0 }
    const { retained, running, waiting } = offer
    const count = (this.#counts.get(worker) ?? 0) + retained.length + running.length + waiting.length
    const named = early.named + offer.batch.indices.length
    if (count > this.#most || named > NAMED_PER_OFFERED * this.#most) return
    this.#counts.set(worker, count)
    early.named = named
    early.offers.push(offer)
    this.#early.set(worker, early)
  }

  /** Admits a worker that has made all its offers and can now get chunks. */
  admit(worker: PeerIdString): void {
    const offers = this.#early.get(worker)?.offers ?? []
    this.#early.delete(worker)
    const ofWorker = this.#byWorker.get(worker) ?? new Map<string, Offered[]>()
    if (offers.length > 0) this.#byWorker.set(worker, ofWorker)
    for (const offer of offers) {
      const { job } = offer
      const lists = [
        listOf('held', offer.retained, offer.sizes),
        listOf('running', offer.running),
        listOf('waiting', offer.waiting)
      ]
      const left = lists.reduce((sum, { indices }) => sum + indices.length, 0)
      if (left === 0) continue
      const offered = { worker, offer, lists, left }
      const ofJob = ofWorker.get(job)
      if (ofJob === undefined) ofWorker.set(job, [offered])
      else ofJob.push(offered)
      const { shelves } = this.#jobs.get(job) ?? this.#open(job)
      for (const shelf of shelvesOf(offer)) {
        const others = shelves.get(shelf)
        if (others === undefined) shelves.set(shelf, new Set([offered]))
        else others.add(offered)
      }
    }
  }

  /**
   * Removes and checks the offers for chunks of the job that were split since the last call. With `worker`, removes and checks all
   * offers of this worker.
   */
  match(job: ResumedJob, worker?: PeerIdString): Matched {
    const matched: Matched = { chunks: [], refused: [] }
    const taken = worker === undefined ? this.#take(job.id, job.splitEnd) : this.#takeFrom(worker, job.id, job.splitEnd)
    for (const { chunk, offered, position } of taken) {
      const digest = job.digestOf(chunk.index)
      const isSame = digest !== undefined && isDigestAt(offered.offer, position, digest)
      const isMatch = isSame && this.#isGenuine(job, offered)
      matched[isMatch ? 'chunks' : 'refused'].push(chunk)
    }
    return matched
  }

  /** Removes the offers for chunks of the job before `end`. Returns these chunks as refused. */
  refuse(job: string, end = Number.POSITIVE_INFINITY): OfferedChunk[] {
    return this.#take(job, end).map(({ chunk }) => chunk)
  }

  /** Removes all offers for a job. Returns the workers that made the offers. */
  drop(job: string): Set<PeerIdString> {
    const offers = new Set<Offered>()
    for (const shelf of this.#jobs.get(job)?.shelves.values() ?? []) for (const offered of shelf) offers.add(offered)
    const workers = new Set<PeerIdString>()
    for (const offered of offers) {
      workers.add(offered.worker)
      this.#count(offered.worker, -offered.left)
    }
    this.#jobs.delete(job)
    for (const worker of workers) this.#byWorker.get(worker)?.delete(job)
    return workers
  }

  /** Removes all offers of a worker that is gone or repeats all its offers. */
  forgetWorker(worker: PeerIdString): void {
    this.#early.delete(worker)
    for (const [job, offers] of this.#byWorker.get(worker) ?? [])
      for (const offered of offers) this.#takeOff(job, offered)
    this.#byWorker.delete(worker)
    this.#counts.delete(worker)
  }

  #open(job: string): JobOffers {
    const opened = { shelves: new Map<number, Set<Offered>>(), settled: 0 }
    this.#jobs.set(job, opened)
    return opened
  }

  #takeOff(job: string, offered: Offered): void {
    const shelves = this.#jobs.get(job)?.shelves
    if (shelves === undefined) return
    for (const shelf of shelvesOf(offered.offer)) {
      const others = shelves.get(shelf)
      others?.delete(offered)
      if (others?.size === 0) shelves.delete(shelf)
    }
    if (shelves.size === 0) this.#jobs.delete(job)
  }

  #take(job: string, end: number): Taken[] {
    const offers = this.#jobs.get(job)
    if (offers === undefined) return []
    const { shelves } = offers
    const first = Math.floor(offers.settled / SHELF)
    offers.settled = Math.max(offers.settled, end)
    const taken: Taken[] = []
    for (const shelf of keysBetween(shelves, first, end / SHELF))
      for (const offered of shelves.get(shelf) ?? []) taken.push(...this.#settle(offered, end))
    return taken.sort((a, b) => a.chunk.index - b.chunk.index)
  }

  #takeFrom(worker: PeerIdString, job: string, end: number): Taken[] {
    return (this.#byWorker.get(worker)?.get(job) ?? []).flatMap(offered => this.#settle(offered, end))
  }

  /** Settles and returns the chunks of an offer before `end`. */
  #settle(offered: Offered, end: number): Taken[] {
    const { worker, offer, lists } = offered
    const taken: Taken[] = []
    for (const list of lists) {
      const { state, indices, sizes } = list
      for (; list.next < indices.length && indices[list.next]! < end; list.next++) {
        const index = indices[list.next]!
        list.position = positionOf(offered, index, list.position)
        taken.push({
          chunk: { worker, index, state, size: sizes?.[list.next] ?? 0 },
          offered,
          position: list.position
        })
      }
    }
    this.#count(worker, -taken.length)
    offered.left -= taken.length
    if (offered.left === 0) this.#takeOff(offer.job, offered)
    return taken
  }

  #count(worker: PeerIdString, by: number): void {
    const count = (this.#counts.get(worker) ?? 0) + by
    if (count > 0) this.#counts.set(worker, count)
    else {
      this.#counts.delete(worker)
      this.#byWorker.delete(worker)
    }
  }

  #isGenuine(job: ResumedJob, { worker, offer }: Offered): boolean {
    let known = this.#genuine.get(offer)
    if (known === undefined) {
      const { leader, epoch, indices, digests, seal } = offer.batch
      const terms = { job: offer.job, sha256: offer.sha256, worker, epoch, indices, digests }
      known = offer.sha256 === job.sha256 && job.wasLedBy(leader, epoch) && this.#seal.isGenuine(leader, terms, seal)
      this.#genuine.set(offer, known)
    }
    return known
  }
}

interface Taken {
  chunk: OfferedChunk
  offered: Offered
  /** Returns the position of the chunk in the batch that the worker was given. */
  position: number
}

function listOf(state: OfferedChunk['state'], indices: readonly number[], sizes?: readonly number[]): OfferedList {
  const list = { state, indices, sizes, next: 0, position: 0 }
  if (indices.every((index, i) => i === 0 || indices[i - 1]! <= index)) return list
  const order = indices.map((_, i) => i).sort((a, b) => indices[a]! - indices[b]!)
  return { ...list, indices: order.map(i => indices[i]!), sizes: sizes && order.map(i => sizes[i]!) }
}

/** Returns the position of the chunk in its batch. The position is usually close after the position of the previous chunk. */
function positionOf(offered: Offered, index: number, from: number): number {
  const { indices } = offered.offer.batch
  for (let at = from; at < Math.min(from + NEAR, indices.length); at++) if (indices[at] === index) return at
  offered.positions ??= new Map(indices.map((index, at) => [index, at]))
  return offered.positions.get(index)!
}

function shelvesOf({ retained, running, waiting }: InFlightMessage): number[] {
  const shelves = new Set<number>()
  for (const indices of [retained, running, waiting]) {
    let last: number | undefined
    for (const index of indices) {
      const shelf = Math.floor(index / SHELF)
      if (shelf !== last) shelves.add(shelf)
      last = shelf
    }
  }
  return [...shelves]
}

/** Returns the keys from `first` to `end`, in any order. Iterates over the smaller of the range and the map. */
function keysBetween(map: ReadonlyMap<number, unknown>, first: number, end: number): number[] {
  if (end - first > map.size) return [...map.keys()].filter(key => key < end)
  const keys: number[] = []
  for (let key = first; key < end; key++) if (map.has(key)) keys.push(key)
  return keys
}

function isDigestAt({ batch }: InFlightMessage, position: number, digest: Uint8Array): boolean {
  const at = position * DIGEST_BYTES
  return digest.length === DIGEST_BYTES && digest.every((byte, i) => byte === batch.digests[at + i])
}
