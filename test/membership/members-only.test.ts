import { expect, test } from 'vitest'
import type { SwimMessage } from '../../src/membership/core/messages.ts'
import { membersOnly } from '../../src/membership/members-only.ts'
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

test.each(messages)('of a message only what members wrote is taken, whoever brings it ($0.type)', (message, kept) => {
  expect(membersOnly(message, admission)).toEqual(kept)
})

test('without an allow list all is taken', () => {
  expect(membersOnly(pushPull, new Admission())).toBe(pushPull)
})
