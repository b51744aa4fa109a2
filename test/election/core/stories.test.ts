import { expect, test } from 'vitest'
import { expectStory, Story, settled } from './story.ts'

test('three peers that start together elect the highest-ranked peer', async () => {
  const story = new Story()
  story.tell('a, b and c start at once; c claims after it has learned of the others')
  story.start('a', 'b', 'c')
  story.run(3_000)
  expect(story.leaders()).toEqual({ a: 'c @1', b: 'c @1', c: 'c @1' })
  await expectStory('first-start', story)
})

test('a worker follows a leader, and never claims', async () => {
  const story = new Story()
  story.tell('b ranks above a, but is a worker')
  story.startWorker('b')
  story.start('a')
  story.run(3_000)
  expect(story.leaders()).toEqual({ a: 'a @1', b: 'a @1' })
  await expectStory('worker', story)
})

test('the second-highest peer claims as soon as it notices the crash of the leader', async () => {
  const story = settled()
  story.tell('the leader c crashes; its machine refuses connections within some ms')
  story.world.crash('c')
  story.run(100)
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('leader-crash', story)
})

test('the third-highest peer claims when the two highest peers crash at the same time', async () => {
  const story = settled(['d'])
  story.tell('the leader d and the next-highest peer c crash at once')
  story.world.crash('c')
  story.world.crash('d')
  story.run(100)
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('two-crashes', story)
})

test('a higher-ranked peer that joins takes over after a hand-off', async () => {
  const story = settled()
  story.tell('d joins, and ranks above the leader c')
  story.start('d')
  story.run(2_000)
  expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['d @2']))
  await expectStory('takeover', story)
})

test('a leader that leaves hands off first', async () => {
  const story = settled()
  story.tell('the leader c leaves')
  story.peer('c').leave()
  story.run(500)
  story.world.exit('c')
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('leave', story)
})

test('a peer that has missed a COORDINATOR asks for this COORDINATOR', async () => {
  const story = settled()
  story.tell('the leader c crashes; a receives no COORDINATOR of b, neither directly nor by gossip')
  story.world.faults.gossipLoss = 1
  story.loses = (_, to, message) => to === 'a' && message.type === 'coordinator' && story.world.now() < 3_100
  story.world.crash('c')
  story.run(1_000)
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('lost-coordinator', story)
})

test('a leader that wakes from a pause steps down immediately, and then takes over by a hand-off', async () => {
  const story = settled()
  story.tell('the leader c is paused until the others hold it dead')
  story.world.pause('c', 4_000)
  story.run(3_999)
  story.tell('c wakes up, and still believes that it leads')
  story.run(2_001)
  expect(story.leaders()).toEqual({ a: 'c @3', b: 'c @3', c: 'c @3' })
  await expectStory('woken-leader', story)
})

test('the lower-ranked of two leaders hands off to the higher-ranked leader', async () => {
  const story = new Story()
  story.tell('a and b start on two sides of a cut, and each leads alone with epoch 1')
  story.start('a')
  story.start('b')
  story.cut(['a'])
  story.run(1_500)
  expect(story.leaders()).toEqual({ a: 'a @1', b: 'b @1' })
  story.tell('the cut heals')
  story.heal()
  story.run(1_500)
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('two-claims', story)
})

test('each side of a cut elects a leader, and after the cut the higher-ranked leader leads all peers with an epoch above both epochs', async () => {
  const story = settled(['d', 'e'])
  story.tell('e leads; a cut separates a, b and c from d and e')
  story.cut(['a', 'b', 'c'])
  story.run(3_000)
  expect(story.leaders()).toMatchObject({ a: 'c @2', b: 'c @2', c: 'c @2', d: 'e @1', e: 'e @1' })
  story.tell('the cut heals')
  story.heal()
  story.run(3_000)
  expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['e @3']))
  await expectStory('cut-and-healing', story)
})

test('the heir claims without a go-ahead when the leader dies during the hand-off', async () => {
  const story = settled()
  story.tell('d joins and requests the leadership; the leader c crashes during the hand-off')
  story.start('d')
  story.handOff = () => ({ delay: 5_000, ok: true })
  story.run(1_000)
  story.world.crash('c')
  story.run(200)
  expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['d @2']))
  await expectStory('leader-dies-in-hand-off', story)
})

test('the old leader claims a new epoch when its heir dies after the go-ahead', async () => {
  const story = settled()
  story.tell('d joins and requests the leadership; d crashes before the go-ahead arrives')
  story.start('d')
  story.run(400)
  while (!story.text().includes('GO_AHEAD')) story.run(1)
  story.world.crash('d')
  story.run(1_000)
  expect(story.leaders()).toEqual({ a: 'c @2', b: 'c @2', c: 'c @2' })
  await expectStory('heir-dies', story)
})

test('the old leader claims a higher epoch when the new leader dies after the hand-off', async () => {
  const story = settled()
  story.tell('d joins and takes over')
  story.start('d')
  story.run(400)
  while (story.leaders().a !== 'd @2') story.run(1)
  story.tell('d crashes as soon as it leads')
  story.world.crash('d')
  story.run(1_000)
  expect(story.leaders()).toEqual({ a: 'c @3', b: 'c @3', c: 'c @3' })
  await expectStory('new-leader-dies', story)
})

test('simultaneous elections end with one leader', async () => {
  const story = settled(['d'])
  story.tell('the leader d crashes while the next-highest peer c is paused, too briefly to be held dead')
  story.world.pause('c', 1_000)
  story.world.crash('d')
  story.tell('a and b receive no COORDINATOR from c, and both ask')
  story.run(999)
  story.tell('c wakes up')
  story.run(1_000)
  expect(story.leaders()).toEqual({ a: 'c @2', b: 'c @2', c: 'c @2' })
  await expectStory('simultaneous-elections', story)
})

test('a candidate asks a higher-ranked peer through another member when the direct link is broken', async () => {
  const story = settled(['d'])
  story.tell('the link between b and c is broken and no gossip arrives; a reaches both')
  story.world.faults.gossipLoss = 1
  story.loses = (from, to) => [from, to].sort().join() === 'b,c'
  story.tell('the leader d crashes')
  story.world.crash('d')
  story.run(2_000)
  expect(story.leaders()).toEqual({ a: 'c @2', b: 'c @2', c: 'c @2' })
  await expectStory('broken-link', story)
})
