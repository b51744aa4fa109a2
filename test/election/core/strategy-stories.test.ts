import { describe, expect, test } from 'vitest'
import { expectStory, Story, settled } from './story.ts'

describe('under the strategy lowest', () => {
  test('three peers that start together elect the lowest PeerId', async () => {
    const story = new Story('lowest')
    story.tell('a, b and c start at once; a claims after it has learned of the others')
    story.start('a', 'b', 'c')
    story.run(3_000)
    expect(story.leaders()).toEqual({ a: 'a @1', b: 'a @1', c: 'a @1' })
    await expectStory('lowest-first-start', story)
  })

  test('the next-lowest peer claims when its membership holds the leader dead, and asks no peer', async () => {
    const story = settled([], 'lowest')
    story.tell('the leader a crashes')
    story.world.crash('a')
    story.run(100)
    expect(story.leaders()).toEqual({ b: 'b @2', c: 'b @2' })
    expect(story.text()).not.toContain('ELECTION')
    await expectStory('lowest-crash', story)
  })

  test('a peer waits for a lower live peer, although that peer does not claim', async () => {
    const story = settled([], 'lowest')
    story.tell('the leader a crashes while b is paused, too briefly to be held dead')
    story.world.pause('b', 1_000)
    story.world.crash('a')
    story.run(999)
    expect(story.leaders()).toMatchObject({ c: 'nobody' })
    story.tell('b wakes up')
    story.run(1_000)
    expect(story.leaders()).toEqual({ b: 'b @2', c: 'b @2' })
    await expectStory('lowest-paused', story)
  })

  test('a lower peer that joins takes over after a hand-off', async () => {
    const story = settled([], 'lowest')
    story.tell('0 joins, and ranks below the leader a')
    story.start('0')
    story.run(2_000)
    expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['0 @2']))
    await expectStory('lowest-takeover', story)
  })

  test('after a cut, the lower of two leaders leads all peers with an epoch above both epochs', async () => {
    const story = settled(['d'], 'lowest')
    story.tell('a leads; a cut separates a and b from c and d')
    story.cut(['a', 'b'])
    story.run(3_000)
    expect(story.leaders()).toMatchObject({ b: 'a @1', d: 'c @2' })
    story.tell('the cut heals')
    story.heal()
    story.run(3_000)
    expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['a @3']))
    await expectStory('lowest-cut', story)
  })
})

describe('under the strategy ring', () => {
  test('three peers that start together elect the peer whose token goes round the whole ring', async () => {
    const story = new Story('ring')
    story.tell('a, b and c start at once')
    story.start('a', 'b', 'c')
    story.run(3_000)
    expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['c @1']))
    await expectStory('ring-first-start', story)
  })

  test('after the crash of the leader, the tokens of four candidates take at most seven messages', async () => {
    const story = settled(['d', 'e'], 'ring')
    story.tell('the leader e crashes')
    story.world.crash('e')
    story.run(100)
    expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['d @2']))
    expect(story.text().match(/TOKEN/g)!.length).toBeLessThanOrEqual(7)
    await expectStory('ring-crash', story)
  })

  test('the ring closes over a member that dies while it has the token', async () => {
    const story = settled(['d', 'e'], 'ring')
    story.tell('the leader e and its predecessor c in the ring crash at once; the others notice the crash of c later')
    story.world.crash('c', true)
    story.world.crash('e')
    story.run(3_000)
    expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['d @2']))
    await expectStory('ring-closes', story)
  })

  test('a token is passed on again when it is lost', async () => {
    const story = settled([], 'ring')
    let lost = 0
    story.loses = (_from, _to, message) => message.type === 'token' && lost++ < 2
    story.tell('the leader c crashes; the first two tokens are lost')
    story.world.crash('c')
    story.run(1_000)
    expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
    await expectStory('ring-lost-token', story)
  })

  test('a token passes a broken link through a third member', async () => {
    const story = settled(['d'], 'ring')
    story.tell('the link between a and b is broken; c reaches both')
    story.loses = (from, to) => [from, to].sort().join() === 'a,b'
    story.tell('the leader d crashes')
    story.world.crash('d')
    story.run(2_000)
    expect(story.leaders()).toEqual({ a: 'c @2', b: 'c @2', c: 'c @2' })
    await expectStory('ring-broken-link', story)
  })

  test('a worker passes no token, and follows the leader', async () => {
    const story = new Story('ring')
    story.startWorker('c')
    story.start('a', 'b')
    story.run(3_000)
    expect(story.leaders()).toEqual({ a: 'b @1', b: 'b @1', c: 'b @1' })
    await expectStory('ring-worker', story)
  })

  test('the lower-ranked of two leaders hands off to the higher-ranked leader after a cut', async () => {
    const story = settled(['d'], 'ring')
    story.tell('d leads; a cut separates a and b from c and d')
    story.cut(['a', 'b'])
    story.run(3_000)
    expect(story.leaders()).toMatchObject({ a: 'b @2', d: 'd @1' })
    story.tell('the cut heals')
    story.heal()
    story.run(3_000)
    expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['d @3']))
    await expectStory('ring-cut', story)
  })
})
