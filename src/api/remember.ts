import type { Member } from '../membership/core/member.ts'
import type { Membership, MembershipEvents } from '../membership/types.ts'
import { isLoopback, tryMultiaddr } from '../network/multiaddr.ts'
import type { DataDir } from '../persistence/data-dir.ts'
import type { RememberedState } from '../persistence/state-file.ts'

/** Enough to find the cluster again, however large it was. */
const MOST_ADDRESSES = 64
const ADDRESSES_OF_ONE = 4

/**
 * Where a peer with this past begins: above all that it may have used. The last number before a crash may have been used
 * and not saved, hence one more.
 */
export function beginAfter({ incarnation, epoch }: RememberedState): { incarnation: number; epoch: number } {
  return { incarnation: incarnation === undefined ? 0 : incarnation + 2, epoch: epoch === 0 ? 0 : epoch + 1 }
}

/** Keeps in the data folder what the next run needs; the returned function ends it. */
export function rememberIn({ state }: DataDir, membership: Membership): () => void {
  const onMember = ({ detail: { member } }: MembershipEvents['member']): void => {
    if (member.id === membership.self.id) state.raise({ incarnation: member.incarnation })
    else state.remember(addresses)
  }
  const addresses = (): string[] | undefined => {
    const { id: self, host } = membership.self
    const live = membership.live().filter(({ id }) => id !== self)
    // Whoever is the last to go still remembers whom it knew.
    return live.length === 0 ? undefined : addressesOf(live, host)
  }
  state.raise({ incarnation: membership.self.incarnation })
  membership.addEventListener('member', onMember)
  return () => {
    membership.removeEventListener('member', onMember)
  }
}

/**
 * Where to look for these members: one address of each, then a second, up to a limit. Loopback ones only of those on this very
 * machine.
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
