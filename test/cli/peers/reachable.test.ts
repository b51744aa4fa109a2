import { expect, test } from 'vitest'
import { isLoopbackOnly, reachableAddresses } from '../../../src/cli/peers/reachable.ts'

const at = (host: string, id = 'A'): string => `/ip4/${host}/tcp/4001/p2p/12D3KooW${id}`

test('the addresses for other machines contain one address of each peer before a second address of any peer, without PeerIds', () => {
  const a = [at('127.0.0.1'), at('10.0.0.1'), at('172.17.0.1')]
  const b = [at('127.0.0.1', 'B'), at('10.0.0.2', 'B')]
  expect(reachableAddresses([[], a, b])).toEqual([
    '/ip4/10.0.0.1/tcp/4001',
    '/ip4/10.0.0.2/tcp/4001',
    '/ip4/172.17.0.1/tcp/4001'
  ])
})

test('at most six addresses are chosen, in a cluster of any size', () => {
  const many = Array.from({ length: 200 }, (_, i) => [at(`10.0.0.${i}`), at(`10.0.1.${i}`)])
  expect(reachableAddresses(many)).toHaveLength(6)
})

test('link-local and loopback addresses are chosen only if there are no others', () => {
  const loopback = '/ip6/::1/tcp/4001'
  const link = '/ip6/fe80::1/tcp/4001'
  expect(reachableAddresses([[loopback, link, '/ip6/2001:db8::1/tcp/4001']])).toEqual(['/ip6/2001:db8::1/tcp/4001'])
  expect(reachableAddresses([[loopback, link]])).toEqual([link])
  expect(reachableAddresses([[loopback], [at('127.0.0.1')]])).toEqual([loopback, '/ip4/127.0.0.1/tcp/4001'])
  expect(isLoopbackOnly([loopback])).toBe(true)
  expect(isLoopbackOnly([loopback, link])).toBe(false)
  expect(isLoopbackOnly([])).toBe(false)
  expect(reachableAddresses([])).toEqual([])
})
