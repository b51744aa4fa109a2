import { expect, it } from 'vitest'
import { withVirtualTime } from '../simulation/cluster/virtual-time.ts'
import { SUBJECTS } from './subjects/all.ts'
import { World } from './world/world.ts'

it('the fuzzer covers exactly the protocols and topics that a peer or a client registers', async () => {
  const registered = await withVirtualTime(async () => {
    const world = await World.start()
    const networks = [world.leader, world.follower, world.client].map(({ network }) => network)
    const protocols = networks.flatMap(({ protocols }) => [...protocols.keys()])
    const topics = networks.flatMap(({ topics }) => [...topics.keys()])
    await world.stop()
    return { protocol: new Set(protocols), topic: new Set(topics) }
  })
  for (const kind of ['protocol', 'topic'] as const)
    expect(new Set(SUBJECTS.flatMap(subject => (subject.kind === kind ? [subject.name] : [])))).toEqual(
      registered[kind]
    )
})
