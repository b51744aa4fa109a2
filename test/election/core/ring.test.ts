import { expect, test } from 'vitest'
import { coordinator, Driver } from './core.ts'

/** Returns peer `self` of the ring a, b, c, which follows c with epoch 5. */
function follower(self: string, epoch = 0): Driver {
  const others = ['a', 'b', 'c'].filter(id => id !== self)
  return new Driver(self, {}, epoch, undefined, 'ring')
    .live(...others)
    .ready()
    .accepts('c', 5)
    .quietly()
}

/** Delivers all tokens among these peers until no peer sends one. */
function deliver(peers: readonly Driver[]): void {
  for (let busy = true; busy; ) {
    busy = false
    for (const peer of peers) {
      for (const effect of peer.take()) {
        if (effect.type !== 'send') continue
        peers.find(({ self }) => self === effect.to)?.hears(peer.self, effect.message)
        busy = true
      }
    }
  }
}

test('a peer that remembers an epoch of an earlier run does not stop the tokens of the others', () => {
  const peers = [follower('a', 7), follower('b')]
  for (const peer of peers) peer.dies('c')
  deliver(peers)
  expect(peers.map(({ follows }) => follows)).toEqual(['b @6', 'b @6'])
})

test('a token of an earlier candidacy does not let its candidate claim', () => {
  const b = follower('b').dies('c')
  const [stale] = b
    .take()
    .flatMap(effect => (effect.type === 'send' && effect.message.type === 'token' ? [effect.message] : []))
  b.live('c').quietly().dies('c').quietly()
  b.hears('a', stale!)
  expect(b.follows).toBe('nobody')
})

test('a candidate does not claim on its own token after it has seen the token of a higher candidate', () => {
  const a = follower('a').dies('c')
  const [own] = a
    .take()
    .flatMap(effect => (effect.type === 'send' && effect.message.type === 'token' ? [effect.message] : []))
  const token = { candidate: 'b', above: 5, nonce: 99, signed: new Uint8Array() }
  a.hears('b', { type: 'token', token, accepted: coordinator('c', 5) })
  a.hears('b', own!)
  expect(a.follows).toBe('nobody')
  // When b dies, a is alone.
  expect(a.dies('b').follows).toBe('a @6')
})
