import { expect, test } from 'vitest'
import {
  LEASE_MARGIN,
  Lease,
  type LeaseRequest,
  type LeaseRules,
  type LeaseTerms,
  leaseRules,
  majority,
  validity
} from '../../../src/election/quorum/lease.ts'
import { type Promised, type Vote, Voter, type VoterRules, voterRules } from '../../../src/election/quorum/voter.ts'
import { randomFrom } from '../../simulation/world.ts'

const terms: LeaseTerms = { voters: ['a', 'b', 'c'], leaseTime: 1_000, drift: 0.01 }

function newVoter({ promised, startedAt = -terms.leaseTime }: { promised?: Promised; startedAt?: number } = {}): Voter {
  return new Voter({ terms, startedAt, promised })
}

const granted = { type: 'granted' }

/** Asks a voter, and immediately completes the write of the voter. */
function ask(voter: Voter, from: string, epoch: number, sequence: number, now: number): Vote | undefined {
  const vote = voter.ask(from, { epoch, sequence }, now)
  if (vote?.type !== 'write') return vote
  return voter.written(true, now) && { type: 'granted' }
}

test('a majority of 3, 5 and 7 voters is 2, 3 and 4 voters', () => {
  expect([3, 5, 7].map(majority)).toEqual([2, 3, 4])
})

test('a grant is valid for its holder for the lease time less twice the drift and less the margin', () => {
  expect(validity(terms)).toBeCloseTo((1_000 * 0.99) / 1.01 - LEASE_MARGIN)
})

test('a lease is valid while a majority of its grants is valid', () => {
  const lease = new Lease(terms)
  const first = lease.ask(1, 0)
  lease.granted('a', first, 5)
  expect(lease.validUntil).toBeUndefined()
  lease.granted('b', first, 700)
  expect(lease.validUntil).toBeCloseTo(validity(terms))
  const second = lease.ask(1, 500)
  lease.granted('a', second, 510)
  expect(lease.validUntil).toBeCloseTo(validity(terms))
  lease.granted('c', second, 510)
  expect(lease.validUntil).toBeCloseTo(500 + validity(terms))
})

test('a grant for another epoch, from a peer without a vote or after its time does not count', () => {
  const lease = new Lease(terms)
  const old = lease.ask(1, 0)
  const request = lease.ask(2, 10)
  lease.granted('a', old, 20)
  lease.granted('stranger', request, 20)
  lease.granted('b', request, 20)
  expect(lease.validUntil).toBeUndefined()
  lease.ask(2, 10 + validity(terms))
  expect(lease.awaits(request)).toBe(false)
  lease.granted('c', request, 2_000)
  expect(lease.validUntil).toBeUndefined()
})

test('a lease is not valid after its holder has released it', () => {
  const lease = new Lease(terms)
  const request = lease.ask(1, 0)
  for (const voter of ['a', 'b']) lease.granted(voter, request, 0)
  expect(lease.release()).toEqual({ epoch: 1, sequence: 2 })
  expect(lease.validUntil).toBeUndefined()
  expect(lease.release()).toBeUndefined()
})

test('a voter grants the lease to no second holder within the lease time, and its denial contains the remaining time', () => {
  const voter = newVoter()
  expect(ask(voter, 'a', 1, 1, 0)).toEqual(granted)
  expect(ask(voter, 'b', 2, 1, 400)).toEqual({
    type: 'denied',
    promised: { epoch: 1, holder: 'a' },
    wait: 600
  })
  expect(ask(voter, 'a', 1, 2, 500)).toEqual(granted)
  expect(ask(voter, 'b', 2, 2, 1_499)).toMatchObject({ type: 'denied' })
  expect(ask(voter, 'b', 2, 3, 1_500)).toEqual(granted)
})

test('a voter never grants the same epoch to two holders, and never grants an epoch below its last promise', () => {
  const voter = newVoter({ promised: { epoch: 5, holder: 'a' } })
  const later = 1_000_000
  expect(ask(voter, 'b', 5, 1, later)).toMatchObject({ type: 'denied', wait: 0 })
  expect(ask(voter, 'b', 4, 2, later)).toBeUndefined()
  expect(ask(voter, 'c', 4, 1, later)).toMatchObject({ type: 'denied' })
  expect(ask(voter, 'c', 6, 1, later)).toEqual(granted)
})

