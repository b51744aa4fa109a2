import { multiaddr } from '@multiformats/multiaddr'
import { expect, test } from 'vitest'
import { Dialer } from '../../../src/network/discovery/dialer.ts'
import type { Node } from '../../../src/network/node.ts'
import { stageOf } from '../../../src/network/transport/handshake.ts'

const ADDRESS = '/ip4/192.0.2.7/tcp/4001'
/** So many addresses are remembered. */
const REMEMBERED = 200

/** A dialer whose dials all get as far as TLS and then break off, as do those to a process that ends, or has another key. */
function broken() {
  const refused: string[] = []
  const node = {
    peerId: { toString: () => 'self' },
    dial: async (_: unknown, { onProgress }: { onProgress(event: { type: string }): void }) => {
      onProgress({ type: 'upgrader:encrypt-outbound-connection' })
      throw new Error('the other side closed the connection')
    }
  }
  const dialer = new Dialer(node as unknown as Node, address => void refused.push(address))
  const dial = async (address = ADDRESS): Promise<void> => {
    await dialer.dial(multiaddr(address), new AbortController().signal)
  }
  return { dialer, refused, dial }
}

test('a handshake that breaks off counts as encrypting, which the tests here rely on', () => {
  expect(stageOf({ type: 'upgrader:encrypt-outbound-connection' })).toBe('encrypting')
})

test('a handshake that breaks off twice at the same address, and not once, means another key', async () => {
  const { refused, dial } = broken()
  await dial()
  expect(refused).toEqual([])
  await dial('/ip4/192.0.2.8/tcp/4001')
  expect(refused).toEqual([])
  await dial()
  expect(refused).toEqual([ADDRESS])
})

test('the dialer remembers the newest addresses, and a suspicion goes with its address', async () => {
  const { dialer, refused, dial } = broken()
  await dial()
  for (let i = 0; i < REMEMBERED - 1; i++) await dial(`/ip4/198.51.100.7/tcp/${1_000 + i}`)
  await dial()
  expect(refused).toEqual([ADDRESS])
  for (let i = 0; i < 10 * REMEMBERED; i++) await dial(`/ip4/203.0.113.7/tcp/${1_000 + i}`)
  expect(dialer.tried().length).toBe(REMEMBERED)
  await dial()
  // It was forgotten, and is as good as new.
  expect(refused).toEqual([ADDRESS])
  expect(dialer.tried().at(-1)?.address).toBe(ADDRESS)
})
