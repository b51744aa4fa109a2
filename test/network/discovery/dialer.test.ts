import { multiaddr } from '@multiformats/multiaddr'
import { expect, test } from 'vitest'
import { Dialer } from '../../../src/network/discovery/dialer.ts'
import type { Node } from '../../../src/network/node.ts'
import { stageOf } from '../../../src/network/transport/handshake.ts'

const ADDRESS = '/ip4/192.0.2.7/tcp/4001'
/** The number of addresses that the dialer remembers. */
const REMEMBERED = 200

/** A dialer whose dials all fail during TLS, like dials to a process that ends or to a peer with another key. */
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

test('the event of a failed TLS handshake has the stage `encrypting`, on which the tests of this file rely', () => {
  expect(stageOf({ type: 'upgrader:encrypt-outbound-connection' })).toBe('encrypting')
})

test('two failed TLS handshakes at the same address count as another key, but one failed handshake does not', async () => {
  const { refused, dial } = broken()
  await dial()
  expect(refused).toEqual([])
  await dial('/ip4/192.0.2.8/tcp/4001')
  expect(refused).toEqual([])
  await dial()
  expect(refused).toEqual([ADDRESS])
})

test('the dialer remembers only the newest addresses, and forgets a failed handshake together with the address of the handshake', async () => {
  const { dialer, refused, dial } = broken()
  await dial()
  for (let i = 0; i < REMEMBERED - 1; i++) await dial(`/ip4/198.51.100.7/tcp/${1_000 + i}`)
  await dial()
  expect(refused).toEqual([ADDRESS])
  for (let i = 0; i < 10 * REMEMBERED; i++) await dial(`/ip4/203.0.113.7/tcp/${1_000 + i}`)
  expect(dialer.tried().length).toBe(REMEMBERED)
  await dial()
  // The dialer has forgotten the address, so this failed handshake is the first one at the address again.
  expect(refused).toEqual([ADDRESS])
  expect(dialer.tried().at(-1)?.address).toBe(ADDRESS)
})
