import { generateKeyPair } from '@libp2p/crypto/keys'
import { beforeAll, expect, test } from 'vitest'
import { attachProtocol, type View } from '../../src/attach/view.ts'
import { InvalidMessageError } from '../../src/common/errors.ts'

const { encode, decode } = attachProtocol.codec
let id: string

beforeAll(async () => {
  id = (await generateKeyPair('Ed25519')).publicKey.toString()
})

function view(change: Partial<View> = {}): View {
  return {
    cluster: 'lab',
    leader: { id, epoch: 3, rank: { priority: -1, id } },
    members: [
      {
        id,
        state: 'suspect',
        incarnation: 2,
        revision: 1,
        since: 12.5,
        addresses: [`/ip4/192.0.2.1/tcp/1/p2p/${id}`],
        slots: 2,
        role: 'worker',
        electionPriority: -1,
        tags: { gpu: 'yes' },
        version: '0.1.0',
        node: '26.10.0',
        host: 'h',
        electorate: '',
        hasDisk: false,
        rtt: 0.25
      }
    ],
    now: 1_700_000_000_000.5,
    stats: { changes: 4, leaderless: 1_234.5 },
    ...change
  }
}

test('a decoded view equals the sent view, including round-trip times and the clock', () => {
  expect(decode(encode({ type: 'view', view: view() }))).toEqual({ type: 'view', view: view() })
  const bare = view({ now: undefined, leader: undefined })
  bare.members[0]!.rtt = undefined
  expect(decode(encode({ type: 'view', view: bare }))).toEqual({ type: 'view', view: bare })
})

test('a decoded change of priority, and each answer to it, equal what was sent', () => {
  for (const message of [
    { type: 'prioritize', id: 7, priority: 'memory' },
    { type: 'prioritized', id: 7, electionPriority: -3 },
    { type: 'prioritized', id: 0, electionPriority: undefined, reason: 'its allow list' }
  ] as const)
    expect(decode(encode(message))).toEqual(message)
})

test('an over-long priority or reason is refused', () => {
  expect(() => decode(encode({ type: 'prioritize', id: 1, priority: '1'.repeat(33) }))).toThrow(InvalidMessageError)
  const reason = 'x'.repeat(1_001)
  expect(() => decode(encode({ type: 'prioritized', id: 1, electionPriority: undefined, reason }))).toThrow(
    InvalidMessageError
  )
})

test.each([
  ['a round-trip time that is NaN', () => ({ members: [{ ...view().members[0]!, rtt: Number.NaN }] })],
  ['a negative round-trip time', () => ({ members: [{ ...view().members[0]!, rtt: -1 }] })],
  ['a malformed version of Node', () => ({ members: [{ ...view().members[0]!, node: 'v26' }] })],
  ['an infinite clock', () => ({ now: Number.POSITIVE_INFINITY })]
])('a view with %s is refused', (_, change) => {
  expect(() => decode(encode({ type: 'view', view: view(change()) }))).toThrow(InvalidMessageError)
})
