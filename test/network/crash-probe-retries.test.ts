import { createServer, type Server } from 'node:net'
import type { MultiaddrConnection } from '@libp2p/interface'
import { peerIdFromString } from '@libp2p/peer-id'
import { type Multiaddr, multiaddr } from '@multiformats/multiaddr'
import { afterEach, expect, test, vi } from 'vitest'
import { CrashProbe } from '../../src/network/crash-probe.ts'
import { AddressBook } from '../../src/network/discovery/address-book.ts'
import { hostId } from '../../src/network/host-id.ts'
import type { Node } from '../../src/network/node.ts'
import { deferred } from './support.ts'

const peer = '12D3KooWBaDZVYvuxWJKMubWhEJD4jokXhcxg8TFPHrp82XWHZyU'
const other = '12D3KooWGC6TvWhfagifX6DZM3MMCq3Nb6EJYgY5wsvJdVbCJzXp'
const nobody = { has: () => false, peers: () => [] }
const ignore = () => {}

afterEach(() => {
  vi.useRealTimers()
})

async function listening(): Promise<{ server: Server; address: string }> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { server, address: `/ip4/127.0.0.1/tcp/${port}` }
}

test('while a port still accepts connections, the crash probe repeats the probe until the port refuses', async () => {
  const { server, address } = await listening()
  server.once('connection', socket => {
    socket.destroy()
    server.close()
  })
  const book = new AddressBook()
  book.announce(peer, [address], hostId())
  const probe = new CrashProbe(nobody, book, ignore)
  probe.authenticated(peer, multiaddr(address))
  expect(await probe.ask(peer, undefined)).toBe('refused')
  probe.stop()
})

test('a new connection to the probed peer ends the crash probe with the answer `unknown`', async () => {
  const { server, address } = await listening()
  let connected = false
  server.on('connection', socket => {
    connected = true
    socket.destroy()
    server.close()
  })
  const book = new AddressBook()
  book.announce(peer, [address], hostId())
  const probe = new CrashProbe({ ...nobody, has: () => connected }, book, ignore)
  probe.authenticated(peer, multiaddr(address))
  expect(await probe.ask(peer, undefined)).toBe('unknown')
  probe.stop()
})

test('when a peer connects before its record arrives, the crash probe dials the peer back as soon as the record arrives', async () => {
  vi.useFakeTimers()
  const dialled: string[] = []
  const node = {
    dial: async (address: unknown) => {
      dialled.push(String(address))
      throw new Error('the gater ends it')
    }
  }
  const book = new AddressBook()
  const probe = new CrashProbe({ has: () => true, peers: () => [peer] }, book, ignore)
  probe.use(node as unknown as Node)
  probe.meet(peer)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dialled).toEqual([])
  book.announce(peer, ['/ip4/127.0.0.1/tcp/4001'], hostId())
  probe.meet(peer)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dialled).toEqual(['/ip4/127.0.0.1/tcp/4001'])
  probe.stop()
})

/** Returns a crash probe that knows `peer` by the announced addresses `own`, and the list of displacements that the probe reports. */
function observing(own: string[]): { probe: CrashProbe; displaced: string[] } {
  const book = new AddressBook()
  book.announce(peer, own, hostId())
  const displaced: string[] = []
  const probe = new CrashProbe(nobody, book, (who, address) => {
    displaced.push(`${who === peer ? 'peer' : 'other'} at ${address}`)
  })
  return { probe, displaced }
}

test('the crash probe reports exactly one displacement when a peer authenticates at the own address of another peer', () => {
  const at = multiaddr('/ip4/10.0.0.1/tcp/4001')
  const { probe, displaced } = observing([at.toString()])
  probe.authenticated(peer, at)
  probe.authenticated(peer, at)
  probe.authenticated(other, at)
  probe.authenticated(other, at)
  expect(displaced).toEqual(['peer at /ip4/10.0.0.1/tcp/4001'])
  probe.stop()
})

test('no peer is displaced at the address of a load balancer, where several peers answer in turn', () => {
  const service = multiaddr('/ip4/10.0.0.9/tcp/4001')
  const { probe, displaced } = observing(['/ip4/10.0.0.1/tcp/4001'])
  for (const each of [peer, other, peer, other]) probe.authenticated(each, service)
  expect(displaced).toEqual([])
  probe.stop()
})

test('a peer is not displaced at an address that it announced but where it never authenticated', () => {
  const at = multiaddr('/ip4/10.0.0.1/tcp/4001')
  const { probe, displaced } = observing([at.toString()])
  probe.authenticated(other, at)
  expect(displaced).toEqual([])
  probe.stop()
})

test('the crash probe answers `unknown` when another peer took one of a peer’s two addresses and the second address accepts', async () => {
  const [taken, kept] = [await listening(), await listening()]
  const book = new AddressBook()
  book.announce(peer, [taken.address, kept.address], hostId())
  const probe = new CrashProbe(nobody, book, ignore)
  probe.use(answering(() => probe.denyOutbound, { [taken.address]: other, [kept.address]: peer }))
  for (const { address } of [taken, kept]) probe.authenticated(peer, multiaddr(address))
  probe.authenticated(other, multiaddr(taken.address))
  expect(await probe.ask(peer, undefined)).toBe('unknown')
  await new Promise(resolve => kept.server.close(resolve))
  expect(await probe.ask(peer, undefined)).toBe('refused')
  await new Promise(resolve => taken.server.close(resolve))
  probe.stop()
})

test('the crash probe answers `unknown` when a peer answers again at an address that another peer had taken', async () => {
  const { server, address } = await listening()
  const book = new AddressBook()
  book.announce(peer, [address], hostId())
  const probe = new CrashProbe(nobody, book, ignore)
  probe.use(answering(() => probe.denyOutbound, { [address]: peer }))
  probe.authenticated(peer, multiaddr(address))
  probe.authenticated(other, multiaddr(address))
  expect(await probe.ask(peer, undefined)).toBe('unknown')
  await new Promise(resolve => server.close(resolve))
  probe.stop()
})

test('when a connected peer loses an address to another peer, the crash probe dials the remaining addresses of the connected peer', async () => {
  const [taken, kept] = ['/ip4/10.0.0.1/tcp/4001', '/ip4/10.0.0.2/tcp/4001']
  const book = new AddressBook()
  book.announce(peer, [taken, kept], hostId())
  const found = deferred<void>()
  const probe = new CrashProbe({ ...nobody, has: () => true }, book, ignore)
  probe.use(
    answering(
      () => probe.denyOutbound,
      { [taken]: other, [kept]: peer },
      address => {
        if (address === kept) found.resolve(undefined)
      }
    )
  )
  probe.authenticated(peer, multiaddr(taken))
  probe.authenticated(other, multiaddr(taken))
  probe.meet(peer)
  await found.promise
  probe.stop()
})

/** A node whose dial to an address in `peers` reaches the peer of that address, and which the gater then ends. */
function answering(
  denyOutbound: () => CrashProbe['denyOutbound'],
  peers: Record<string, string>,
  dialled: (address: string) => void = () => {}
): Node {
  const dial = async (address: Multiaddr): Promise<never> => {
    dialled(address.toString())
    const connection = { remoteAddr: address } as unknown as MultiaddrConnection
    await denyOutbound()?.(peerIdFromString(peers[address.toString()]!), connection)
    throw new Error('the gater ends it')
  }
  return { dial } as unknown as Node
}
