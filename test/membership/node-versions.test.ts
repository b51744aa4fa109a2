import { TypedEventEmitter } from 'main-event'
import { expect, test } from 'vitest'
import type { Logger } from '../../src/common/logger.ts'
import type { Member, MemberState } from '../../src/membership/core/member.ts'
import { warnOfNodeVersions } from '../../src/membership/node-versions.ts'
import type { MembershipEvents } from '../../src/membership/types.ts'

const bare: Member = {
  id: 'a',
  state: 'alive',
  incarnation: 0,
  revision: 0,
  since: 0,
  addresses: [],
  slots: 1,
  role: 'auto',
  electionPriority: 0,
  tags: {},
  version: '0.1.0',
  node: '20.19.0',
  host: '',
  electorate: '',
  hasDisk: false
}

class FakeMembership extends TypedEventEmitter<MembershipEvents> {
  readonly self = bare

  meets(node: string, state: MemberState = 'alive'): void {
    const member = { ...bare, id: `on ${node}`, node, state }
    this.dispatchEvent(new CustomEvent('member', { detail: { member, previous: undefined } }))
  }
}

function watched(): { membership: FakeMembership; lines: Array<[object, string]> } {
  const lines: Array<[object, string]> = []
  const logger: Logger = { error() {}, warn: (fields, text) => void lines.push([fields, text]), info() {}, debug() {} }
  const membership = new FakeMembership()
  warnOfNodeVersions(membership, logger)
  return { membership, lines }
}

test('a peer logs one warning for each major version of Node that a live member runs and that differs from the peer’s own version', () => {
  const { membership, lines } = watched()
  membership.meets('20.20.2')
  membership.meets('')
  membership.meets('22.1.0', 'dead')
  expect(lines).toEqual([])
  for (const node of ['26.10.0', '26.9.0', '24.0.0', '26.10.0']) membership.meets(node)
  expect(lines).toEqual([
    [{ peerId: 'on 26.10.0', node: '26.10.0' }, expect.stringContaining('runs Node 26.10.0, this peer Node 20.19.0')],
    [{ peerId: 'on 24.0.0', node: '24.0.0' }, expect.stringContaining('runs Node 24.0.0, this peer Node 20.19.0')]
  ])
})

test('a peer logs at most 8 warnings about Node versions, whatever versions members announce', () => {
  const { membership, lines } = watched()
  for (let major = 100; major < 1_000; major++) membership.meets(`${major}.0.0`)
  expect(lines.length).toBe(8)
})
