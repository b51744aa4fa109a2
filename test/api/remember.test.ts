import { expect, test } from 'vitest'
import { addressesOf, beginAfter } from '../../src/api/remember.ts'

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
