import { expect, test } from 'vitest'
import { PinnedPeers } from '../../src/network/pinned-peers.ts'
import { start, textCodec, until } from './support.ts'

test('all peers are pinned until the first reason is set, and after that only the peers that some reason pins', () => {
  const standing = new PinnedPeers()
  expect([standing.has('a'), standing.isBounded]).toEqual([true, false])
  standing.set('neighbours', ['a'])
  standing.set('leaders', ['b'])
  expect([standing.has('a'), standing.has('b'), standing.has('c')]).toEqual([true, true, false])
  expect(standing.isBounded).toBe(true)
  standing.set('leaders', 'all')
  expect([standing.has('c'), standing.isBounded]).toEqual([true, false])
})

test('a peer disconnects an unpinned idle member, connects to the member to send a message, and reconnects when the member is pinned', async () => {
  const a = await start({ idleTimeout: 500 })
  const [b, c] = [await start(), await start()]
  const got: string[] = []
  const spec = { name: 'talk', codec: textCodec, maxMessageBytes: 1_000 }
  const talk = a.register(spec, { onMessage: () => {} })
  b.register(spec, { onMessage: text => void got.push(text) })
  for (const other of [b, c]) {
    a.learn(other.self, other.addresses(), undefined)
    other.learn(a.self, a.addresses(), undefined)
    other.stayConnected('neighbours', [])
  }
  await until(() => a.isConnected(b.self) && a.isConnected(c.self))

  a.stayConnected('neighbours', [c.self])
  await until(() => !a.isConnected(b.self))
  expect(a.isConnected(c.self)).toBe(true)

  await talk.send(b.self, 'on demand')
  await until(() => got.includes('on demand'))
  await until(() => !a.isConnected(b.self))

  a.stayConnected('neighbours', 'all')
  await until(() => a.isConnected(b.self))
})
