import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { View } from '../../src/attach/view.ts'
import { version } from '../../src/common/version.ts'
import { dialling, noView, tried, viewFindings } from '../../src/doctor/findings.ts'
import type { Member } from '../../src/membership/core/member.ts'
import { hostId } from '../../src/network/host-id.ts'

const never = new AbortController().signal

function member(id: string, change: Partial<Member> = {}): Member {
  return {
    id,
    state: 'alive',
    incarnation: 0,
    revision: 0,
    since: 0,
    addresses: [],
    slots: 1,
    role: 'auto',
    electionPriority: 0,
    tags: {},
    version,
    node: process.versions.node,
    host: 'elsewhere',
    electorate: '',
    hasDisk: false,
    ...change
  }
}

function view(change: Partial<View> = {}): View {
  const leader = { id: 'a', epoch: 3, rank: { priority: 0, id: 'a' } }
  return {
    cluster: 'lab',
    leader,
    members: [member('a'), member('b', { state: 'dead' })],
    now: 1_000_000,
    stats: { changes: 1, leaderless: 0 },
    ...change
  }
}

const verdicts = (findings: { what: string; verdict: string }[]) => findings.map(({ what, verdict }) => [what, verdict])

test('the doctor finds a cluster with a leader fine, even if a member is dead', () => {
  const findings = viewFindings(view(), 'a', 1_000_100)
  expect(verdicts(findings)).toEqual([['cluster', 'fine']])
  expect(findings[0]!.text).toBe('attached to a; 1 live, a leads (epoch 3)')
})

test('the doctor reports trouble for a cluster without a leader', () => {
  expect(verdicts(viewFindings(view({ leader: undefined }), 'a', 1_000_000))).toEqual([['cluster', 'trouble']])
})

test.each([
  [1_060_000, '60 s ahead of'],
  [940_000, '60 s behind']
])('the doctor notes a peer’s clock that differs by 60 s from the local clock (%d)', (seenAt, text) => {
  const [, clock] = viewFindings(view(), 'a', seenAt)
  expect(clock).toMatchObject({ what: 'clock', verdict: 'note', text: expect.stringContaining(text) })
})

test('the doctor notes a member that runs another version of p2p-worker', () => {
  const found = viewFindings(view({ members: [member('a'), member('c', { version: '9.9.9' })] }), 'a', 1_000_000)
  expect(verdicts(found)).toEqual([
    ['cluster', 'fine'],
    ['c', 'note']
  ])
})

test('the doctor adds one note when the members run several major versions of Node, and no note when all run the same major version', () => {
  const members = ['26.10.0', '26.9.1', '20.19.0', ''].map((node, i) => member(`p${i}`, { node }))
  const notes = (shown: Member[]): unknown => viewFindings(view({ members: shown }), 'p0', 1_000_000).slice(1)
  expect(notes(members)).toEqual([
    { what: 'Node', verdict: 'note', text: expect.stringContaining('20.19.0, 26.10.0, 26.9.1') }
  ])
  expect(notes(members.filter(({ node }) => !node.startsWith('20')))).toEqual([])
})

test('the doctor notes a remote member that announces only loopback addresses, even if a local process listens on the announced port', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const addresses = [`/ip4/127.0.0.1/tcp/${(server.address() as AddressInfo).port}`]
  const found = await dialling([member('a', { addresses }), member('b', { addresses, host: hostId() ?? '' })], never)
  expect(found).toEqual([{ what: 'a', verdict: 'note', text: expect.stringContaining('--listen') }])
  await new Promise(resolve => server.close(resolve))
})

test('the doctor notes an unreachable live member, and does not dial a dead member', async () => {
  const here = { addresses: ['/ip4/127.0.0.1/tcp/9'], host: hostId() ?? '' }
  const found = await dialling([member('a', here), member('b', { ...here, state: 'dead' })], never)
  expect(verdicts(found)).toEqual([['a', 'note']])
})

test('the doctor reports trouble for a dial whose key was refused, and a note for any other failed dial', () => {
  expect(tried({ address: 'x', outcome: '', kind: 'refused' }).verdict).toBe('trouble')
  expect(tried({ address: 'x', outcome: '', kind: 'unreachable' }).verdict).toBe('note')
  expect(tried({ address: 'x', outcome: '', kind: 'connected' }).verdict).toBe('fine')
  expect(noView('lab', 1_000, 'key', 'me').text).toMatch(/compare --key and --cluster/)
  expect(noView('lab', 1_000, 'unlisted', 'me').text).toMatch(/allow list lacks me/)
  expect(noView('lab', 1_000, undefined, 'me').text).toMatch(/within 1 s/)
})