test('a restarted voter grants nothing for one lease time, not even to the holder of its promise', () => {
  const voter = newVoter({ startedAt: 0, promised: { epoch: 5, holder: 'a' } })
  expect(ask(voter, 'a', 5, 7, 999)).toMatchObject({ type: 'denied', wait: 1 })
  expect(ask(voter, 'a', 5, 8, 1_000)).toEqual(granted)
})

test('a voter grants only after its promise is on disk, and forgets a promise whose write fails', () => {
  const voter = newVoter()
  const promised = { epoch: 1, holder: 'a' }
  expect(voter.ask('a', { epoch: 1, sequence: 1 }, 0)).toEqual({ type: 'write', promised })
  expect(voter.promised).toBeUndefined()
  expect(voter.ask('b', { epoch: 2, sequence: 1 }, 10), 'meanwhile it answers nobody').toBeUndefined()
  expect(voter.written(true, 20)).toEqual({ to: 'a', request: { epoch: 1, sequence: 1 } })
  expect(voter.ask('a', { epoch: 1, sequence: 2 }, 100), 'a renewal needs no write').toEqual(granted)
  expect(voter.promised).toEqual(promised)
  const broken = newVoter()
  broken.ask('a', { epoch: 1, sequence: 1 }, 0)
  expect(broken.written(false, 20)).toBeUndefined()
  expect(broken.promised).toBeUndefined()
  expect(ask(broken, 'b', 1, 1, 30)).toEqual(granted)
})

test('a voter does not grant a promise that its holder releases before the write ends', () => {
  const voter = newVoter()
  voter.ask('a', { epoch: 1, sequence: 1 }, 0)
  voter.release('a', { epoch: 1, sequence: 2 }, 5)
  expect(voter.written(true, 10)).toBeUndefined()
  expect(voter.promised, 'it is on disk').toEqual({ epoch: 1, holder: 'a' })
  expect(ask(voter, 'b', 2, 1, 10)).toEqual(granted)
})

test('a release frees a voter for another holder, but an old release does not', () => {
  const voter = newVoter()
  ask(voter, 'a', 1, 1, 0)
  ask(voter, 'a', 1, 3, 100)
  voter.release('a', { epoch: 1, sequence: 2 }, 110)
  expect(ask(voter, 'b', 2, 1, 120)).toMatchObject({ type: 'denied' })
  voter.release('a', { epoch: 1, sequence: 4 }, 130)
  expect(ask(voter, 'b', 2, 2, 140)).toEqual(granted)
})

test('a voter grants a higher epoch to the holder of its promise', () => {
  const voter = newVoter()
  ask(voter, 'a', 1, 1, 0)
  expect(ask(voter, 'a', 3, 1, 10)).toEqual(granted)
  expect(ask(voter, 'a', 1, 9, 20)).toBeUndefined()
})

test('a voter ignores the request of a peer without a vote', () => {
  expect(ask(newVoter(), 'stranger', 1, 1, 0)).toBeUndefined()
})

// --- A simulation: each peer is a voter and a candidate with its own clock, over a bad network

interface Rules {
  lease: LeaseRules
  voter: VoterRules
}

/** Returns a clock with a rate within the drift bound and an arbitrary origin. */
function clock(random: () => number): (trueTime: number) => number {
  const rate = 1 + (random() * 2 - 1) * terms.drift
  const offset = random() * 1e6
  return time => offset + time * rate
}

