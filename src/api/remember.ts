import type { Member } from '../membership/core/member.ts'
import type { Membership, MembershipEvents } from '../membership/types.ts'
import { isLoopback, tryMultiaddr } from '../network/multiaddr.ts'
import type { DataDir } from '../persistence/data-dir.ts'
import type { RememberedState } from '../persistence/state-file.ts'

/** The number of addresses that are remembered: enough to find a cluster of any size again. */
const MOST_ADDRESSES = 64
const ADDRESSES_OF_ONE = 4

/**
 * The incarnation and epoch with which a restarted peer begins. The newest number may have been used before a crash
 * without being saved, hence the additional one. If other members remember a still higher incarnation, the peer hears of
 * it and goes above it.
 */
export function beginAfter({ incarnation, epoch }: RememberedState): { incarnation: number; epoch: number } {
  return { incarnation: incarnation === undefined ? 0 : incarnation + 2, epoch: epoch === 0 ? 0 : epoch + 1 }
}

/** Saves the state for the next run in the data folder. The returned function stops this. */
export function rememberIn({ state }: DataDir, membership: Membership): () => void {
  const onMember = ({ detail: { member } }: MembershipEvents['member']): void => {
    if (member.id === membership.self.id) void state.raise({ incarnation: member.incarnation })
    else state.remember(addresses)
  }
  const addresses = (): string[] | undefined => {
    const { id: self, host } = membership.self
    const live = membership.live().filter(({ id }) => id !== self)
    // The last peer to leave keeps the members that it knew before.
    return live.length === 0 ? undefined : addressesOf(live, host)
  }
  void state.raise({ incarnation: membership.self.incarnation })
  membership.addEventListener('member', onMember)
  return () => {
    membership.removeEventListener('member', onMember)
  }
}

/**
 * The addresses at which to look for these members: one of each, then a second, up to a limit. Loopback addresses only
 * for members on this machine.
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
