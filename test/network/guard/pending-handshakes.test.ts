import { connect, type Socket } from 'node:net'
import type { MultiaddrConnection } from '@libp2p/interface'
import { multiaddr } from '@multiformats/multiaddr'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { MOST_HANDSHAKES, PendingHandshakes } from '../../../src/network/guard/pending-handshakes.ts'
import { hostPrefix } from '../../../src/network/host-prefix.ts'
import type { Network } from '../../../src/network/types.ts'
import { bareNode } from '../bare-node.ts'
import { address, port, start } from '../support.ts'

const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Handshake slots over fake connections, which are listed by address. */
function world(most: number) {
  const open = new Map<string, EventTarget>()
  const evicted: string[] = []
  const slots = new PendingHandshakes(host => evicted.push(host), most)
  const close = (text: string): void => {
    const target = open.get(text)
    open.delete(text)
    target?.dispatchEvent(new Event('close'))
  }
  const begin = (host: string, port: number): void => {
    const text = `/ip4/${host}/tcp/${port}`
    const target = new EventTarget()
    const rest = { remoteAddr: multiaddr(text), abort: () => close(text) }
    open.set(text, target)
    slots.add(Object.assign(target, rest) as unknown as MultiaddrConnection)
  }
  const of = (host: string): number[] =>
    [...open.keys()].filter(text => text.includes(host)).map(text => Number(text.split('/')[4]))
  return { slots, open, evicted, close, begin, of }
}

test('one host may use all handshake slots while no other host connects', () => {
  const { open, evicted, begin } = world(10)
  for (let i = 1; i <= 10; i++) begin('192.0.2.1', i)
  expect(open.size).toBe(10)
  expect(evicted).toEqual([])
})

test('when all slots are in use, a new connection evicts the oldest handshake of the host with the most handshakes', () => {
  const { begin, evicted, of } = world(10)
  for (let i = 1; i <= 9; i++) begin('192.0.2.1', i)
  begin('192.0.2.2', 1)
  begin('192.0.2.2', 2)
  expect(of('192.0.2.1')).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  expect(of('192.0.2.2')).toEqual([1, 2])
  begin('192.0.2.1', 10)
  expect(of('192.0.2.1')).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
  for (let i = 1; i <= 3; i++) begin('192.0.2.3', i)
  expect([of('192.0.2.1').length, of('192.0.2.2').length, of('192.0.2.3').length]).toEqual([5, 2, 3])
  expect(new Set(evicted)).toEqual(new Set(['192.0.2.1']))
})

test('a finished handshake frees its slot, and a closed connection frees its slot', () => {
  const { slots, begin, close, evicted } = world(2)
  begin('192.0.2.1', 1)
  begin('192.0.2.1', 2)
  slots.finish(multiaddr('/ip4/192.0.2.1/tcp/1/p2p/12D3KooWGC6TvWhfagifX6DZM3MMCq3Nb6EJYgY5wsvJdVbCJzXp'))
  close('/ip4/192.0.2.1/tcp/1')
  begin('192.0.2.1', 3)
  close('/ip4/192.0.2.1/tcp/2')
  begin('192.0.2.1', 4)
  expect(evicted).toEqual([])
  begin('192.0.2.1', 5)
  expect(evicted).toEqual(['192.0.2.1'])
})

test('an IPv6 address is counted by its first 64 bits, and an IPv4 address by all its bits, also in the IPv6 notation', () => {
  expect(hostPrefix('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(hostPrefix('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(hostPrefix('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(hostPrefix('::1')).toBe('0:0:0:0::/64')
  expect(hostPrefix('192.0.2.1')).toBe('192.0.2.1')
  expect(new Set(['::ffff:192.0.2.1', '::ffff:192.0.2.2', '::ffff:c000:201'].map(hostPrefix)).size).toBe(3)
})

/** Keeps `count` silent sockets open from the address `from`. Resolves when the victim has closed a socket because of the limit of handshakes. */
async function flood(victim: Network, from: string, count: number): Promise<void> {
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  const open = (): void => {
    const socket = connect({ port: Number(port(victim)), host: '127.0.0.1', localAddress: from })
    sockets.push(socket)
    // On a slow machine the victim also closes sockets that are silent for too long. The test opens these sockets again.
    socket.on('error', () => {}).on('close', () => !isOver && victim.refusals.counts().rate === 0 && open())
  }
  for (let i = 0; i < count; i++) open()
  await expect.poll(() => victim.refusals.counts().rate).toBeGreaterThan(0)
}

test('while one host holds all handshake slots with silent sockets, another host connects at its first attempt', async () => {
  const victim = await start()
  const node = await bareNode(victim.clusterId)
  await flood(victim, '127.0.0.2', MOST_HANDSHAKES + 100)
  const connection = await node.dial(multiaddr(address(victim)))
  expect(connection.status).toBe('open')
  expect(victim.isConnected(node.peerId.toString())).toBe(true)
  expect(victim.refusals.counts().rate).toBeGreaterThan(0)
})
