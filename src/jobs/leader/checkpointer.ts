/** Takes checkpoints of a job while it is folded. A replicated checkpoint acknowledges the partials that it covers to their workers. */

import pDefer from 'p-defer'
import { appended, bytesOf, type JobCheckpoint, type PartialsFrom, sizeOf } from '../../journal/checkpoint.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Checkpoint, FoldState } from '../../tasks/execute/checkpoint.ts'
import { concatPacks, type Pack } from '../../tasks/values/pack.ts'

/** The shortest pause between the end of one checkpoint and the start of the next checkpoint, in ms. */
const INTERVAL_MS = 250
/** Checkpoints may take at most a twentieth of the time. */
const TIMES_COST = 20
/** The highest assumed rate of a checkpoint's replication to two peers, in bytes a ms. */
const BYTES_A_MS = 100_000
/** The lowest assumed rate, in bytes a ms: replication that takes longer counts as waiting, not as cost. */
const LEAST_BYTES_A_MS = 1_000

export interface CheckpointerInit {
  /** The checkpoint that the job resumes from. `undefined` if the job begins. */
  from: JobCheckpoint | undefined
  /** The largest number of bytes of a checkpoint. A job with a larger state runs without checkpoints. */
  mostBytes: number
  /** Takes a checkpoint from the driver. `tookMs` is the time that the thread of the driver has spent, in ms. */
  take(): Promise<{ checkpoint: Checkpoint | undefined; tookMs: number }>
  /** Writes the checkpoint to the journal, which calls `held` when it is replicated. */
  write(checkpoint: JobCheckpoint, held: () => void): void
}

/** A group of partials that were folded or appended. */
export interface FoldedPartials {
  count: number
  /** Number of these partials that each peer has computed. */
  perPeer: ReadonlyMap<PeerIdString, number>
  partials(): Pack
}

export class Checkpointer {
  readonly #init: CheckpointerInit
  /** Only for a task without `reduce`: the partials in the last checkpoint, and the partials that were appended after that checkpoint. */
  #partials: readonly PartialsFrom[]
  #appended: Pack[] = []
  #appendedCount = 0
  #next: number
  #perPeer: Record<PeerIdString, number>
  /** The approximate size of the next checkpoint, in bytes. */
  #bytes = 0
  /** Whether partials were folded since the last checkpoint began. */
  #isBehind = false
  /**
   * When the first folded partial that no replicated checkpoint contains was folded. `#newSince` is the same time for the checkpoint in progress.
   */
  #unheldSince: number | undefined
  #newSince: number | undefined
  #timer: NodeJS.Timeout | undefined
  #state: 'idle' | 'due' | 'taking' | 'stopped' = 'idle'
  /** Resolves when the present checkpoint has ended. */
  #end = pDefer<void>()
  /** When the last checkpoint ended, and the cost of that checkpoint in ms. */
  #endedAt = performance.now()
  #cost = 0

  constructor(init: CheckpointerInit) {
    this.#init = init
    const { from } = init
    this.#next = from?.next ?? 0
    this.#perPeer = { ...from?.perPeer }
    this.#partials = from?.kind === 'appended' ? from.partials : []
  }

  /**
   * For how long (ms) folded partials have been in no replicated checkpoint. A crash of this leader would lose the
   * work of this time. 0 if replicated checkpoints contain all folded partials.
   */
  get age(): number {
    return this.#unheldSince === undefined ? 0 : performance.now() - this.#unheldSince
  }

  /** Records that partials were folded. */
  folded({ kind, bytes }: FoldState, { count, perPeer, partials }: FoldedPartials): void {
    this.#next += count
    for (const [peer, some] of perPeer) this.#perPeer[peer] = (this.#perPeer[peer] ?? 0) + some
    // Appended state never shrinks, so every later checkpoint would also be too large.
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

  /** Resolves when a replicated checkpoint covers all partials folded so far, or the job has ended. */
  async flush(): Promise<void> {
    while (this.#state === 'taking') await this.#end.promise
    if (this.#state === 'stopped' || !this.#isBehind || this.#bytes > this.#init.mostBytes) return
    clearTimeout(this.#timer)
    this.#take()
    await this.#end.promise
  }

  /** Stops taking checkpoints, because the job has ended or another leader runs the job. */
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
    // Of appended partials only the new partials are sent, so the cost of sending is known only after the checkpoint.
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
      // The scheduler learns of the failure of the driver through its other calls to the driver.
      () => this.#ended(0)
    )
  }

  #complete(taken: Checkpoint, perPeer: { next: number; counts: Record<PeerIdString, number> }): JobCheckpoint {
    const { next, digest } = taken
    // If a fold has ended during this call, or the driver returns an earlier checkpoint, the counts for the checkpoint are not known.
    const now = next === this.#next ? { ...this.#perPeer } : {}
    const how = { next, digest, perPeer: perPeer.next === next ? perPeer.counts : now }
    if (taken.kind === 'folded') return { ...how, kind: 'folded', accumulator: taken.accumulator }
    for (const piece of this.#newPartials(next)) this.#partials = appended(this.#partials, piece)
    return { ...how, kind: 'appended', partials: this.#partials }
  }

  /** Returns the partials that were appended since the last checkpoint, as one pack. */
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
