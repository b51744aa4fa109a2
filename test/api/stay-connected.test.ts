import { TypedEventEmitter } from 'main-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLeadersConnected } from '../../src/api/stay-connected.ts'
import { compareRanks } from '../../src/election/core/rank.ts'
import type { ElectionEvents, Leadership } from '../../src/election/types.ts'
import type { Member } from '../../src/membership/core/member.ts'
import type { MembershipEvents } from '../../src/membership/types.ts'
import { metadataOf } from '../simulation/membership.ts'

const FULL_MESH = 4

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

class FakeMembership extends TypedEventEmitter<MembershipEvents> {
  members: Member[] = []
  live = (): Member[] => this.members

  add(id: string, change: Partial<Member> = {}): void {
    const member: Member = { ...metadataOf(id), id, state: 'alive', incarnation: 0, revision: 0, since: 0, ...change }
    this.members = [...this.members, member]
    this.dispatchEvent(new CustomEvent('member', { detail: { member, previous: undefined } }))
  }
}

class FakeElection extends TypedEventEmitter<ElectionEvents> {
  leader: Leadership | undefined
  readonly order = compareRanks

  lead(id: string): void {
    this.leader = { id, epoch: 1 } as Leadership
    this.dispatchEvent(new CustomEvent('leader', { detail: { leader: this.leader, previous: undefined } }))
  }
}

/**
 * A cluster seen from the peer `self`. `wanted` returns the connections that the peer asked for last, after all timers
 * have fired.
 */
function world(self: string) {
  const membership = new FakeMembership()
  const election = new FakeElection()
  const said: Array<'all' | string[]> = []
  const network = {
    self,
    stayConnected: (_reason: string, peers: 'all' | Iterable<string>) => {
      said.push(peers === 'all' ? 'all' : [...peers].toSorted())
    }
  }
  const stop = keepLeadersConnected(network, membership, election, FULL_MESH)
  const wanted = (): 'all' | string[] | undefined => {
    vi.runAllTimers()
    return said.at(-1)
  }
  return { membership, election, said, stop, wanted }
}

test('a peer of a small cluster asks for no connections, because all members are connected', () => {
  const { membership, wanted } = world('a')
  for (const id of ['a', 'b', 'c', 'd']) membership.add(id)
  expect(wanted()).toBeUndefined()
})

test('a worker of a large cluster stays connected to the three highest-ranked candidates', () => {
  const { membership, wanted } = world('a')
  for (const id of ['a', 'b', 'c', 'd', 'e']) membership.add(id)
  membership.add('z', { role: 'worker' })
  membership.add('B', { electionPriority: 1 })
  expect(wanted()).toEqual(['B', 'd', 'e'])
})

test('a worker stays connected to a leader of lower rank as well', () => {
  const { membership, election, wanted } = world('a')
  for (const id of ['a', 'b', 'c', 'd', 'e']) membership.add(id)
  election.lead('b')
  expect(wanted()).toEqual(['b', 'c', 'd', 'e'])
})

test('each of the three highest-ranked candidates stays connected to all peers', () => {
  const { membership, wanted } = world('c')
  for (const id of ['a', 'b', 'c', 'd', 'e']) membership.add(id)
  expect(wanted()).toBe('all')
})

test('a peer asks for connections only when the wanted connections change, and never after the stop', () => {
  const { membership, election, said, stop, wanted } = world('a')
  for (const id of ['a', 'b', 'c', 'd', 'e']) membership.add(id)
  wanted()
  election.lead('e')
  wanted()
  expect(said).toHaveLength(1)
  stop()
  membership.add('f')
  wanted()
  expect(said).toHaveLength(1)
})
