import type { PeerIdString } from '../../network/types.ts'
import type { Head } from './entry.ts'
import type { JournalEffect } from './events.ts'

type TooFewDisks = Extract<JournalEffect<never>, { type: 'too-few-disks' }>

/** The jobs that must be on several disks, and whether there are enough disks. */
export class DurableJobs {
  /** The number of jobs for each number of disks. */
  readonly #counts = new Map<number, number>()
  /** The peers with disks when there were last enough. */
  #before: readonly PeerIdString[] = []
  #reported = ''

  /** The most disks that a job needs. */
  get most(): number {
    return Math.max(0, ...this.#counts.keys())
  }

  /** Records that `after` replaces `before` as the newest entry of a job. Returns whether {@link most} has changed. */
  replace(before: Head | undefined, after: Head | undefined): boolean {
    const { most } = this
    this.#count(before, -1)
    this.#count(after, 1)
    return most !== this.most
  }

  #count(head: Head | undefined, more: number): void {
    // Nobody reads a tombstone.
    if (head === undefined || (head.end !== undefined && !head.hasOutcome)) return
    const { durable } = head
    const count = (this.#counts.get(durable) ?? 0) + more
    if (durable > 0 && count > 0) this.#counts.set(durable, count)
    else this.#counts.delete(durable)
  }

  /**
   * Returns an effect when the number of disks is too small, or is large enough again.
   *
   * @param disks - the peers with disks that take entries
   * @param earlier - the peers that had the entries of earlier leaders on disk
   */
  check(disks: readonly PeerIdString[], earlier: readonly PeerIdString[]): TooFewDisks | undefined {
    const needed = disks.length < this.most ? this.most : 0
    const before = this.#before.length === 0 ? earlier : this.#before
    if (needed === 0) this.#before = disks
    const missing = needed === 0 ? [] : before.filter(id => !disks.includes(id))
    const report = needed === 0 ? '' : [needed, disks.length, ...missing].join()
    if (report === this.#reported) return undefined
    this.#reported = report
    return { type: 'too-few-disks', disks: disks.length, needed, missing }
  }
}
