/**
 * What workers have offered to a new leader, until it is known what of it belongs to a job: the job has to be read from the journals, and its
 * chunks have to be split again. An offer counts where an earlier leader of the job has signed the batch for this worker, and the
 * digest of the chunk is the same as it is now.
 */

import { DEFAULT_LIMITS } from '../limits.ts'
import type { PeerIdString } from '../network/types.ts'
import { DIGEST_BYTES } from '../tasks/checkpoint.ts'
import type { BatchSeal } from './batch-seal.ts'
import type { OfferedChunk } from './coordinator-types.ts'
import { IndexMap } from './index-map.ts'
import type { OfferMessage } from './work-messages.ts'

/** Chunks of all batches of which a worker offers some, for each that it may offer: every one is named, with its digest. */
const NAMED_PER_OFFERED = 4

/** What is known of a job that goes on. */
export interface OfferedJob {
  id: string
  sha256: string
  /** Whether that leader has led the job under that epoch. */
  wasLedBy(leader: PeerIdString, epoch: number): boolean
  /** The chunks before it have been split, or need not be. */
  readonly splitEnd: number
  /** Of a chunk as it was split now; undefined: its partial is there. */
  digestOf(index: number): Uint8Array | undefined
}

interface Offered extends OfferedChunk {
  offer: OfferMessage
  /** Where in the batch the chunk is that the worker was given. */
  position: number
}

/** What came of some offers. */
export interface Matched {
  /** They are what they say. */
  chunks: OfferedChunk[]
  /** They are not, or are of no use. */
  refused: OfferedChunk[]
}

export class OfferBook {
  readonly #seal: BatchSeal
  /** By job, then by index. */
  readonly #jobs = new Map<string, IndexMap<Offered[]>>()
  /** What each worker has offered of each job, settled or not: so that what it says need not be looked for in what all have said. */
  readonly #byWorker = new Map<PeerIdString, Map<string, OfferMessage[]>>()
  readonly #counts = new Map<PeerIdString, number>()
  /** What workers have said that have not said hello yet. */
  readonly #early = new Map<PeerIdString, { offers: OfferMessage[]; named: number }>()
  /** Batches whose seals have been looked at. */
  readonly #genuine = new WeakMap<OfferMessage, boolean>()

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

  /** Whether something is offered of a job. */
  has(job: string): boolean {
    return this.#jobs.has(job)
  }

