/** Compares docs/protocol.md with the code, so that a test fails if the wire format changes but the document does not. */
import { expect, test } from 'vitest'
import { END_REASONS } from '../../src/election/audit-log.ts'
import { electionTimes } from '../../src/election/profile.ts'
import { ENDS } from '../../src/journal/core/entry.ts'
import { MISSED, OVERLAPS } from '../../src/journal/schedule-record.ts'
import { TTL } from '../../src/locks/core/types.ts'
import { lockProtocol } from '../../src/locks/messages.ts'
import { profiles } from '../../src/membership/profile.ts'
import { RECORD_LIMITS } from '../../src/membership/record-limits.ts'
import { createNetwork } from '../../src/network/network.ts'
import type { ProtocolSpec } from '../../src/network/types.ts'
import { World } from '../fuzz/world/world.ts'
import { withVirtualTime } from '../simulation/cluster/virtual-time.ts'
import { bare, constantsOf, protocolText, schemaOf, tables, unionOf } from './wire-tables.ts'

const byName = <Row extends readonly unknown[]>(rows: Row[]): Row[] =>
  rows.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))

test.each(['membership', 'election', 'attach', 'jobs', 'locks'])(
  'docs/protocol.md lists exactly the messages of %s.proto, with the number and type of each field',
  name => {
    const documented = tables(`message in ${name}.proto`).map(([message, fields]) => [bare(message), bare(fields)])
    expect(byName(documented)).toEqual(byName(schemaOf(name)))
  }
)

test('docs/protocol.md lists each registered protocol and topic, with its size limit and required right', async () => {
  const { specs, topics } = await withVirtualTime(async () => {
    const world = await World.start()
    const networks = [world.leader, world.follower, world.client].map(({ network }) => network)
    // The peers of this world grant no locks.
    const specs = new Map<string, ProtocolSpec<unknown>>([[lockProtocol.name, lockProtocol as ProtocolSpec<unknown>]])
    for (const { protocols } of networks) for (const [name, { spec }] of protocols) specs.set(name, spec)
    const topics = new Set(networks.flatMap(network => [...network.topics.keys()]))
    await world.stop()
    return { specs, topics }
  })
  const protocols = tables('name').map(([name, , most, needs]) => [bare(name), Number(most), needs])
  const registered = [...specs.values()].map(({ name, maxMessageBytes, needs = '' }) => [name, maxMessageBytes, needs])
  expect(byName(protocols)).toEqual(byName(registered))
  const documented = tables('topic').map(([topic]) => bare(topic))
  expect(documented.toSorted()).toEqual([...topics].map(name => `/p2p-worker/CLUSTERID/${name}`).toSorted())
})

test('a protocol id consists of the cluster id and the protocol name, as docs/protocol.md describes', async () => {
  const [, shape = ''] = /Each has one libp2p protocol, `([^`]+)`/.exec(protocolText) ?? []
  const network = await createNetwork({ cluster: 'lab', key: undefined, listen: [], bootstrap: [], mdns: false })
  try {
    const codec = { encode: () => new Uint8Array(), decode: () => undefined }
    const protocol = network.register({ name: 'any', codec, maxMessageBytes: 1 }, { onMessage: () => {} })
    const id = shape.replace('CLUSTERID', network.clusterId).replace('NAME', 'any')
    expect(protocol).toMatchObject({ id })
  } finally {
    await network.stop()
  }
})

test('docs/protocol.md gives the values of the wire constants', () => {
  const rows = tables('constant')
  expect(rows.length).toBeGreaterThan(50)
  const documented = rows.map(([name, value, file = '']) => [`${file} ${bare(name)}`, Number(value)])
  expect(documented).toEqual(
    rows.map(([name, , file = '']) => [`${file} ${bare(name)}`, constantsOf(file).get(bare(name))])
  )
})

/** The files whose constants limit messages. The lists below name the exceptions. */
const CODECS = [
  'network/channel/frame-format.ts',
  'membership/swim-codec.ts',
  'election/statements.ts',
  'jobs/protocol/wire-parts.ts',
  'jobs/protocol/submit-messages.ts',
  'jobs/protocol/work-messages.ts',
  'journal/messages.ts',
  'journal/entry-codec.ts',
  'journal/schedule-codec.ts',
  'journal/head-codec.ts',
  'locks/messages.ts',
  'schedules/messages.ts'
]
/** The constants for the largest message of a protocol. The table of protocols gives these limits. */
const ELSEWHERE = ['MAX_MESSAGE_BYTES', 'MAX_SMALL_MESSAGE_BYTES', 'MAX_PAYLOAD_BYTES']
/** The constants for limits that the document gives in words: the formats of a signature, a submissionId and an id, and the longest time of a timer. */
const IN_WORDS = ['MAX_SUBMISSION_ID', 'ID_BYTES', 'LONGEST_CHUNK_TIMEOUT', 'MOST_BUSY_MS', 'REMEMBERED', 'MOST_SLOTS']
/** The constants that other peers cannot observe, such as the number of heads that are decoded in one turn. */
const INSIDE = ['QUICK_BYTES', 'TURN', 'EPOCH_TAG', 'HEADS_TAG', 'HEAD_TAG']

test.each(CODECS)('docs/protocol.md gives every limit by which %s refuses a message', file => {
  const documented = tables('constant').flatMap(([name, , where]) => (where === file ? [bare(name)] : []))
  const left = new Set([...ELSEWHERE, ...IN_WORDS, ...INSIDE])
  const bounds = [...constantsOf(file).keys()].filter(name => !left.has(name))
  expect(documented.toSorted()).toEqual(bounds.toSorted())
})

test('docs/protocol.md gives the limits of a record', () => {
  const documented = tables('of a record, at most').map(([name, value]) => [bare(name), Number(value)])
  expect(documented).toEqual(Object.entries(RECORD_LIMITS))
})

test('docs/protocol.md gives the shortest and the longest ttl of a lock', () => {
  expect(protocolText).toContain(`A \`ttl\` is ${TTL.least} to ${TTL.most}`)
})

test('docs/protocol.md gives the election times of each profile', () => {
  const documented = tables('ms').map(([name, ...values]) => [bare(name), ...values.map(Number)])
  const [local, lan, wan] = [profiles.local, profiles.lan, profiles.wan].map(electionTimes)
  const names = (Object.keys(lan!) as (keyof NonNullable<typeof lan>)[]).filter(name => name !== 'stableFor')
  expect(documented).toEqual(names.map(name => [name, local![name], lan![name], wan![name]]))
})

test('docs/protocol.md lists exactly the timers of both state machines', () => {
  const documented = tables('timer').map(([name]) => bare(name))
  const timers = [
    ...unionOf('membership/core/messages.ts', 'SwimTimer'),
    ...unionOf('election/core/events.ts', 'CoreTimer')
  ]
  expect(timers.length).toBeGreaterThan(10)
  expect(documented.toSorted()).toEqual(timers.toSorted())
})

test('docs/protocol.md names every string that a message uses as an enumeration value', () => {
  const words = [
    ...END_REASONS,
    ...ENDS,
    'silent',
    'refused',
    'auto',
    'leader',
    'worker',
    'ordered',
    'unordered',
    'lock',
    'leadership',
    ...MISSED,
    ...OVERLAPS
  ]
  expect(words.filter(word => !protocolText.includes(`\`${word}\``))).toEqual([])
})
