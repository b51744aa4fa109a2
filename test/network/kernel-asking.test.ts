import { createServer, type Server } from 'node:net'
import { multiaddr } from '@multiformats/multiaddr'
import { afterEach, expect, test, vi } from 'vitest'
import { AddressBook } from '../../src/network/address-book.ts'
import { hostId } from '../../src/network/host-id.ts'
import { Kernel } from '../../src/network/kernel.ts'
import type { Node } from '../../src/network/node.ts'

const peer = '12D3KooWBaDZVYvuxWJKMubWhEJD4jokXhcxg8TFPHrp82XWHZyU'
const nobody = { isConnected: () => false, connected: () => [] }

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
  const kernel = new Kernel(nobody, book)
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
  const kernel = new Kernel({ isConnected: () => connected, connected: () => [] }, book)
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
  const kernel = new Kernel({ isConnected: () => true, connected: () => [peer] }, book)
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
