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
const nobody = { isConnected: () => false, connected: () => [], displaced: () => {} }

afterEach(() => {
  vi.useRealTimers()
})

async function listening(): Promise<{ server: Server; address: string }> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { server, address: `/ip4/127.0.0.1/tcp/${port}` }
}

test('a port that still accepts in the last moment of its process is asked again until it refuses', async () => {
  const { server, address } = await listening()
  server.once('connection', socket => {
    socket.destroy()
    server.close()
  })
  const book = new AddressBook()
  book.announce(peer, [address], hostId())
  const kernel = new CrashProbe(nobody, book)
  kernel.authenticated(peer, multiaddr(address))
  expect(await kernel.ask(peer, undefined)).toBe('refused')
  kernel.stop()
})

test('a new connection to the peer ends the asking: nothing is known', async () => {
  const { server, address } = await listening()
  let connected = false
  server.on('connection', socket => {
    connected = true
    socket.destroy()
    server.close()
  })
  const book = new AddressBook()
  book.announce(peer, [address], hostId())
  const kernel = new CrashProbe({ ...nobody, isConnected: () => connected }, book)
  kernel.authenticated(peer, multiaddr(address))
  expect(await kernel.ask(peer, undefined)).toBe('unknown')
  kernel.stop()
})

test('a peer that was met before its record came is dialled back as soon as the record is there', async () => {
  vi.useFakeTimers()
  const dialled: string[] = []
  const node = {
    dial: async (address: unknown) => {
      dialled.push(String(address))
      throw new Error('the gater ends it')
    }
  }
  const book = new AddressBook()
  const kernel = new CrashProbe({ ...nobody, isConnected: () => true, connected: () => [peer] }, book)
  kernel.use(node as unknown as Node)
  kernel.meet(peer)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dialled).toEqual([])
  book.announce(peer, ['/ip4/127.0.0.1/tcp/4001'], hostId())
  kernel.meet(peer)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(dialled).toEqual(['/ip4/127.0.0.1/tcp/4001'])
  kernel.stop()
})

/** A kernel that notes who was displaced where; the peer announced `own`. */
function observing(own: string[]): { kernel: CrashProbe; displaced: string[] } {
  const book = new AddressBook()
  book.announce(peer, own, hostId())
  const displaced: string[] = []
  const kernel = new CrashProbe(
    { ...nobody, displaced: (who, address) => displaced.push(`${who === peer ? 'peer' : 'other'} at ${address}`) },
    book
  )
  return { kernel, displaced }
}

test('another peer that is authenticated at a peer’s own address displaces it there, once', () => {
  const at = multiaddr('/ip4/10.0.0.1/tcp/4001')
  const { kernel, displaced } = observing([at.toString()])
  kernel.authenticated(peer, at)
  kernel.authenticated(peer, at)
  kernel.authenticated(other, at)
  kernel.authenticated(other, at)
  expect(displaced).toEqual(['peer at /ip4/10.0.0.1/tcp/4001'])
  kernel.stop()
})

test('nobody is displaced where several answer in turn, and whose own the address is not', () => {
  const service = multiaddr('/ip4/10.0.0.9/tcp/4001')
  const { kernel, displaced } = observing(['/ip4/10.0.0.1/tcp/4001'])
  for (const each of [peer, other, peer, other]) kernel.authenticated(each, service)
  expect(displaced).toEqual([])
  kernel.stop()
})

test('nobody is displaced at an address that it announced, but where it was never authenticated', () => {
  const at = multiaddr('/ip4/10.0.0.1/tcp/4001')
  const { kernel, displaced } = observing([at.toString()])
  kernel.authenticated(other, at)
  expect(displaced).toEqual([])
  kernel.stop()
})

test('a peer of whose two addresses another has one, while the other accepts, is not known to be gone', async () => {
  const [taken, kept] = [await listening(), await listening()]
  const book = new AddressBook()
  book.announce(peer, [taken.address, kept.address], hostId())
  const kernel = new CrashProbe(nobody, book)
  kernel.use(answering(() => kernel.gater, { [taken.address]: other, [kept.address]: peer }))
  for (const { address } of [taken, kept]) kernel.authenticated(peer, multiaddr(address))
  kernel.authenticated(other, multiaddr(taken.address))
  expect(await kernel.ask(peer, undefined)).toBe('unknown')
  await new Promise(resolve => kept.server.close(resolve))
  expect(await kernel.ask(peer, undefined)).toBe('refused')
  await new Promise(resolve => taken.server.close(resolve))
  kernel.stop()
})

test('a peer that is back at an address that another had for a while is not known to be gone', async () => {
  const { server, address } = await listening()
  const book = new AddressBook()
  book.announce(peer, [address], hostId())
  const kernel = new CrashProbe(nobody, book)
  kernel.use(answering(() => kernel.gater, { [address]: peer }))
  kernel.authenticated(peer, multiaddr(address))
  kernel.authenticated(other, multiaddr(address))
  expect(await kernel.ask(peer, undefined)).toBe('unknown')
  await new Promise(resolve => server.close(resolve))
  kernel.stop()
})

test('a connected peer that lost an address to another is looked for at its others', async () => {
  const [taken, kept] = ['/ip4/10.0.0.1/tcp/4001', '/ip4/10.0.0.2/tcp/4001']
  const book = new AddressBook()
  book.announce(peer, [taken, kept], hostId())
  const found = deferred<void>()
  const kernel = new CrashProbe({ ...nobody, isConnected: () => true }, book)
  kernel.use(
    answering(
      () => kernel.gater,
      { [taken]: other, [kept]: peer },
      address => {
        if (address === kept) found.resolve(undefined)
      }
    )
  )
  kernel.authenticated(peer, multiaddr(taken))
  kernel.authenticated(other, multiaddr(taken))
  kernel.meet(peer)
  await found.promise
  kernel.stop()
})

/** A node whose dials are answered as told, and ended by the gater. */
function answering(
  gater: () => CrashProbe['gater'],
  peers: Record<string, string>,
  dialled: (address: string) => void = () => {}
): Node {
  const dial = async (address: Multiaddr): Promise<never> => {
    dialled(address.toString())
    const connection = { remoteAddr: address } as unknown as MultiaddrConnection
    await gater().denyOutboundEncryptedConnection?.(peerIdFromString(peers[address.toString()]!), connection)
    throw new Error('the gater ends it')
  }
  return { dial } as unknown as Node
}
