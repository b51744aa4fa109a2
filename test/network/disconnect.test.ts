import { test } from 'vitest'
import { hostId } from '../../src/network/host-id.ts'
import type { ProtocolSpec } from '../../src/network/types.ts'
import { event, start, textCodec } from './support.ts'

const spec = (name: string): ProtocolSpec<string> => ({ name, codec: textCodec, maxMessageBytes: 1_000 })

test('aborting a connection while streams open on that connection throws no uncaught exception', async () => {
  const [a, b] = [await start(), await start()]
  a.learn(b.self, b.addresses(), hostId())
  // libp2p throws in a microtask. The exception would end a peer's process; in this test the exception fails the run.
  for (let turns = 0; turns < 40; turns++) {
    const protocol = a.register(spec(`p${turns}`), { onMessage() {} })
    b.register(spec(`p${turns}`), { onMessage() {} })
    await a.connect(b.self)
    const gone = event(a, 'disconnected', ({ peer }) => peer === b.self)
    const opened = protocol.channel(b.self).catch((error: Error) => error)
    for (let i = 0; i < turns; i++) await null
    a.disconnect(b.self)
    await gone
    await opened
    await protocol.close()
  }
  await a.connect(b.self)
})
