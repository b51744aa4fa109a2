import { expect, test } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { isLoopback, parseMultiaddr, peerOf, withoutPeer } from '../../src/network/multiaddr.ts'

const id = '12D3KooWGC6TvWhfagifX6DZM3MMCq3Nb6EJYgY5wsvJdVbCJzXp'

test('a TCP address is accepted with or without a PeerId', () => {
  expect(parseMultiaddr('/dns4/seed/tcp/4001', '--bootstrap').toString()).toBe('/dns4/seed/tcp/4001')
  const address = parseMultiaddr(`/ip4/10.0.0.1/tcp/4001/p2p/${id}`, '--bootstrap')
  expect(peerOf(address)).toBe(id)
  expect(withoutPeer(address).toString()).toBe('/ip4/10.0.0.1/tcp/4001')
})

test.each([
  '10.0.0.1:4001',
  '/ip4/10.0.0.999/tcp/1',
  '/ip4/10.0.0.1/udp/4001',
  '/ip4/10.0.0.1',
  '/ip4/10.0.0.1/tcp/4001/ws',
  '/ip4/10.0.0.1/tcp/99999'
])('the address %s is refused with an error that names the option and the address', text => {
  let error: unknown
  try {
    parseMultiaddr(text, '--listen')
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(InvalidOptionError)
  expect((error as Error).message).toContain('--listen')
  expect((error as Error).message).toContain(text)
})

test('isLoopback accepts only loopback addresses', () => {
  expect(isLoopback(parseMultiaddr('/ip4/127.0.0.1/tcp/1', 'x'))).toBe(true)
  expect(isLoopback(parseMultiaddr('/ip6/::1/tcp/1', 'x'))).toBe(true)
  expect(isLoopback(parseMultiaddr('/ip4/10.0.0.1/tcp/1', 'x'))).toBe(false)
})
