import { describe, expect, it, test } from 'vitest'
import { addressesOf, beginAfter, rememberIn } from '../../src/api/remember.ts'
import { silent } from '../../src/common/logger.ts'
import type { Member } from '../../src/membership/core/member.ts'
import type { Membership } from '../../src/membership/types.ts'
import type { DataDir } from '../../src/persistence/data-dir.ts'
import { FakeMembership } from '../jobs/fake-cluster.ts'

const self = { id: 'me', state: 'alive', incarnation: 3, addresses: [], host: '', hasDisk: true } as unknown as Member

const member = (n: number, addresses: string[], host = 'elsewhere') => ({
  id: `m${String(n).padStart(3, '0')}`,
  addresses,
  host
})

test('a peer keeps loopback addresses only of members on its own machine', () => {
  const addresses = ['/ip4/127.0.0.1/tcp/1', '/ip4/192.0.2.1/tcp/1']
  expect(addressesOf([member(1, addresses)], 'here')).toEqual(['/ip4/192.0.2.1/tcp/1'])
  expect(addressesOf([member(1, addresses, 'here')], 'here')).toEqual(addresses)
  expect(addressesOf([member(1, addresses, '')], '')).toEqual(['/ip4/192.0.2.1/tcp/1'])
})

test('a peer keeps one address of every member before a second address of any member', () => {
  const many = Array.from({ length: 50 }, (_, i) =>
    member(
      i,
      [1, 2, 3, 4, 5].map(k => `/ip4/10.0.${k}.${i}/tcp/1`)
    )
  )
  const kept = addressesOf(many, 'here')
  expect(kept).toHaveLength(64)
  expect(new Set(kept.map(address => address.split('.')[3])).size).toBe(50)
})

test('a peer keeps only TCP addresses', () => {
  expect(addressesOf([member(1, ['/ip4/192.0.2.1/udp/1', 'nonsense', '/dns4/host/tcp/1'])], 'here')).toEqual([
    '/dns4/host/tcp/1'
  ])
})

test('a restarted peer begins above its stored incarnation and epoch, and a new peer begins at incarnation 0 and epoch 0', () => {
  const past = { promised: undefined, accepted: undefined, addresses: [], members: [] }
  expect(beginAfter({ ...past, incarnation: undefined, epoch: 0 })).toEqual({ incarnation: 0, epoch: 0 })
  expect(beginAfter({ ...past, incarnation: 3, epoch: 8 })).toEqual({ incarnation: 5, epoch: 9 })
})

describe('a peer whose data folder is a copy, or is from an earlier time', () => {
  /** Remembers the members of one peer, whose membership is a table of its own. */
  function remembering() {
    const membership = new FakeMembership('me')
    membership.set(self)
    const marked: string[] = []
    const replica = { isIncomplete: false, markIncomplete: () => void marked.push('entries') }
    const state = { raise: async () => true, remember: () => {}, losePromises: () => void marked.push('promises') }
    const updates: object[] = []
    const stop = rememberIn({ state } as unknown as DataDir, {
      membership: Object.assign(membership, {
        isReady: false,
        update: (change: object) => void updates.push(change)
      }) as unknown as Membership,
      replica,
      logger: silent
    })
    return { membership, marked, updates, stop }
  }

  it('marks its entries and promises as lost when others know a newer run of it', () => {
    const { membership, marked, stop } = remembering()
    expect(marked).toEqual([])
    membership.dispatchEvent(new CustomEvent('outdated'))
    expect(marked.toSorted()).toEqual(['entries', 'promises'])
    stop()
    membership.dispatchEvent(new CustomEvent('outdated'))
    expect(marked).toHaveLength(2)
  })

  it('renews its record once it has met the others, so that they know more than any earlier folder', () => {
    const { membership, updates } = remembering()
    expect(updates).toEqual([])
    membership.dispatchEvent(new CustomEvent('ready'))
    expect(updates).toEqual([])
    membership.dispatchEvent(new CustomEvent('met'))
    expect(updates).toEqual([{}])
  })
})
