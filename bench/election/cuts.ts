/** Checks from the peers' leadership histories whether a cut-off leader under a quorum stops before the next leader begins. */
import type { PastLeadership } from '../../src/election/history.ts'
import type { PeerEvent, PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import type { Hosts } from '../../test/faults/hosts.ts'

export interface Overlaps {
  cuts: number
  /** Number of times that two peers led at the same time. */
  overlaps: number
  /** The times from the end of one leadership to the beginning of the next, in ms. */
  gaps: number[]
  /**
   * The times, in ms, between two events: the cut-off leader reports that its leadership has ended, and another peer first names the next leader.
   * A negative time means that the cut-off leader reported its end after the next leader was named.
   */
  told: number[]
}

/** Cuts the leader off repeatedly, and heals each cut. The cuts alternate: first both directions, then only the outgoing direction. */
export async function cutLeaders(
  hosts: Hosts,
  cluster: ProcessCluster,
  cuts: number,
  tell: (done: number) => void
): Promise<Overlaps> {
  const told: number[] = []
  for (let cut = 0; cut < cuts; cut++) {
    const [leader, ...others] = cluster.byRank()
    const host = cluster.peers.indexOf(leader!)
    const seen = cluster.peers.map(({ events }) => events.length)
    const firstOf = (peer: PeerProcess, matches: (event: PeerEvent) => boolean): number => {
      const since = peer.events.slice(seen[cluster.peers.indexOf(peer)])
      return Date.parse(since.find(event => event.event === 'leader' && matches(event))!.time)
    }
    if (cut % 2 === 0) hosts.cut(host)
    else hosts.mute(host)
    const isNext = (peer: PeerProcess): boolean => peer.leader !== null && peer.leader !== leader!.id
    await Promise.all(others.map(peer => peer.until('the next leader', () => isNext(peer), 60_000)))
    hosts.heal()
    await cluster.settled()
    const stopped = firstOf(leader!, ({ peerId }) => peerId !== leader!.id)
    const named = others.map(peer => firstOf(peer, ({ peerId }) => peerId !== null && peerId !== leader!.id))
    told.push(Math.min(...named) - stopped)
    tell(cut + 1)
  }
  return { ...overlapsIn(await historyOf(cluster), cuts), told }
}

async function historyOf(cluster: ProcessCluster): Promise<PastLeadership[]> {
  const { stdout } = await cluster.run(['history', '--json'])
  const past = JSON.parse(stdout) as { peerId: string; epoch: number; from: string; until: string | null }[]
  return past.map(({ peerId, epoch, from, until }) => ({
    leader: peerId,
    epoch,
    from: Date.parse(from),
    until: until === null ? undefined : Date.parse(until),
    why: undefined,
    seenBy: 1
  }))
}

/** Counts the overlaps of leaderships. All processes run on one machine, so their times come from the same wall clock. */
function overlapsIn(past: readonly PastLeadership[], cuts: number): Omit<Overlaps, 'told'> {
  const ordered = past.toSorted((a, b) => a.from - b.from)
  const gaps = ordered.slice(1).map(({ from }, i) => from - (ordered[i]!.until ?? Number.POSITIVE_INFINITY))
  return { cuts, overlaps: gaps.filter(gap => gap < 0).length, gaps: gaps.filter(gap => gap >= 0) }
}
