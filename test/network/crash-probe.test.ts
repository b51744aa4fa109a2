import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { expect, test } from 'vitest'
import { hostId } from '../../src/network/host-id.ts'
import type { Network } from '../../src/network/types.ts'
import { address, connected, event, pair, port, start, until } from './support.ts'

const meet = (network: Network, other: Network) => network.learn(other.self, other.addresses(), hostId())

/** Stops `other`, waits until `network` notices the disconnect, and then makes `network` ask the kernel about `other`. */
async function stopAndAsk(network: Network, other: Network): Promise<'refused' | 'unknown'> {
  const gone = event(network, 'disconnected', ({ peer }) => peer === other.self)
  await other.stop()
  await gone
  return network.askKernel(other.self)
}

/** Opens a proxy address in front of `network`. `used` resolves when a connection through the proxy has ended. */
async function relayTo(network: Network) {
  const server = createServer()
  const used = new Promise<void>(resolve => {
    server.on('connection', inbound => {
      const outbound = connect(Number(port(network)), '127.0.0.1')
      pipeline(inbound, outbound, inbound, () => resolve())
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port: own } = server.address() as AddressInfo
  return {
    address: `/ip4/127.0.0.1/tcp/${own}/p2p/${network.self}`,
    used,
    close: () => new Promise(resolve => server.close(resolve))
  }
}

test('the peer that dialled gets `unknown` from the kernel while the dialled peer runs, and `refused` after the dialled peer stops', async () => {
  const [a, b] = await pair()
  meet(b, a)
  expect(await b.askKernel(a.self)).toBe('unknown')
  expect(await stopAndAsk(b, a)).toBe('refused')
})

test('the peer that was dialled dials back without an event, and gets `refused` after the peer that dialled stops', async () => {
  const [a, b] = await pair()
  const events: string[] = []
  for (const network of [a, b]) {
    network.addEventListener('connected', () => events.push('connected'))
    network.addEventListener('disconnected', () => events.push('disconnected'))
  }
  const relay = await relayTo(b)
  a.learn(b.self, [relay.address], hostId())
  await relay.used
  expect(events).toEqual([])
  await relay.close()
  expect(await stopAndAsk(a, b)).toBe('refused')
})

test('the kernel’s answer is `unknown` if the peer’s record is missing, or if a loopback address comes without a host id', async () => {
  const [a, b] = await pair()
  const c = await start({ bootstrap: [address(a)] })
  await connected(c, a)
  c.learn(a.self, a.addresses(), undefined)
  const gone = event(c, 'disconnected')
  expect(await stopAndAsk(b, a)).toBe('unknown')
  await gone
  expect(await c.askKernel(a.self)).toBe('unknown')
})

test('the kernel’s answer is `unknown` for a peer that never authenticated, although the address of that peer refuses', async () => {
  const a = await start()
  const b = await start()
  await b.stop()
  a.learn(b.self, b.addresses(), hostId())
  expect(await a.askKernel(b.self)).toBe('unknown')
})

test('the kernel’s answer stays `refused` when another peer takes the address, and becomes `unknown` when the stopped peer returns', async () => {
  const [a, b] = await pair()
  meet(b, a)
  const at = `/ip4/127.0.0.1/tcp/${port(a)}`
  expect(await stopAndAsk(b, a)).toBe('refused')
  const other = await start({ listen: [at] })
  expect(await b.askKernel(a.self)).toBe('refused')
  await other.stop()
  const again = await start({ listen: [at], privateKey: a.privateKey })
  await until(() => b.isConnected(again.self))
  expect(await b.askKernel(a.self)).toBe('unknown')
})
