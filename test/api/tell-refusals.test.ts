import { TypedEventEmitter } from 'main-event'
import { expect, test } from 'vitest'
import { warnOfOtherKeys } from '../../src/api/tell-refusals.ts'
import type { Logger } from '../../src/common/logger.ts'
import type { NetworkEvents } from '../../src/network/types.ts'

class FakeNetwork extends TypedEventEmitter<NetworkEvents> {
  readonly cluster = 'lab'

  refusedAt(address: string): void {
    const detail = { address, reason: 'key' as const, certain: true, error: new Error(`other key at ${address}`) }
    this.dispatchEvent(new CustomEvent('refused', { detail }))
  }
}

test('a peer warns once about each address with another key, and about at most 1,000 addresses', () => {
  const lines: Array<[object, string]> = []
  const logger: Logger = { error() {}, warn: (data, text) => void lines.push([data, text]), info() {}, debug() {} }
  const network = new FakeNetwork()
  warnOfOtherKeys(network, logger)
  for (const address of ['a', 'b', 'a']) network.refusedAt(address)
  expect(lines).toEqual([
    [{ address: 'a', cluster: 'lab' }, 'other key at a'],
    [{ address: 'b', cluster: 'lab' }, 'other key at b']
  ])
  // Any host that answers mDNS can invent addresses.
  for (let i = 0; i < 5_000; i++) network.refusedAt(`/ip4/192.0.2.1/tcp/${i}`)
  expect(lines).toHaveLength(1_001)
  expect(lines.at(-1)![1]).toContain('too many peers have another key')
})
