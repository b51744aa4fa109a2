import { describe, expect, it } from 'vitest'
import { rankPositions } from '../../../src/api/rank-positions.ts'
import { statusJson } from '../../../src/api/status-json.ts'
import type { ClusterStatus, MemberStatus } from '../../../src/api/types.ts'
import { jobsTable, membersTable, statusText } from '../../../src/cli/terminal/status-view.ts'

function member(id: string, change: Partial<MemberStatus> = {}): MemberStatus {
  return {
    id,
    state: 'alive',
    incarnation: 0,
    revision: 0,
    since: 0,
    addresses: [`/ip4/127.0.0.1/tcp/4001/p2p/${id}`, `/ip4/192.0.2.1/tcp/4001/p2p/${id}`],
    slots: 2,
    role: 'auto',
    electionPriority: 0,
    tags: {},
    version: '0.1.0',
    node: '26.10.0',
    host: '',
    electorate: '',
    hasDisk: false,
    busy: 1,
    ...change
  }
}

describe('the view of a cluster', () => {
  it('the view of a cluster ranks only live electable members, by priority, then PeerId', () => {
    const members = [
      member('A'),
      member('Z', { state: 'suspect' }),
      member('B', { electionPriority: 5 }),
      member('W', { role: 'worker' }),
      member('D', { state: 'dead' }),
      member('L', { role: 'leader' })
    ]
    expect([...rankPositions(members)]).toEqual([
      ['B', 1],
      ['Z', 2],
      ['L', 3],
      ['A', 4]
    ])
  })

  it('the view of a cluster ranks the lowest PeerId first under the strategy lowest, and names the strategy', () => {
    const electorate = 'lowest'
    const members = [
      member('A', { electorate }),
      member('Z', { electorate }),
      member('B', { electionPriority: 5, electorate })
    ]
    expect([...rankPositions(members).keys()]).toEqual(['B', 'A', 'Z'])
    const status = {
      ...{ cluster: 'lab', leader: { id: 'B', epoch: 1 }, noLeader: undefined, leaderChanges: 1, leaderless: 0 },
      ...{ members, jobs: [] }
    }
    expect(statusText(status, 0, { columns: 100, rows: 20 })).toContain(
      '1 leadership so far, 0 ms without a leader, elected by lowest'
    )
    expect(statusJson(status)).toMatchObject({ election: 'lowest' })
  })

  it('the view of a cluster is one JSON object with the fields that scripts rely on', () => {
    const held = { durable: 2, durability: { memory: 3, disk: 2 } }
    const status: ClusterStatus = {
      cluster: 'lab',
      leader: { id: 'Z', epoch: 7 },
      noLeader: undefined,
      leaderChanges: 2,
      leaderless: 1_234.5,
      members: [member('W', { role: 'worker', busy: undefined, node: '' }), member('Z', { rtt: 0.42, hasDisk: true })],
      jobs: [
        {
          jobId: 'j1',
          task: 'nas-ep',
          state: 'running',
          done: 3,
          total: undefined,
          unserved: true,
          age: undefined,
          ...held
        },
        { jobId: 'j2', task: 'n-queens', state: 'completed', done: 9, total: 9, unserved: false, age: 61_000, ...held }
      ]
    }
    const addresses = (id: string): string[] => member(id).addresses
    expect(statusJson(status)).toEqual({
      cluster: 'lab',
      leader: 'Z',
      epoch: 7,
      election: 'bully',
      noLeader: null,
      leaderChanges: 2,
      leaderlessMs: 1_235,
      members: [
        {
          peerId: 'Z',
          state: 'alive',
          role: 'auto',
          rank: 1,
          electionPriority: 0,
          slots: 2,
          busy: 1,
          rttMs: 0.42,
          addresses: addresses('Z'),
          version: '0.1.0',
          node: '26.10.0',
          hasDisk: true
        },
        {
          peerId: 'W',
          state: 'alive',
          role: 'worker',
          rank: null,
          electionPriority: 0,
          slots: 2,
          busy: null,
          rttMs: null,
          addresses: addresses('W'),
          version: '0.1.0',
          node: null,
          hasDisk: false
        }
      ],
      jobs: [
        { jobId: 'j1', task: 'nas-ep', state: 'running', done: 3, total: null, unserved: true, ageMs: null, ...held },
        {
          jobId: 'j2',
          task: 'n-queens',
          state: 'completed',
          done: 9,
          total: 9,
          unserved: false,
          ageMs: 61_000,
          ...held
        }
      ]
    })
    expect(statusJson({ ...status, leader: undefined })).toMatchObject({ leader: null })
  })

  it('the view of a cluster shows the progress of each job, where it is held, and its age if known', () => {
    const job = { jobId: 'j1', task: 'nas-ep', state: 'running' as const, done: 3, unserved: false }
    const rows = jobsTable([
      { ...job, total: undefined, age: undefined, durable: 0, durability: { memory: 1, disk: 0 } },
      { ...job, total: 9, age: 61_000, unserved: true, durable: 2, durability: { memory: 3, disk: 1 } }
    ]).split('\n')
    expect(rows.map(row => row.split(/\s{2,}/).map(cell => cell.trim()))).toEqual([
      ['JOB', 'TASK', 'STATE', 'CHUNKS', 'PEERS/DISKS', 'AGE'],
      ['j1', 'nas-ep', 'running', '3/?', '1/0', '-'],
      ['j1', 'nas-ep', 'running, no peer can compute it', '3/9', '3/1 of 2', '61 s']
    ])
    expect(jobsTable([])).toBe('no jobs')
  })

  it('the view of a cluster says how many jobs wait for a decision of a user', () => {
    const held = { done: 3, total: undefined, unserved: false, age: undefined, durable: 0 }
    const job = { task: 'ep', ...held, durability: { memory: 1, disk: 1 } }
    const status: ClusterStatus = {
      ...{ cluster: 'lab', leader: undefined, noLeader: undefined, leaderChanges: 1, leaderless: 0, members: [] },
      jobs: [
        { jobId: 'j1', state: 'running', ...job },
        { jobId: 'j2', state: 'suspended', ...job }
      ]
    }
    const screen = { columns: 100, rows: 12 }
    const decides = '1 job suspended: `p2p-worker resume JOB` or `p2p-worker cancel JOB` decides'
    expect(statusText(status, 0, screen).split('\n')).toContain(decides)
    expect(statusText({ ...status, jobs: status.jobs.slice(0, 1) }, 0, screen)).not.toContain('suspended')
    expect(jobsTable(status.jobs, { columns: 100, rows: 2 })).toMatch(/j2 .* suspended/)
  })

  it('the table of members shows live members first, by rank, and marks the leader', () => {
    const rows = membersTable(
      { id: '12D3KooWZZZZZZZZ', epoch: 1 },
      [member('12D3KooWAAAAAAAA', { state: 'left', since: 50_000, node: '' }), member('12D3KooWZZZZZZZZ')],
      60_000
    ).split('\n')
    expect(rows.map(row => row.split(/\s{2,}/).map(cell => cell.trim()))).toEqual([
      ['PEER', 'STATE', 'ROLE', 'RANK', 'SLOTS', 'BUSY', 'RTT', 'SINCE', 'NODE', 'ADDRESS'],
      ['ZZZZZZZZ *', 'alive', 'auto', '1', '2', '1', '-', '60 s', '26.10.0', '/ip4/192.0.2.1/tcp/4001'],
      ['AAAAAAAA', 'left', 'auto', '-', '2', '-', '-', '10 s', '-', '/ip4/192.0.2.1/tcp/4001']
    ])
  })

  it('the table of members shows which members have a data folder, as soon as one has', () => {
    const rows = membersTable(undefined, [member('A'), member('B', { hasDisk: true })], 0).split('\n')
    expect(rows.map(row => row.split(/\s{2,}/).slice(4, 8))).toEqual([
      ['SLOTS', 'BUSY', 'DISK', 'RTT'],
      ['2', '1', 'yes', '-'],
      ['2', '1', '-', '-']
    ])
  })
})
