import type { PeerIdString } from '../../network/types.ts'
import type { Followers } from './followers.ts'
import type { HolderLists } from './holder-lists.ts'
import type { NamedHolders } from './named-holders.ts'
import type { JournalRules } from './rules.ts'
import type { Standbys } from './standbys.ts'

interface ReadingInit {
  rules: JournalRules
  followers: Followers
  policy: Standbys
  holders: NamedHolders
  lists: HolderLists
}

/** How far a new leader has come with reading the journals of others. */
export class Reading {
  readonly #init: ReadingInit

  constructor(init: ReadingInit) {
    this.#init = init
  }

  /** Whether the leader has read enough members to know every acknowledged entry. It also reads each member that joins later. */
  get isDone(): boolean {
    const { rules, followers, policy, holders } = this.#init
    if (!rules.hasRead(policy.unread, policy.votersMissing)) return false
    if (!rules.hasReadHolder(holders.isRead(id => followers.isWhole(id)))) return false
    return rules.hasFoundHolder(this.#unfound.length)
  }

  /** The holders of the journal of which the leader still waits for one. */
  get unread(): readonly PeerIdString[] {
    const { policy, holders } = this.#init
    return policy.unread === 0 ? [...holders.unread, ...this.#unfound] : []
  }

  /** The voters that have answered, and do not count, while other voters are missing for a majority. */
  get incomplete(): readonly PeerIdString[] {
    const { policy } = this.#init
    return policy.unread === 0 && policy.votersMissing > 0 ? policy.incomplete : []
  }

  /** The peers that held the journal before a full stop, of which the leader waits for one. A quorum or a store knows better. */
  get #unfound(): readonly PeerIdString[] {
    const { followers, policy, holders, lists } = this.#init
    if (policy.hasQuorum || holders.areNeeded) return []
    return lists.unread(id => followers.isWhole(id))
  }
}
