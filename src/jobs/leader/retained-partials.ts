/**
 * What workers retain from earlier leaderships, until the new leader knows which job it belongs to: it has to read the job from the journals and to
 * split its chunks again. A chunk is reattached if an earlier leader of the job has signed the batch for this worker, and the chunk's digest
 * is still the same.
 */

import { DEFAULT_LIMITS } from '../../common/limits.ts'
import type { PeerIdString } from '../../network/types.ts'
import { DIGEST_BYTES } from '../../tasks/execute/checkpoint.ts'
import type { BatchSeal } from '../protocol/batch-seal.ts'
import type { InFlightMessage } from '../protocol/work-messages.ts'
import type { OfferedChunk } from '../scheduler/index.ts'

/** Chunks of all batches of which a worker offers some, for each that it may offer: every one is named, with its digest. */
const NAMED_PER_OFFERED = 4

/** What is known of a job that goes on. */
export interface ResumedJob {
  id: string
  sha256: string
  /** Whether that leader has led the job under that epoch. */
  wasLedBy(leader: PeerIdString, epoch: number): boolean
  /** The chunks before it have been split, or need not be. */
  readonly splitEnd: number
  /** Of a chunk as it was split now; undefined: its partial is there. */
  digestOf(index: number): Uint8Array | undefined
}

/** What came of some offers. */
export interface Matched {
  /** They are what they say. */
  chunks: OfferedChunk[]
  /** They are not, or are of no use. */
  refused: OfferedChunk[]
}

/** One message of a worker that was admitted. */
interface Offered {
  worker: PeerIdString
  offer: InFlightMessage
  lists: OfferedList[]
  /** Where in the batch each chunk is; made when one is not near the one before it. */
  positions?: Map<number, number>
  /** How many of its chunks are not settled. */
  left: number
}

/** What of a message is in one state, in the order of the chunks: those before `next` are settled. */
interface OfferedList {
  state: OfferedChunk['state']
  indices: readonly number[]
  /** Of partials that are held. */
  sizes: readonly number[] | undefined
  next: number
  /** Where in the batch the last one was. */
  position: number
}

/** What is offered of a job. */
interface JobOffers {
  /** By the shelves on which their chunks lie: a shelf has some hundred chunks that follow each other. */
  shelves: Map<number, Set<Offered>>
  /** What all workers offered below it is settled, but for those that have just been admitted. */
  settled: number
}

/** Large enough that a batch of small chunks lies on few shelves, small enough that few batches of one chunk lie on the same. */
const SHELF = 256
/** So many places of a batch are looked at before all of them are written down. */
const NEAR = 16

export class RetainedPartials {
  readonly #seal: BatchSeal
  readonly #jobs = new Map<string, JobOffers>()
  readonly #byWorker = new Map<PeerIdString, Map<string, Offered[]>>()
  /** The chunks of each worker that are not settled. */
  readonly #counts = new Map<PeerIdString, number>()
  /** What workers have said that have not said hello yet. */
  readonly #early = new Map<PeerIdString, { offers: InFlightMessage[]; named: number }>()
  /** Batches whose seals have been looked at. */
  readonly #genuine = new WeakMap<InFlightMessage, boolean>()

  /** Chunks that one worker may offer: more are computed again. */
  readonly #most: number

  constructor(seal: BatchSeal, most: number = DEFAULT_LIMITS.offeredChunks) {
    this.#seal = seal
    this.#most = most
  }

  /** The jobs of which something is offered; by a worker, where one is given: then it may be settled already. */
  jobs(worker?: PeerIdString): string[] {
    return [...((worker === undefined ? this.#jobs : this.#byWorker.get(worker))?.keys() ?? [])]
  }

  /** Whether something of a worker is not settled yet. */
  hasOffers(worker: PeerIdString): boolean {
    return (this.#counts.get(worker) ?? 0) > 0
  }

  /** A worker offers something; it does not count before the worker is admitted. */
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

  /** A worker has offered all that it has, and can be given chunks. */
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

  /** Takes out what is offered of the chunks of a job that have been split since; with `worker`, what that one offers of all that have been. */
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

  /** Takes out what is offered of the chunks of a job before `end`: it is of no use. */
  refuse(job: string, end = Number.POSITIVE_INFINITY): OfferedChunk[] {
    return this.#take(job, end).map(({ chunk }) => chunk)
  }

  /** Forgets what is offered of a job, and says by whom. */
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

  /** A worker is gone, or begins anew. */
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

  /** What of an offer is before `end`, and was not taken before. */
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
  /** Where in the batch the chunk is that the worker was given. */
  position: number
}

function listOf(state: OfferedChunk['state'], indices: readonly number[], sizes?: readonly number[]): OfferedList {
  const list = { state, indices, sizes, next: 0, position: 0 }
  if (indices.every((index, i) => i === 0 || indices[i - 1]! <= index)) return list
  const order = indices.map((_, i) => i).sort((a, b) => indices[a]! - indices[b]!)
  return { ...list, indices: order.map(i => indices[i]!), sizes: sizes && order.map(i => sizes[i]!) }
}

/** Where in its batch a chunk is: most often soon behind the one before it. */
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

/** The keys from `first` on, up to `end`, in whatever order; in time by how many of them there may be. */
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
