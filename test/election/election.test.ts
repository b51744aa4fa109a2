import defer from 'p-defer'
import { afterEach, expect, test } from 'vitest'
import type { StrategyName } from '../../src/election/core/strategies/names.ts'
import { createElection } from '../../src/election/election.ts'
import { electorateOf } from '../../src/election/electorate.ts'
import type { Election, ElectionStore, Leadership } from '../../src/election/types.ts'
import type { Role } from '../../src/membership/core/member.ts'
import { createMembership } from '../../src/membership/membership.ts'
import { profiles } from '../../src/membership/profile.ts'
import type { Membership } from '../../src/membership/types.ts'
import { hostId } from '../../src/network/host-id.ts'
import { createNetwork } from '../../src/network/network.ts'
import type { Network } from '../../src/network/types.ts'

interface Peer {
  id: string
  network: Network
  membership: Membership
  election: Election
}

const running = new Set<Peer>()

async function stop(peer: Peer): Promise<void> {
  running.delete(peer)
  await peer.election.stop()
  await peer.membership.stop()
  await peer.network.stop()
}

afterEach(async () => {
  await Promise.all([...running].map(stop))
})

async function start(
  bootstrap: string[] = [],
  metadata: { role?: Role; electionPriority?: number } = {},
  store?: ElectionStore,
  strategy: StrategyName = 'bully'
): Promise<Peer> {
  const network = await createNetwork({
    cluster: 'election-test',
    listen: ['/ip4/127.0.0.1/tcp/0'],
    bootstrap,
    mdns: false
  })
  const profile = profiles.local
  const membership = createMembership({
    network,
    metadata: {
      addresses: network.addresses(),
      slots: 1,
      role: 'auto',
      electionPriority: 0,
      tags: {},
      version: '0.0.0',
      node: '',
      host: hostId() ?? '',
      electorate: electorateOf({ strategy }),
      hasDisk: false,
      ...metadata
    },
    profile
  })
  const election = createElection({ network, membership, profile, store, electorate: { strategy } })
  const peer = { id: network.self, network, membership, election }
  running.add(peer)
  return peer
}

async function startThree(strategy?: StrategyName): Promise<[Peer, Peer, Peer]> {
  const first = await start([], {}, undefined, strategy)
  const join = (): Promise<Peer> => start(first.network.addresses(), {}, undefined, strategy)
  const others = await Promise.all([join(), join()])
  const [low, middle, high] = [first, ...others].sort((a, b) => (a.id < b.id ? -1 : 1))
  return [low!, middle!, high!]
}

/** Resolves when each peer knows all other peers as live. */
async function allKnowAll(peers: Peer[]): Promise<void> {
  const knowsAll = ({ membership }: Peer): boolean =>
    peers.every(({ id }) => membership.live().some(member => member.id === id))
  await Promise.all(
    peers.map(
      peer =>
        new Promise<void>(resolve => {
          const look = (): void => {
            if (!knowsAll(peer)) return
            peer.membership.removeEventListener('member', look)
            resolve()
          }
          peer.membership.addEventListener('member', look)
          look()
        })
    )
  )
}

/** Resolves when all peers follow this leader with the same epoch. */
function allFollow(peers: Peer[], id: string): Promise<Leadership> {
  return new Promise(resolve => {
    const look = (): void => {
      const [leader, ...others] = peers.map(peer => peer.election.leader)
      if (leader?.id !== id || others.some(other => other?.id !== id || other.epoch !== leader.epoch)) return
      for (const { election } of peers) election.removeEventListener('leader', look)
      resolve(leader)
    }
    for (const { election } of peers) election.addEventListener('leader', look)
    look()
  })
}

test('three peers elect the highest PeerId, and agree on the epoch', async () => {
  const peers = await startThree()
  const [low, middle, high] = peers
  const { epoch } = await allFollow(peers, high.id)
  expect([low, middle, high].map(({ election }) => election.isLeader)).toEqual([false, false, true])
  expect(low.election.accepts(high.id, epoch)).toBe(true)
  expect(low.election.accepts(high.id, epoch - 1)).toBe(false)
})

test.each(['lowest', 'ring'] as const)(
  'under the strategy %s, peers agree on the leader, and on the next leader after a stop',
  async strategy => {
    const peers = await startThree(strategy)
    const [first, second, third] = strategy === 'lowest' ? peers : [peers[2], peers[1], peers[0]]
    await allKnowAll(peers)
    const before = await allFollow(peers, first.id)
    await stop(first)
    const after = await allFollow([second, third], second.id)
    expect(after.epoch).toBeGreaterThan(before.epoch)
  }
)

test('peers with different strategies follow no common leader', async () => {
  const bully = await start()
  const ring = await start(bully.network.addresses(), {}, undefined, 'ring')
  await Promise.all([bully, ring].map(peer => allFollow([peer], peer.id)))
  expect([bully, ring].map(({ membership }) => membership.live().length)).toEqual([1, 1])
})

test('the second-highest peer claims in the same tick in which its membership declares the leader dead', async () => {
  const peers = await startThree()
  const [low, middle, high] = peers
  await allKnowAll(peers)
  const before = await allFollow(peers, high.id)
  const leadsAtOnce = new Promise<boolean>(resolve => {
    middle.membership.addEventListener('member', ({ detail: { member } }) => {
      // The election has registered its listener first, so it has already handled this event.
      if (member.id === high.id && member.state === 'dead') resolve(middle.election.isLeader)
    })
  })
  await stop(high)
  expect(await leadsAtOnce).toBe(true)
  const after = await allFollow([low, middle], middle.id)
  expect(after.epoch).toBeGreaterThan(before.epoch)
})