/** Simulates 30 s of requests, renewals, releases and restarts. Returns the first failure, and the number of epochs with a holder. */
function run(seed: number, rules: Rules): { failure?: string; held: number } {
  const random = randomFrom(seed)
  const voters = terms.voters
  const queue: Array<{ at: number; run: () => void }> = []
  let now = 0
  const later = (ms: number, run: () => void): void => void queue.push({ at: now + ms, run })
  const delay = (): number => random() * random() * 1_500
  const peers = new Map(
    voters.map(id => {
      const time = clock(random)
      return [
        id,
        {
          id,
          time,
          disk: undefined as Promised | undefined,
          lease: new Lease(terms, rules.lease),
          voter: undefined as unknown as Voter,
          seen: 0
        }
      ]
    })
  )
  type Peer = NonNullable<ReturnType<typeof peers.get>>
  const boot = (peer: Peer): void => {
    peer.lease = new Lease(terms, rules.lease)
    peer.voter = new Voter({
      terms,
      startedAt: peer.time(now),
      promised: peer.disk,
      rules: rules.voter
    })
  }
  /** Asks `other` for its vote. If `other` restarts during its write, the promise is on disk in half of the cases. */
  const vote = (peer: Peer, other: Peer, request: LeaseRequest, granted: () => void): void => {
    const { voter } = other
    const answer = voter.ask(peer.id, request, other.time(now))
    if (answer?.type === 'granted') granted()
    else if (answer?.type === 'denied' && random() < 0.3) peer.seen = Math.max(peer.seen, answer.promised?.epoch ?? 0)
    else if (answer?.type === 'write') {
      later(random() * 20, () => {
        if (other.voter !== voter && random() < 0.5) return
        if (other.disk === undefined || answer.promised.epoch >= other.disk.epoch) other.disk = answer.promised
        if (other.voter === voter && voter.written(true, other.time(now)) !== undefined) granted()
      })
    }
  }
  const ask = (peer: Peer, epoch: number): void => {
    const request = peer.lease.ask(epoch, peer.time(now))
    const { lease } = peer
    // A peer first writes its own vote, so that it never asks for the same epoch again after a restart.
    vote(peer, peer, request, () => {
      if (peer.lease !== lease) return
      peer.lease.granted(peer.id, request, peer.time(now))
      for (const other of peers.values()) {
        if (other === peer || random() < 0.2) continue
        later(delay(), () =>
          vote(peer, other, request, () => later(delay(), () => peer.lease.granted(other.id, request, peer.time(now))))
        )
      }
    })
  }
  const holds = (peer: Peer): boolean => (peer.lease.validUntil ?? Number.NEGATIVE_INFINITY) > peer.time(now)
  const act = (peer: Peer): void => {
    const roll = random()
    if (roll < 0.03) boot(peer)
    else if (roll < 0.15) {
      const request = peer.lease.release()
      if (request !== undefined)
        for (const other of peers.values()) later(delay(), () => other.voter.release(peer.id, request, other.time(now)))
    } else if (holds(peer)) ask(peer, peer.lease.epoch!)
    else {
      peer.seen = Math.max(peer.seen, peer.disk?.epoch ?? 0)
      ask(peer, peer.seen + 1)
    }
    later(20 + random() * 600, () => act(peer))
  }
  for (const peer of peers.values()) {
    boot(peer)
    later(random() * 500, () => act(peer))
  }
  const epochs = new Map<number, string>()
  while (now < 30_000) {
    queue.sort((a, b) => a.at - b.at)
    const next = queue.shift()!
    now = next.at
    next.run()
    const holders = [...peers.values()].filter(holds)
    if (holders.length > 1) return { failure: `${holders.map(({ id }) => id)} at ${now}`, held: epochs.size }
    for (const { id, lease } of holders) {
      const other = epochs.get(lease.epoch!)
      if (other !== undefined && other !== id)
        return { failure: `epoch ${lease.epoch} of ${other} and ${id} at ${now}`, held: epochs.size }
      epochs.set(lease.epoch!, id)
    }
  }
  return { held: epochs.size }
}

const SEEDS = 300
const all: Rules = { lease: leaseRules, voter: voterRules }

test('two peers never hold the lease at the same time, and no epoch has two holders, even if messages are lost or late and peers restart', () => {
  let held = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    const result = run(seed, all)
    expect(result.failure, `seed ${seed}`).toBeUndefined()
    held += result.held
  }
  expect(held).toBeGreaterThan(SEEDS)
})

const broken: Array<[string, { lease?: Partial<LeaseRules>; voter?: Partial<VoterRules> }]> = [
  ['a grant counts from the time at which its request was sent', { lease: { countsFrom: (_, now) => now } }],
  ['a holder needs a majority', { lease: { needed: () => 1 } }],
  ['a voter waits after its start', { voter: { grantsFrom: startedAt => startedAt } }],
  ['a voter keeps its promise', { voter: { isBound: () => false } }],
  ['a voter grants only rising epochs', { voter: { isTaken: () => false } }],
  ['a voter ignores an old request', { voter: { isNew: () => true } }],
  ['a voter writes its promise before it grants', { voter: { mustWrite: () => false } }]
]

test.each(broken)('the simulation fails when a peer breaks the rule: %s', (rule, { lease, voter }) => {
  const rules = { lease: { ...leaseRules, ...lease }, voter: { ...voterRules, ...voter } }
  const found = Array.from({ length: 1_000 }, (_, i) => i + 1).find(seed => run(seed, rules).failure !== undefined)
  expect(found, `no seed noticed: ${rule}`).toBeDefined()
})
