/** Takes checkpoints of a job while it is folded. A replicated checkpoint acknowledges the partials that it covers to their workers. */

import pDefer from 'p-defer'
import { appended, bytesOf, type JobCheckpoint, type PartialsFrom, sizeOf } from '../../journal/checkpoint.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Checkpoint, FoldState } from '../../tasks/execute/checkpoint.ts'
import { concatPacks, type Pack } from '../../tasks/values/pack.ts'

/** The least time (ms) between the end of a checkpoint and the next. */
const INTERVAL_MS = 250
/** A checkpoint may cost a twentieth of the time. */
const TIMES_COST = 20
/** How fast a checkpoint is taken to be sent to two peers at best, in bytes a ms. */
const BYTES_A_MS = 100_000
/** How slowly at worst: what is longer than that was a wait and no work. */
const LEAST_BYTES_A_MS = 1_000

export interface CheckpointerInit {
  /** What the job goes on from. */
  from: JobCheckpoint | undefined
  /** The most bytes that a checkpoint may have: with more the job goes on without. */
  mostBytes: number
  /** Asks the driver. `tookMs`: of its thread's time. */
  take(): Promise<{ checkpoint: Checkpoint | undefined; tookMs: number }>
  /** Hands it to the journal; `held` is called when it is replicated. */
  write(checkpoint: JobCheckpoint, held: () => void): void
}

/** Partials that were folded or appended. */
export interface FoldedPartials {
  count: number
  /** How many of them each peer has computed. */
  perPeer: ReadonlyMap<PeerIdString, number>
  partials(): Pack
}

export class Checkpointer {
  readonly #init: CheckpointerInit
  /** Without `reduce`: what the last checkpoint has, and what was appended since. */
  #partials: readonly PartialsFrom[]
  #appended: Pack[] = []
  #appendedCount = 0
  #next: number
  #perPeer: Record<PeerIdString, number>
  /** About how large the next one is. */
  #bytes = 0
  /** Something was folded since the last one was begun. */
  #isBehind = false
  /** Since when something is folded that no checkpoint has which others hold; and that the one being taken will not have. */
  #unheldSince: number | undefined
  #newSince: number | undefined
  #timer: NodeJS.Timeout | undefined
  #state: 'idle' | 'due' | 'taking' | 'stopped' = 'idle'
  /** Resolves when the one that is being taken has been. */
  #end = pDefer<void>()
  /** When the last one had been taken, and what it cost, in ms. */
  #endedAt = performance.now()
  #cost = 0

  constructor(init: CheckpointerInit) {
    this.#init = init
    const { from } = init
    this.#next = from?.next ?? 0
    this.#perPeer = { ...from?.perPeer }
    this.#partials = from?.kind === 'appended' ? from.partials : []
  }

  /** For how long (ms) folded partials have been in no replicated checkpoint: what a leader that died now would lose. 0: none are. */
  get age(): number {
    return this.#unheldSince === undefined ? 0 : performance.now() - this.#unheldSince
  }

  /** Partials were folded. */
  folded({ kind, bytes }: FoldState, { count, perPeer, partials }: FoldedPartials): void {
    this.#next += count
    for (const [peer, some] of perPeer) this.#perPeer[peer] = (this.#perPeer[peer] ?? 0) + some
    // It only grows: there will be no other checkpoint.
    if (kind === 'appended' && bytes > this.#init.mostBytes) this.stop()
    if (kind === 'appended' && this.#state !== 'stopped') {
      this.#appended.push(partials())
      this.#appendedCount += count
    }
    this.#bytes = bytes
    this.#isBehind = true
    this.#newSince ??= performance.now()
    this.#unheldSince ??= this.#newSince
    this.#schedule()
  }

  /** Resolves when others hold all that is folded now, or the job is over. */
  async flush(): Promise<void> {
    while (this.#state === 'taking') await this.#end.promise
    if (this.#state === 'stopped' || !this.#isBehind || this.#bytes > this.#init.mostBytes) return
    clearTimeout(this.#timer)
    this.#take()
    await this.#end.promise
  }

  /** The job is over, or another leader's. */
  stop(): void {
    this.#state = 'stopped'
    this.#appended = []
    this.#partials = []
    clearTimeout(this.#timer)
    this.#end.resolve()
  }

  #schedule(): void {
    if (this.#state !== 'idle' || !this.#isBehind || this.#bytes > this.#init.mostBytes) return
    this.#state = 'due'
    // Only what is new of appended partials will be sent: what that costs is known afterwards.
    const next = this.#appendedCount > 0 ? 0 : this.#bytes / BYTES_A_MS
    const interval = Math.max(INTERVAL_MS, TIMES_COST * Math.max(this.#cost, next))
    const delay = this.#endedAt + interval - performance.now()
    this.#timer = setTimeout(() => this.#take(), Math.max(0, delay))
  }

  #take(): void {
    this.#state = 'taking'
    this.#isBehind = false
    this.#newSince = undefined
    this.#end = pDefer()
    const perPeer = { next: this.#next, counts: { ...this.#perPeer } }
    this.#init.take().then(
      ({ checkpoint: taken, tookMs }) => {
        if (this.#state === 'stopped') return
        const before = this.#partials
        const checkpoint = taken && this.#complete(taken, perPeer)
        if (checkpoint === undefined || sizeOf(checkpoint) > this.#init.mostBytes) {
          this.#ended(tookMs)
          return
        }
        const bytes = sizeOf(checkpoint) - (checkpoint.kind === 'appended' ? bytesOf(before) : 0)
        const sentAt = performance.now()
        this.#init.write(checkpoint, () => {
          const waited = performance.now() - sentAt
          this.#unheldSince = this.#newSince
          this.#ended(tookMs + Math.max(bytes / BYTES_A_MS, Math.min(waited, bytes / LEAST_BYTES_A_MS)))
        })
      },
      // The driver's end is told by whatever else it was asked.
      () => this.#ended(0)
    )
  }

  #complete(taken: Checkpoint, perPeer: { next: number; counts: Record<PeerIdString, number> }): JobCheckpoint {
    const { next, digest } = taken
    // A fold may have ended meanwhile, or the driver may have an earlier one to give: then it is not known whose partials are in it.
    const now = next === this.#next ? { ...this.#perPeer } : {}
    const how = { next, digest, perPeer: perPeer.next === next ? perPeer.counts : now }
    if (taken.kind === 'folded') return { ...how, kind: 'folded', accumulator: taken.accumulator }
    for (const piece of this.#newPartials(next)) this.#partials = appended(this.#partials, piece)
    return { ...how, kind: 'appended', partials: this.#partials }
  }

  /** What was appended since the last checkpoint, as one piece. */
  #newPartials(next: number): PartialsFrom[] {
    const first = this.#next - this.#appendedCount
    const ready: Pack[] = []
    let count = 0
    while (this.#appended.length > 0 && first + count + this.#appended[0]!.lengths.length <= next) {
      const piece = this.#appended.shift()!
      ready.push(piece)
      count += piece.lengths.length
    }
    this.#appendedCount -= count
    return count === 0 ? [] : [{ first, ...concatPacks(ready) }]
  }

  #ended(cost: number): void {
    if (this.#state === 'stopped') return
    this.#state = 'idle'
    this.#endedAt = performance.now()
    this.#cost = cost
    this.#end.resolve()
    this.#schedule()
  }
}