  /** Whether something of a worker is not settled yet. */
  hasOffers(worker: PeerIdString): boolean {
    return (this.#counts.get(worker) ?? 0) > 0
  }

  /** A worker offers something; it does not count before the worker is admitted. */
  add(worker: PeerIdString, offer: OfferMessage): void {
    const early = this.#early.get(worker) ?? { offers: [], named: 0 }
    const { held, running, waiting } = offer
    const count = (this.#counts.get(worker) ?? 0) + held.length + running.length + waiting.length
    const named = early.named + offer.batch.indices.length
    if (count > this.#most || named > NAMED_PER_OFFERED * this.#most) return
    this.#counts.set(worker, count)
    early.named = named
    early.offers.push(offer)
    this.#early.set(worker, early)
  }

  /** A worker has offered all that it has, and can be given chunks. */
  admit(worker: PeerIdString): void {
    for (const offer of this.#early.get(worker)?.offers ?? []) this.#admit(worker, offer)
    this.#early.delete(worker)
  }

  #admit(worker: PeerIdString, offer: OfferMessage): void {
    const { job, batch, held, sizes, running, waiting } = offer
    const offers = this.#byWorker.get(worker) ?? new Map<string, OfferMessage[]>()
    this.#byWorker.set(worker, offers)
    const ofJob = offers.get(job)
    if (ofJob === undefined) offers.set(job, [offer])
    else ofJob.push(offer)
    const indices = this.#jobs.get(job) ?? new IndexMap<Offered[]>()
    this.#jobs.set(job, indices)
    const positions = new Map<number, number>()
    for (let position = 0; position < batch.indices.length; position++)
      positions.set(batch.indices[position]!, position)
    const put = (index: number, state: Offered['state'], size: number): void => {
      const offered = { worker, index, state, size, offer, position: positions.get(index)! }
      const others = indices.get(index)
      if (others === undefined) indices.set(index, [offered])
      else others.push(offered)
    }
    for (const [i, index] of held.entries()) put(index, 'held', sizes[i]!)
    for (const index of running) put(index, 'running', 0)
    for (const index of waiting) put(index, 'waiting', 0)
  }

  /** Takes out what is offered of these chunks of a job. */
  match(job: OfferedJob, indices: Iterable<number>): Matched {
    const matched: Matched = { chunks: [], refused: [] }
    const offered = this.#jobs.get(job.id)
    if (offered === undefined) return matched
    for (const index of indices) {
      const offers = offered.get(index)
      if (offers === undefined || index >= job.splitEnd) continue
      offered.delete(index)
      const digest = job.digestOf(index)
      for (const offer of offers) {
        const { worker, state, size } = offer
        this.#count(worker, -1)
        const isSame = digest !== undefined && isDigestAt(offer, digest)
        const isMatch = isSame && this.#isGenuine(job, offer)
        matched[isMatch ? 'chunks' : 'refused'].push({ worker, index, state, size })
      }
    }
    if (offered.size === 0) this.#jobs.delete(job.id)
    return matched
  }

  /** Takes out what is offered of a job from chunk `first` on, up to that before `end`: it is of no use. */
  refuse(job: string, first = 0, end = Number.POSITIVE_INFINITY): OfferedChunk[] {
    const offered = this.#jobs.get(job)
    const refused: OfferedChunk[] = []
    for (const [index, offers] of offered ?? []) {
      if (index < first || index >= end) continue
      offered!.delete(index)
      for (const offer of offers) {
        this.#count(offer.worker, -1)
        refused.push(offer)
      }
    }
    if (offered?.size === 0) this.#jobs.delete(job)
    return refused
  }

  /** The indices before `end` of which a worker offers something, of one job. */
  of(worker: PeerIdString, job: string, end = Number.POSITIVE_INFINITY): number[] {
    const indices: number[] = []
    const offered = this.#jobs.get(job)
    for (const { held, running, waiting } of this.#byWorker.get(worker)?.get(job) ?? [])
      for (const list of [held, running, waiting])
        for (const index of list)
          if (index < end && offered?.get(index)?.some(offer => offer.worker === worker) === true) indices.push(index)
    return indices
  }

  /** A worker is gone, or begins anew. */
  forgetWorker(worker: PeerIdString): void {
    this.#early.delete(worker)
    if (!this.#counts.delete(worker)) return
    for (const job of this.jobs(worker)) {
      const indices = this.#jobs.get(job)
      for (const index of this.of(worker, job)) {
        const left = indices!.get(index)?.filter(offer => offer.worker !== worker) ?? []
        if (left.length === 0) indices!.delete(index)
        else indices!.set(index, left)
      }
      if (indices?.size === 0) this.#jobs.delete(job)
    }
    this.#byWorker.delete(worker)
  }

  #count(worker: PeerIdString, by: number): void {
    const count = (this.#counts.get(worker) ?? 0) + by
    if (count > 0) this.#counts.set(worker, count)
    else {
      this.#counts.delete(worker)
      this.#byWorker.delete(worker)
    }
  }

  #isGenuine(job: OfferedJob, { worker, offer }: Offered): boolean {
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

function isDigestAt({ offer, position }: Offered, digest: Uint8Array): boolean {
  const at = position * DIGEST_BYTES
  const { digests } = offer.batch
  return digest.length === DIGEST_BYTES && digest.every((byte, i) => byte === digests[at + i])
}
