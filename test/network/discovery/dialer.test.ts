import { multiaddr } from '@multiformats/multiaddr'
import { expect, test } from 'vitest'
import { Dialer } from '../../../src/network/discovery/dialer.ts'
import type { Node } from '../../../src/network/node.ts'
import { stageOf } from '../../../src/network/transport/handshake.ts'

const ADDRESS = '/ip4/192.0.2.7/tcp/4001'
/** How many addresses the dialer remembers. */
const REMEMBERED = 200

/** A dialer whose dials all reach TLS and then break off, as with a process that ends or that has another key. */
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

test('a handshake that breaks off in TLS counts as encrypting, which the tests of this file rely on', () => {
  expect(stageOf({ type: 'upgrader:encrypt-outbound-connection' })).toBe('encrypting')
})

test('a handshake that breaks off twice at the same address means another key, but a single one does not', async () => {
  const { refused, dial } = broken()
  await dial()
  expect(refused).toEqual([])
  await dial('/ip4/192.0.2.8/tcp/4001')
  expect(refused).toEqual([])
  await dial()
  expect(refused).toEqual([ADDRESS])
})

test('the dialer remembers the newest addresses, and forgets a suspicion together with its address', async () => {
  const { dialer, refused, dial } = broken()
  await dial()
  for (let i = 0; i < REMEMBERED - 1; i++) await dial(`/ip4/198.51.100.7/tcp/${1_000 + i}`)
  await dial()
  expect(refused).toEqual([ADDRESS])
  for (let i = 0; i < 10 * REMEMBERED; i++) await dial(`/ip4/203.0.113.7/tcp/${1_000 + i}`)
  expect(dialer.tried().length).toBe(REMEMBERED)
  await dial()
  // The dialer forgot the address, so one broken handshake proves nothing again.
  expect(refused).toEqual([ADDRESS])
  expect(dialer.tried().at(-1)?.address).toBe(ADDRESS)
})
