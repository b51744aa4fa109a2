import type { Logger } from '../common/logger.ts'
import type { Member } from '../membership/core/member.ts'
import type { Membership, MembershipEvents } from '../membership/types.ts'
import { isLoopback, tryMultiaddr } from '../network/multiaddr.ts'
import type { DataDir } from '../persistence/data-dir.ts'
import type { KnownMembers, RememberedState } from '../persistence/peer-state.ts'

interface Remembering {
  membership: Membership
  /** What this peer has of the journal. */
  replica: { readonly isIncomplete: boolean; markIncomplete(): void } | undefined
  logger: Logger
}

/** The largest number of addresses that a data folder stores. It is enough to find a cluster of any size again. */
const MOST_ADDRESSES = 64
const ADDRESSES_OF_ONE = 4
/** The largest number of members with a data folder that a data folder stores. A restarted leader waits for their partials. */
const MOST_MEMBERS = 256

/**
 * Returns the incarnation and the epoch with which a restarted peer begins. Both are higher than the stored numbers,
 * because a peer may use a new number and crash before it stores the number. If other members know a still higher
 * incarnation of the peer, the peer learns of it and raises its incarnation further.
 */
export function beginAfter({ incarnation, epoch }: RememberedState): { incarnation: number; epoch: number } {
  return { incarnation: incarnation === undefined ? 0 : incarnation + 2, epoch: epoch === 0 ? 0 : epoch + 1 }
}

/**
 * Stores the peer's incarnation and what it knows of the members in the data folder, for the next run. Marks a folder that turns out to be a copy, or to
 * be from an earlier time. The returned function ends this.
 */
export function rememberIn({ state }: DataDir, { membership, replica, logger }: Remembering): () => void {
  const onMember = ({ detail: { member } }: MembershipEvents['member']): void => {
    if (member.id === membership.self.id) void state.raise({ incarnation: member.incarnation })
    else state.remember(known)
  }
  const known = (): KnownMembers | undefined => {
    const { id: self, host } = membership.self
    const live = membership.live().filter(({ id }) => id !== self)
    // The last live peer keeps what it stored of the members that it knew before.
    if (live.length === 0) return undefined
    const members = live.flatMap(({ id, hasDisk }) => (hasDisk ? [id] : [])).sort()
    return { addresses: addressesOf(live, host), members: members.slice(0, MOST_MEMBERS) }
  }
  const onOutdated = (): void => {
    if (replica?.isIncomplete !== true)
      logger.error(
        {},
        'the data folder of this peer is a copy, or is from an earlier time: others know a newer run of this peer. As a voter it counts again when it has caught up'
      )
    replica?.markIncomplete()
    state.losePromises()
  }
  // The others know this record from now on, so that a folder from before shows. Earlier, the change would hide what they know of a newer run.
  const onMet = (): void => membership.update({})
  membership.addEventListener('member', onMember)
  membership.addEventListener('outdated', onOutdated)
  membership.addEventListener('met', onMet)
  return () => {
    membership.removeEventListener('member', onMember)
    membership.removeEventListener('outdated', onOutdated)
    membership.removeEventListener('met', onMet)
  }
}

/**
 * Returns the addresses at which a restarted peer looks for these members: one address of each member, then a second
 * address of each member, up to a limit. Loopback addresses are included only for members on this machine.
 */
export function addressesOf(members: readonly Pick<Member, 'id' | 'addresses' | 'host'>[], host: string): string[] {
  const usable = members
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(member => {
      const isHere = member.host !== '' && member.host === host
      return member.addresses.filter(text => {
        const address = tryMultiaddr(text)
        return address !== undefined && (isHere || !isLoopback(address))
      })
    })
  const found: string[] = []
  for (let i = 0; i < ADDRESSES_OF_ONE; i++) {
    found.push(...usable.flatMap(addresses => addresses[i] ?? []))
  }
  return found.slice(0, MOST_ADDRESSES)
}
