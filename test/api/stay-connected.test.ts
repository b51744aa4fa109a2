import { TypedEventEmitter } from 'main-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLeadersConnected } from '../../src/api/stay-connected.ts'
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

  lead(id: string): void {
    this.leader = { id, epoch: 1 } as Leadership
    this.dispatchEvent(new CustomEvent('leader', { detail: { leader: this.leader, previous: undefined } }))
  }
}

/** What the peer `self` of a cluster wants: the last that it said, after a moment. */
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

test('a small cluster needs no word about leaders', () => {
  const { membership, wanted } = world('a')
  for (const id of ['a', 'b', 'c', 'd']) membership.add(id)
  expect(wanted()).toBeUndefined()
})

test('a worker of a large cluster stays connected to the three of the highest rank who may lead', () => {
  const { membership, wanted } = world('a')
  for (const id of ['a', 'b', 'c', 'd', 'e']) membership.add(id)
  membership.add('z', { role: 'worker' })
  membership.add('B', { electionPriority: 1 })
  expect(wanted()).toEqual(['B', 'd', 'e'])
})

test('a leader of a lower rank counts, too', () => {
  const { membership, election, wanted } = world('a')
  for (const id of ['a', 'b', 'c', 'd', 'e']) membership.add(id)
  election.lead('b')
  expect(wanted()).toEqual(['b', 'c', 'd', 'e'])
})

test('whoever leads or comes next stays connected to all', () => {
  const { membership, wanted } = world('c')
  for (const id of ['a', 'b', 'c', 'd', 'e']) membership.add(id)
  expect(wanted()).toBe('all')
})

test('what has not changed is not said again, and nothing after it was ended', () => {
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
