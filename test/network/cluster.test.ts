import { expect, test } from 'vitest'
import { InvalidOptionError, NotAdmittedError } from '../../src/common/errors.ts'
import { generateClusterKey, parseClusterKey } from '../../src/network/cluster-key.ts'
import { createNetwork } from '../../src/network/network.ts'
import type { Network } from '../../src/network/types.ts'
import { address, connected, event, pair, port, start, until } from './support.ts'

const newKey = () => parseClusterKey(generateClusterKey())

test('a cluster refuses a newcomer with another key within 2 s, and its members stay connected', async () => {
  const [a, b] = await pair({ key: newKey() })
  const stranger = await start({ key: newKey(), listen: [], bootstrap: [address(a)] })
  const begin = performance.now()
  const { address: refusedAt, error } = await event(stranger, 'refused')
  expect(performance.now() - begin).toBeLessThan(2_000)
  expect(refusedAt).toBe(address(a))
  expect(error).toBeInstanceOf(NotAdmittedError)
  expect(stranger.tried()).toEqual([
    { address: address(a), outcome: 'the other side uses another cluster key', kind: 'refused' }
  ])
  expect(stranger.connected()).toEqual([])
  expect(a.connected()).toEqual([b.self])
})

test('a peer without a key and a peer with a key refuse each other', async () => {
  const secure = await start({ key: newKey() })
  const insecure = await start({ bootstrap: [address(secure)] })
  const other = await start({ key: newKey(), bootstrap: [address(insecure)] })
  await Promise.all([event(insecure, 'refused'), event(other, 'refused')])
  expect([...secure.connected(), ...insecure.connected(), ...other.connected()]).toEqual([])
})

test.each([
  ['the same key', newKey()],
  ['no key', undefined]
])('clusters of different names with %s stay apart', async (_what, key) => {
  const lab = await start({ cluster: 'lab', key })
  const office = await start({ cluster: 'office', key, bootstrap: [address(lab)] })
  await event(office, 'refused')
  expect(lab.clusterId).not.toBe(office.clusterId)
  expect([...lab.connected(), ...office.connected()]).toEqual([])
})

test('a peer dials a bootstrap address without a PeerId until another peer answers at that address', async () => {
  const first = await start()
  const free = port(first)
  await first.stop()
  const early = await start({ bootstrap: [`/ip4/127.0.0.1/tcp/${free}`] })
  await until(() => early.tried().length > 0)
  expect(early.tried()[0]?.outcome).toContain('ECONNREFUSED')
  const seed = await start({ listen: [`/ip4/127.0.0.1/tcp/${free}`] })
  await until(() => early.tried()[0]?.outcome === `connected to ${seed.self}`)
})

test('a peer reconnects to its bootstrap address when the seed restarts at that address with a new identity', async () => {
  const seed = await start()
  const at = `/ip4/127.0.0.1/tcp/${port(seed)}`
  const peer = await start({ bootstrap: [at] })
  await connected(peer, seed)
  const gone = event(peer, 'disconnected')
  await seed.stop()
  expect((await gone).peer).toBe(seed.self)
  const again = await start({ listen: [at] })
  await connected(peer, again)
})

test('a peer ignores its own address in the bootstrap list', async () => {
  const a = await start()
  const at = `/ip4/127.0.0.1/tcp/${port(a)}`
  await a.stop()
  const self = await start({ listen: [at], bootstrap: [at] })
  await until(() => self.tried()[0]?.outcome === 'this is our own address')
  expect(self.connected()).toEqual([])
})

test('a peer connects by itself to a peer whose address it learns, and reconnects when that peer restarts with the same identity', async () => {
  const [a, b] = [await start(), await start()].sort((x, y) => (x.self < y.self ? -1 : 1)) as [Network, Network]
  a.learn(b.self, b.addresses(), undefined)
  await connected(a, b)
  const at = `/ip4/127.0.0.1/tcp/${port(b)}`
  const gone = event(a, 'disconnected')
  await b.stop()
  await gone
  await connected(a, await start({ listen: [at], privateKey: b.privateKey }))
})

test('`connect` reaches a peer with a known address, and rejects after that peer is forgotten', async () => {
  const a = await start()
  const b = await start()
  b.learn(a.self, a.addresses(), undefined)
  await Promise.all([b.connect(a.self), b.connect(a.self)])
  expect(b.isConnected(a.self)).toBe(true)
  await connected(a, b)
  const gone = [event(a, 'disconnected'), event(b, 'disconnected')]
  b.forget(a.self)
  await Promise.all(gone)
  await expect(b.connect(a.self)).rejects.toThrow('no address of it is known')
})

test('createNetwork rejects malformed options with an error', async () => {
  const base = { cluster: 'test', listen: [], bootstrap: [], mdns: false }
  await expect(createNetwork({ ...base, listen: ['nonsense'] })).rejects.toThrow(/--listen/)
  await expect(createNetwork({ ...base, bootstrap: ['/ip4/1.2.3.4'] })).rejects.toThrow(/--bootstrap/)
  await expect(createNetwork({ ...base, cluster: 'a b' })).rejects.toBeInstanceOf(InvalidOptionError)
  await expect(
    createNetwork({ ...base, key: { secret: new Uint8Array(5), clusterId: undefined } })
  ).rejects.toBeInstanceOf(InvalidOptionError)
})

test('a peer that listens on a port in use fails to start, with an error that names the address', async () => {
  const a = await start()
  const taken = `/ip4/127.0.0.1/tcp/${port(a)}`
  await expect(start({ listen: [taken] })).rejects.toThrow(taken)
})

test('a peer that listens on 0.0.0.0 announces addresses that can be dialled, each with its PeerId', async () => {
  const a = await start({ listen: ['/ip4/0.0.0.0/tcp/0'] })
  expect(a.addresses().length).toBeGreaterThan(0)
  for (const each of a.addresses()) {
    expect(each).not.toContain('0.0.0.0')
    expect(each).toMatch(new RegExp(`/p2p/${a.self}$`))
  }
})
