/** Addresses of a cluster for somebody on another machine. */

/** Where a peer can be reached by name or number, but on its own machine only, or on one link only. */
const LOOPBACK = /^\/(?:ip4\/127\.|ip6\/::1\/|dns[46]?\/localhost\/)/
const LINK_LOCAL = /^\/ip(?:4\/169\.254\.|6\/fe[89ab][0-9a-f]:)/i
const PEER = /\/p2p\/[^/]+$/

/** Some of several peers before many of one. Enough to find the cluster when a few are gone, and short enough to be pasted. */
const MOST = 6

/**
 * The best addresses: of each peer one before any has two; loopback only where nothing else is known. Without PeerIds, which most peers have new
 * at each start.
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
