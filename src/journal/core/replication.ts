import type { PeerIdString } from '../../network/types.ts'
import type { NamedHolders } from './named-holders.ts'
import type { OwnCopies } from './own-copies.ts'
import type { ReplicatedEntry } from './replicated-entry.ts'
import type { JournalRules } from './rules.ts'
import type { Standbys } from './standbys.ts'

/** At how many peers a job is held. */
export interface Durability {
  /** The number of peers that hold the job in their memory, with or without a disk. */
  memory: number
  /** The number of these peers that have the job on disk as well. */
  disk: number
}

export interface ReplicationInit {
  rules: JournalRules
  policy: Standbys
  named: NamedHolders
  own: OwnCopies
}

type Job = ReplicatedEntry<unknown>

/** Decides whether enough peers and disks hold an entry. */
export class Replication {
  readonly #init: ReplicationInit

  constructor(init: ReplicationInit) {
    this.#init = init
  }

  /** The number of disks that take entries, with that of this peer. */
  get disks(): number {
    const { policy, own } = this.#init
    return policy.disks + (own.hasWorkingDisk ? 1 : 0)
  }

  /** Whether the newest version may be acknowledged. */
  isReplicated(job: Job, standbys: readonly PeerIdString[]): boolean {
    const { rules, policy, named } = this.#init
    if (!this.#isHere(job) || !rules.isReplicated(policy.stored(job), this.#needed(job, standbys))) return false
    if (!rules.isNamed(named.lacking(id => job.isStoredBy(id)))) return false
    return rules.isDurable(policy.onDisk(job).length + here(job), this.#disksNeeded(job))
  }

  /** Whether peers that are not standbys may drop their copies. */
  mayDropCopies(job: Job, standbys: readonly PeerIdString[]): boolean {
    const { rules, policy } = this.#init
    const behind = standbys.filter(id => !job.isStoredBy(id)).length
    if (!this.#isHere(job) || !rules.mayDropCopies(policy.stored(job), this.#needed(job, standbys), behind))
      return false
    const kept = policy.onDisk(job).filter(id => standbys.includes(id)).length
    return rules.isDurable(kept + here(job), this.#disksNeeded(job))
  }

  /** Whether enough peers now store all of a job that was acknowledged. */
  isStored(job: Job): boolean {
    const { rules, policy, named } = this.#init
    if (!this.#isHere(job, job.acknowledged)) return false
    if (policy.stored(job, job.acknowledged) < policy.required) return false
    return rules.isNamed(named.lacking(id => job.hasAcknowledged(id)))
  }

  /** Whether a job that was never acknowledged needs more disks than there are. */
  isOutOfReach(job: Job): boolean {
    const { end, durable } = job.entry
    return (
      end === undefined && job.acknowledged === 0 && durable > 0 && !this.#init.rules.isDurable(this.disks, durable)
    )
  }

  /** Returns at how many peers a job is held. Once it was acknowledged, an older entry does not count. */
  held(job: Job): Durability {
    const { policy } = this.#init
    const version = job.acknowledged === 0 ? job.version : job.acknowledged
    return {
      memory: policy.stored(job, version) + (this.#isHere(job, version) ? 1 : 0),
      disk: policy.onDisk(job, version).length + here(job, version)
    }
  }

  /** Returns at how many peers a running job is held that was acknowledged. Undefined if this has not changed since the last call. */
  heldNow(job: Job): Durability | undefined {
    if (job.acknowledged === 0 || job.entry.end !== undefined) return undefined
    const held = this.held(job)
    if (held.memory === job.held?.memory && held.disk === job.held.disk) return undefined
    job.held = held
    return held
  }

  #isHere(job: Job, version = job.version): boolean {
    const { rules, own } = this.#init
    return rules.countsItself(!own.isDurable || job.isStoredHere(version))
  }

  /** The number of other peers that must store the newest version. */
  #needed(job: Job, standbys: readonly PeerIdString[]): number {
    const { required, hasQuorum } = this.#init.policy
    return hasQuorum ? required : this.#init.rules.replicasNeeded(job.entry.end, required, standbys.length)
  }

  #disksNeeded({ entry }: Job): number {
    return this.#init.rules.disksNeeded(entry.end, entry.durable, this.disks)
  }
}

/** The number of disks of this peer itself that have a version. */
function here(job: Job, version = job.version): number {
  return job.isOnDiskHere(version) ? 1 : 0
}
