import { expect, test } from 'vitest'
import { admittedRecords } from '../../src/membership/admitted-records.ts'
import type { SwimMessage } from '../../src/membership/core/messages.ts'
import { Admission } from '../../src/network/guard/admission.ts'
import { accusation, entry, selfRecord, sync } from './bench.ts'

const admission = new Admission()
admission.set([
  { peer: 'a', may: ['join'] },
  { peer: 'b', may: ['join', 'submit'] },
  { peer: 'client', may: ['submit'] }
])
const [byMember, byClient, byStranger] = ['a', 'client', 'stranger'].map(author => accusation(author, 'b', 'silent'))
const pushPull = sync([
  entry(selfRecord('b'), [byMember!, byClient!, byStranger!]),
  entry(selfRecord('client')),
  entry(selfRecord('stranger'))
])
const messages: Array<[SwimMessage, SwimMessage]> = [
  [pushPull, sync([entry(selfRecord('b'), [byMember!])])],
  [
    { type: 'records', records: [byStranger!, selfRecord('a'), selfRecord('client')] },
    { type: 'records', records: [selfRecord('a')] }
  ],
  [
    { type: 'ping', seq: 1, accusations: [byClient!, byMember!] },
    { type: 'ping', seq: 1, accusations: [byMember!] }
  ],
  [
    { type: 'ack', seq: 1 },
    { type: 'ack', seq: 1 }
  ]
]

test.each(messages)(
  'a peer removes records of unadmitted peers from each message ($0.type), regardless of the sender',
  (message, kept) => {
    expect(admittedRecords(message, admission)).toEqual(kept)
  }
)

test('a peer without an allow list removes no record from a message', () => {
  expect(admittedRecords(pushPull, new Admission())).toBe(pushPull)
})
