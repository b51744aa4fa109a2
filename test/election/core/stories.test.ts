import { expect, test } from 'vitest'
import { Story } from './story.ts'

/** The trace is the test: a change of behaviour is a change of the file, to be read. */
async function expectStory(name: string, story: Story): Promise<void> {
  await expect(story.text()).toMatchFileSnapshot(`./stories/${name}.txt`)
}

/** Three peers that follow c, with the story of how they came to it left out. */
function settled(...others: string[]): Story {
  const story = new Story()
  story.start('a', 'b', 'c', ...others)
  story.run(3_000)
  story.world.lines.length = 0
  return story
}

test('three peers that start together elect the highest', async () => {
  const story = new Story()
  story.tell('a, b and c start at once; none claims before it knows the others')
  story.start('a', 'b', 'c')
  story.run(3_000)
  expect(story.leaders()).toEqual({ a: 'c @1', b: 'c @1', c: 'c @1' })
  await expectStory('first-start', story)
})

test('a worker follows, and never claims', async () => {
  const story = new Story()
  story.tell('b would rank highest, but is a worker')
  story.startWorker('b')
  story.start('a')
  story.run(3_000)
  expect(story.leaders()).toEqual({ a: 'a @1', b: 'a @1' })
  await expectStory('worker', story)
})

test('when the leader crashes, the next-highest claims as soon as it knows', async () => {
  const story = settled()
  story.tell('the leader crashes; the kernel refuses connections within some ms')
  story.world.crash('c')
  story.run(100)
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('leader-crash', story)
})

test('when the leader and its natural heir crash at once, the third claims', async () => {
  const story = settled('d')
  story.tell('d leads; c and d crash at once')
  story.world.crash('c')
  story.world.crash('d')
  story.run(100)
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('two-crashes', story)
})

test('a higher-ranked peer that joins takes over by an awaited hand-off', async () => {
  const story = settled()
  story.tell('d joins; it ranks above the leader')
  story.start('d')
  story.run(2_000)
  expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['d @2']))
  await expectStory('takeover', story)
})

test('a leader that leaves hands off first', async () => {
  const story = settled()
  story.tell('the leader leaves')
  story.peer('c').leave()
  story.run(500)
  story.world.exit('c')
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('leave', story)
})

test('a COORDINATOR that is lost everywhere is asked for', async () => {
  const story = settled()
  story.tell('the leader crashes; the COORDINATOR of its heir reaches nobody, directly or by gossip')
  story.world.faults.gossipLoss = 1
  story.loses = (_, to, message) => to === 'a' && message.type === 'coordinator' && story.world.now() < 3_100
  story.world.crash('c')
  story.run(1_000)
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('lost-coordinator', story)
})

test('a leader that wakes from a pause steps down at once, and then takes over again in order', async () => {
  const story = settled()
  story.tell('the leader is paused for so long that the others give it up')
  story.world.pause('c', 4_000)
  story.run(3_999)
  story.tell('it wakes up, and still believes that it leads')
  story.run(2_001)
  expect(story.leaders()).toEqual({ a: 'c @3', b: 'c @3', c: 'c @3' })
  await expectStory('woken-leader', story)
})

test('when two claim at the same time, the rank decides and the lower hands off', async () => {
  const story = new Story()
  story.tell('a and b start out of reach of each other, and each leads alone with epoch 1')
  story.start('a')
  story.start('b')
  story.cut(['a'])
  story.run(1_500)
  expect(story.leaders()).toEqual({ a: 'a @1', b: 'b @1' })
  story.tell('they meet')
  story.heal()
  story.run(1_500)
  expect(story.leaders()).toEqual({ a: 'b @2', b: 'b @2' })
  await expectStory('two-claims', story)
})

test('each side of a cut has a leader, and when it heals the higher one leads all, above both epochs', async () => {
  const story = settled('d', 'e')
  story.tell('e leads; the network is cut')
  story.cut(['a', 'b', 'c'])
  story.run(3_000)
  expect(story.leaders()).toMatchObject({ a: 'c @2', b: 'c @2', c: 'c @2', d: 'e @1', e: 'e @1' })
  story.tell('the cut heals')
  story.heal()
  story.run(3_000)
  expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['e @3']))
  await expectStory('cut-and-healing', story)
})

test('when the leader dies during the hand-off, the one that takes over claims without its go-ahead', async () => {
  const story = settled()
  story.tell('d joins, requests, and the leader dies while it hands off')
  story.start('d')
  story.handOff = () => ({ delay: 5_000, ok: true })
  story.run(1_000)
  story.world.crash('c')
  story.run(200)
  expect(new Set(Object.values(story.leaders()))).toEqual(new Set(['d @2']))
  await expectStory('leader-dies-in-hand-off', story)
})

test('when the heir dies after the go-ahead, the old leader runs an election with a new epoch', async () => {
  const story = settled()
  story.tell('d joins and requests; it crashes before the go-ahead arrives')
  story.start('d')
  story.run(400)
  while (!story.text().includes('GO_AHEAD')) story.run(1)
  story.world.crash('d')
  story.run(1_000)
  expect(story.leaders()).toEqual({ a: 'c @2', b: 'c @2', c: 'c @2' })
  await expectStory('heir-dies', story)
})

test('when the new leader dies after the hand-off, the old one claims again, above it', async () => {
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

test('elections that several hold at the same time end with one leader', async () => {
  const story = settled('d')
  story.tell('the leader crashes while its heir c is paused, though not for so long that it would be given up')
  story.world.pause('c', 1_000)
  story.world.crash('d')
  story.tell('a and b wait for c in vain, and ask at the same time')
  story.run(999)
  story.tell('c wakes up')
  story.run(1_000)
  expect(story.leaders()).toEqual({ a: 'c @2', b: 'c @2', c: 'c @2' })
  await expectStory('simultaneous-elections', story)
})

test('a higher peer that others reach is asked through them when the own link to it is broken', async () => {
  const story = settled('d')
  story.tell('nothing passes between b and c any more, and no gossip; a reaches both')
  story.world.faults.gossipLoss = 1
  story.loses = (from, to) => [from, to].sort().join() === 'b,c'
  story.tell('the leader crashes')
  story.world.crash('d')
  story.run(2_000)
  expect(story.leaders()).toEqual({ a: 'c @2', b: 'c @2', c: 'c @2' })
  await expectStory('broken-link', story)
})
