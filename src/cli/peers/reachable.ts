/** Selects the addresses at which a machine outside of the cluster can reach the cluster. */

/** Addresses that work only on the peer's own machine (loopback) or on one network link (link-local). */
const LOOPBACK = /^\/(?:ip4\/127\.|ip6\/::1\/|dns[46]?\/localhost\/)/
const LINK_LOCAL = /^\/ip(?:4\/169\.254\.|6\/fe[89ab][0-9a-f]:)/i
const PEER = /\/p2p\/[^/]+$/

/**
 * The largest number of addresses. So many addresses are enough to find the cluster when a few peers are gone, and few
 * enough to paste. Each peer gets one address before any peer gets several addresses.
 */
const MOST = 6

/**
 * Returns the best addresses. Each peer gets one address before any peer gets a second address. Loopback addresses are
 * used only if there are no other addresses. The PeerIds are left out, because most peers get a new PeerId at each
 * start.
 */
export function reachableAddresses(peers: readonly (readonly string[])[]): string[] {
  const plain = peers.map(addresses => addresses.map(address => address.replace(PEER, '')))
  const beyond = plain.map(addresses => addresses.filter(address => !LOOPBACK.test(address)))
  const wide = beyond.map(addresses => addresses.filter(address => !LINK_LOCAL.test(address)))
  for (const choice of [wide, beyond, plain]) if (choice.flat().length > 0) return inTurns(choice)
  return []
}

export function isLoopbackOnly(addresses: readonly string[]): boolean {
  return addresses.length > 0 && addresses.every(address => LOOPBACK.test(address))
}

function inTurns(lists: readonly (readonly string[])[]): string[] {
  const found = new Set<string>()
  const longest = Math.max(...lists.map(({ length }) => length))
  for (let turn = 0; turn < longest; turn++) {
    for (const list of lists) {
      const address = list[turn]
      if (address !== undefined) found.add(address)
    }
  }
  return [...found].slice(0, MOST)
}
