import type { PeerIdString } from '../../network/types.ts'
import type { Entry, Stamp } from './entry.ts'
import type { ReplicatedEntry } from './replicated-entry.ts'

/** The entries that a peer is checked for. */
interface Check {
  isStandby: boolean
  rest: Iterator<string>
  /** The first job of which the peer may have an old copy. */
  next: string | undefined
}

/** This leadership's newest entries, by job. */
export class ReplicatedEntries<Record> extends Map<string, ReplicatedEntry<Record>> {
  /** How far the check of each peer has come. */
  readonly #checks = new Map<PeerIdString, Check>()

  /** Whether an entry was sent to a peer that the peer has not confirmed. */
  isUnconfirmedBy(peer: PeerIdString): boolean {
    return [...this.values()].some(job => job.isUnconfirmedBy(peer))
  }

  /** Whether a standby stores at least these versions. */
  areVersionsStoredBy(standby: PeerIdString, versions: readonly (readonly [job: string, version: number])[]): boolean {
    return versions.every(([job, version]) => this.get(job)?.isStoredBy(standby, version) ?? true)
  }

  /**
   * Whether a peer has no copies of earlier leaders any more: a standby stores all of each entry that was acknowledged, on disk if it has one, and other
   * peers have dropped their copies. The next call goes on where this one has stopped, because this leader asks after each event.
   */
  isClean(peer: PeerIdString, isStandby: boolean, hasDisk: boolean): boolean {
    let check = this.#checks.get(peer)
    if (check?.isStandby !== isStandby) {
      check = { isStandby, rest: this.keys(), next: undefined }
      this.#checks.set(peer, check)
    }
    for (;;) {
      check.next ??= check.rest.next().value
      if (check.next === undefined) break
      const job = this.get(check.next)
      if (job !== undefined && (isStandby ? !isAcknowledged(job, peer, hasDisk) : job.copies.has(peer))) return false
      check.next = undefined
    }
    this.#checks.delete(peer)
    return true
  }

  /** Forgets what each peer stores of the entries, because copies and messages may be lost. Returns the jobs. */
  reset(peer: PeerIdString): Iterable<string> {
    for (const job of this.values()) job.reset(peer)
    this.checkAgain(peer)
    return this.keys()
  }

  /** Makes {@link isClean} begin again for a peer. */
  checkAgain(peer: PeerIdString): void {
    this.#checks.delete(peer)
  }

  /** Whether this peer itself has all that earlier leaders acknowledged on disk. */
  areHere(): boolean {
    for (const job of this.values()) if (!job.isAdoptedHere) return false
    return true
  }

  /** Returns the newest end up to which all ends may be forgotten, as soon as no peer is behind. */
  floor(mayForget: (job: ReplicatedEntry<Record>) => boolean): Stamp | undefined {
    const ended = [...this.values()].filter(({ entry }) => entry.end !== undefined)
    ended.sort((a, b) => a.version - b.version)
    const kept = ended.findIndex(job => !mayForget(job))
    return ended.slice(0, kept === -1 ? undefined : kept).at(-1)?.entry.stamp
  }

  *newest(): Iterable<Entry<Record>> {
    for (const { entry } of this.values()) yield entry
  }
}

function isAcknowledged(job: ReplicatedEntry<unknown>, peer: PeerIdString, hasDisk: boolean): boolean {
  return job.isStoredBy(peer, Math.max(1, job.acknowledged)) && (!hasDisk || job.isSyncedBy(peer))
}