test('a leader that leaves hands off, and its heir leads before the old leader is gone', async () => {
  const peers = await startThree()
  const [low, middle, high] = peers
  await allKnowAll(peers)
  await allFollow(peers, high.id)
  const handedTo: string[] = []
  high.election.onHandOff(async to => void handedTo.push(to))
  await high.election.leave()
  expect(handedTo).toEqual([middle.id])
  await allFollow([low, middle, high], middle.id)
  expect(high.membership.self.state).toBe('alive')
})

test('a higher-ranked peer that joins takes over after a hand-off, with a higher epoch', async () => {
  const first = await start()
  const before = await allFollow([first], first.id)
  const handedTo: string[] = []
  first.election.onHandOff(async to => {
    expect(first.election.isLeader).toBe(true)
    handedTo.push(to)
  })
  const second = await start(first.network.addresses(), { electionPriority: 1 })
  const after = await allFollow([first, second], second.id)
  expect(handedTo).toEqual([second.id])
  expect(after.epoch).toBeGreaterThan(before.epoch)
})

test('a leader keeps leading when a hand-off handler throws', async () => {
  const first = await start()
  await allFollow([first], first.id)
  const tried = new Promise<void>(resolve => {
    first.election.onHandOff(async () => {
      resolve()
      throw new Error('the journal cannot be sent')
    })
  })
  const second = await start(first.network.addresses(), { electionPriority: 1 })
  await allFollow([second], first.id)
  await tried
  await new Promise(resolve => setImmediate(resolve))
  expect(first.election.isLeader).toBe(true)
})

test('a lone worker has no leader, and follows the first electable peer that joins', async () => {
  const worker = await start([], { role: 'worker' })
  const other = await start(worker.network.addresses())
  await allFollow([worker, other], other.id)
  expect(worker.election.isLeader).toBe(false)
})

test('a leader keeps leading after garbage on the stream, on the topic and in a push-pull', async () => {
  const first = await start()
  await allFollow([first], first.id)
  const network = await createNetwork({
    cluster: 'election-test',
    listen: ['/ip4/127.0.0.1/tcp/0'],
    bootstrap: first.network.addresses(),
    mdns: false
  })
  try {
    const raw = { encode: (bytes: Uint8Array) => bytes, decode: (bytes: Uint8Array) => bytes }
    const protocol = network.register({ name: 'election', codec: raw, maxMessageBytes: 4_096 }, { onMessage: () => {} })
    await new Promise<void>(resolve => network.addEventListener('connected', () => resolve(), { once: true }))
    const topic = network.subscribe(
      'leader',
      () => {},
      () => {}
    )
    const channel = await protocol.channel(first.id)
    topic.publish(new Uint8Array([1, 2, 3]))
    await channel.send(new Uint8Array([255, 255, 255]))
    if (!channel.closed.aborted)
      await new Promise(resolve => channel.closed.addEventListener('abort', resolve, { once: true }))
    const membership = createMembership({
      network,
      metadata: { ...first.membership.self, addresses: network.addresses() },
      profile: profiles.local
    })
    membership.setDelegate({ localState: () => new Uint8Array([9, 9, 9]), mergeRemoteState: () => {} })
    await new Promise<void>(resolve => {
      first.membership.addEventListener('member', ({ detail }) => {
        if (detail.member.id === network.self) resolve()
      })
    })
    expect(first.election.isLeader).toBe(true)
    await membership.stop()
  } finally {
    await network.stop()
  }
})

test('a stopped election emits no more events, and a second election can start on the same network', async () => {
  const first = await start()
  await allFollow([first], first.id)
  await first.election.stop()
  await first.election.stop()
  let heard = 0
  first.election.addEventListener('leader', () => {
    heard += 1
  })
  // A network accepts only one registration of a protocol or topic at a time.
  const { network, membership } = first
  const next = createElection({ network, membership, profile: profiles.local })
  const again = { ...first, election: next }
  running.delete(first)
  running.add(again)
  const second = await start(network.addresses(), { electionPriority: 1 })
  await allFollow([again, second], second.id)
  expect(heard).toBe(0)
})

/** Returns a store whose first write ends when the test calls a function. */
function slowStore() {
  const begun = defer<void>()
  const ended = defer<void>()
  const store: ElectionStore = {
    promised: undefined,
    keepPromise: () => Promise.resolve(true),
    accepted: undefined,
    keepAccepted: () => {
      begun.resolve()
      return ended.promise
    },
    hasLostPromises: false,
    foundPromises: () => {},
    onLostPromises: () => {},
    writable: true,
    onWritable: () => () => {}
  }
  return { store, begun: begun.promise, end: ended.resolve }
}

test('a peer does not lead before its claim is on disk', async () => {
  const { store, begun, end } = slowStore()
  const { id, election } = await start([], {}, store)
  await begun
  expect(election.leader).toBeUndefined()
  const shown = new Promise<void>(resolve => election.addEventListener('leader', () => resolve(), { once: true }))
  end()
  await shown
  expect(election.leader?.id).toBe(id)
  expect(election.isLeader).toBe(true)
})

test('an election stops while a write hangs, and shows no leader afterwards', async () => {
  const { store, begun, end } = slowStore()
  const peer = await start([], {}, store)
  await begun
  const leaders: unknown[] = []
  peer.election.addEventListener('leader', event => leaders.push(event))
  await stop(peer)
  end()
  await Promise.resolve()
  expect(leaders).toEqual([])
})
