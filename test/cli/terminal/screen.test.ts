import { describe, expect, it } from 'vitest'
import type { ClusterStatus, MemberStatus } from '../../../src/api/types.ts'
import { historyTable } from '../../../src/cli/commands/history.ts'
import { ENDLESS, mostImportant, type Screen, share } from '../../../src/cli/terminal/screen.ts'
import { jobsTable, membersTable, statusText } from '../../../src/cli/terminal/status-view.ts'
import { table } from '../../../src/cli/terminal/table.ts'
import { cut, textWidth } from '../../../src/cli/terminal/text-width.ts'
import type { JobSummary } from '../../../src/jobs/shared/types.ts'

function member(n: number, change: Partial<MemberStatus> = {}): MemberStatus {
  return {
    id: `12D3KooW${String(n).padStart(8, '0')}`,
    state: 'alive',
    incarnation: 0,
    revision: 0,
    since: 0,
    addresses: [`/ip4/192.168.100.${n}/tcp/40001/p2p/12D3KooW`],
    slots: 128,
    role: 'worker',
    electionPriority: 0,
    tags: {},
    version: '0.1.0',
    node: '26.10.0',
    host: '',
    electorate: '',
    hasDisk: false,
    rtt: 123.4,
    busy: 100,
    ...change
  }
}

function job(n: number, change: Partial<JobSummary> = {}): JobSummary {
  const jobId = `${String(n).padStart(8, '0')}-6c39-4f9e-9f0a-0d5f4d0c8a57`
  return {
    jobId,
    task: 'word-count',
    state: 'running',
    done: 12_345,
    total: 99_999,
    unserved: false,
    age: 61_000,
    durable: 0,
    durability: { memory: 1, disk: 0 },
    ...change
  }
}

const large: ClusterStatus = {
  cluster: 'a-cluster-with-a-long-name-as-names-may-have-up-to-63-letters-x',
  leader: { id: member(40).id, epoch: 123_456 },
  noLeader: undefined,
  leaderChanges: 12,
  leaderless: 1_234,
  members: [
    ...Array.from({ length: 50 }, (_, n) => member(n)),
    member(60, { state: 'left', role: 'auto' }),
    member(61, { state: 'suspect', role: 'auto' })
  ].map(each => (each.id === member(40).id ? { ...each, role: 'auto' as const } : each)),
  jobs: Array.from({ length: 30 }, (_, n) =>
    job(n, n === 29 ? { unserved: true } : n < 20 ? { state: 'completed' } : {})
  )
}

const terminal: Screen = { columns: 80, rows: 24 }
const widest = (text: string): number => Math.max(...text.split('\n').map(textWidth))

describe('status', () => {
  it('status fits 80 columns and 24 rows with many members and jobs, and counts the rows left out', () => {
    const text = statusText(large, 0, terminal)
    expect(text.split('\n').length).toBeLessThanOrEqual(23)
    expect(widest(text)).toBeLessThanOrEqual(80)
    expect(text).toMatch(/^… and \d+ more \(p2p-worker members\)$/m)
    expect(text).toMatch(/^… and \d+ more \(p2p-worker jobs\)$/m)
  })

  it('status shows the leader, suspect members, and waiting or running jobs before other rows', () => {
    const text = statusText(large, 0, terminal)
    for (const shown of ['00000040 *', '00000061', '00000029-', '00000020-']) expect(text).toContain(shown)
    for (const hidden of ['00000060', '00000000-']) expect(text).not.toContain(hidden)
  })

  it('status names the leader on a second row when one row is too short', () => {
    const status = { ...large, cluster: 'default' }
    const rows = (columns: number): string[] => statusText(status, 0, { columns, rows: 24 }).split('\n')
    expect(rows(80)[0]).toBe('cluster default: 51 live, 6528 slots, leader 00000040 (epoch 123456)')
    expect(rows(40).slice(0, 2)).toEqual(['cluster default: 51 live, 6528 slots', 'leader 00000040 (epoch 123456)'])
    expect(rows(40).length).toBeLessThanOrEqual(23)
  })

  it.each([20, 40, 60, 100, 200])('status never wraps at %i columns', columns => {
    expect(widest(statusText(large, 0, { columns, rows: 24 }))).toBeLessThanOrEqual(columns)
  })

  it('status cuts nothing when stdout is not a terminal', () => {
    const text = statusText(large, 0, ENDLESS)
    expect(text).not.toContain('…')
    for (const { addresses } of large.members) expect(text).toContain(addresses[0]!.replace(/\/p2p.*/, ''))
    for (const { jobId } of large.jobs) expect(text).toContain(jobId)
  })

  it('status shows every member and job when they are few', () => {
    const few = { ...large, cluster: 'default', members: large.members.slice(0, 5), jobs: large.jobs.slice(0, 12) }
    const text = statusText(few, 0, terminal)
    expect(text).not.toContain('more (')
    expect(text.split('\n')).toHaveLength(2 + 1 + 6 + 1 + 13)
  })

  it('status shows foreign task names on one row each, without colours or control characters', () => {
    const task = '\u001b[31ma\nb\tc\u202ed\u001b[2J'
    const [, row, ...more] = jobsTable([job(1, { task })]).split('\n')
    expect(more).toEqual([])
    expect(row).toContain('  a b cd  running')
  })

  it('without colours, status shows each state as a word and the leader with a star', () => {
    const states = ['alive', 'suspect', 'dead', 'left'] as const
    const text = membersTable(
      { id: member(1).id, epoch: 1 },
      states.map((state, n) => member(n + 1, { state })),
      0
    )
    for (const state of states) expect(text).toContain(` ${state} `)
    expect(text).toContain('00000001 *')
    expect(text).not.toContain('\u001b')
  })
})

describe('tables on a terminal', () => {
  it('tables cut ids, addresses and names before they drop columns', () => {
    const jobs = jobsTable(large.jobs, { ...ENDLESS, columns: 80 })
    expect(widest(jobs)).toBeLessThanOrEqual(80)
    expect(jobs.split('\n')).toHaveLength(31)
    expect(jobs).toContain('running, no peer can compute it')
    expect(jobs).toMatch(/^0{6}29[-\w]*… /m)
    const members = membersTable(large.leader, large.members, 0, { ...ENDLESS, columns: 80 })
    expect(widest(members)).toBeLessThanOrEqual(80)
    expect(members).toMatch(/^PEER .* RTT +SINCE +ADDRESS$/m)
    expect(members).toContain('/ip4/192.168.100…')
    const small = large.members.map(each => ({ ...each, role: 'auto' as const, state: 'alive' as const }))
    const whole = membersTable(large.leader, small, 0, { ...ENDLESS, columns: 80 })
    expect(whole).toMatch(/^PEER .* SINCE +NODE +ADDRESS$/m)
    expect(whole).toMatch(/ 26\.10\.0 +\/ip4\/192\.16…$/m)
    const onDisk = large.members.map(each => ({ ...each, hasDisk: true }))
    const withDisks = membersTable(large.leader, onDisk, 0, { ...ENDLESS, columns: 80 })
    expect(widest(withDisks)).toBeLessThanOrEqual(80)
    expect(withDisks).toMatch(/^PEER .* BUSY +DISK +RTT +SINCE$/m)
  })

  it('the table of jobs says on how many disks they are, also on a small screen, as soon as one of them must be on some', () => {
    const held = { durable: 2, durability: { memory: 3, disk: 1 } }
    const jobs = [job(1), job(2, { ...held, unserved: true })]
    for (const columns of [80, 60, 45]) {
      const text = jobsTable(jobs, { ...ENDLESS, columns })
      expect(widest(text)).toBeLessThanOrEqual(columns)
      expect(text).toContain(' 3/1 of 2')
      expect(jobsTable([job(1), job(2, { unserved: true })], { ...ENDLESS, columns })).not.toContain('DISKS')
    }
  })

  it('tables drop the least important columns when cutting is not enough', () => {
    const members = membersTable(large.leader, large.members, 0, { ...ENDLESS, columns: 40 })
    expect(members).toMatch(/^PEER +STATE /)
    expect(members).not.toContain('ADDRESS')
  })

  it('tables show the history of leaders within 80 columns', () => {
    const past = {
      leader: member(1).id,
      epoch: 123_456,
      from: 0,
      until: 5_000,
      why: 'lost its lease' as const,
      seenBy: 20
    }
    expect(widest(historyTable([past], 0, terminal))).toBeLessThanOrEqual(80)
  })

  it('tables count wide characters as two columns, and end a colour that they cut', () => {
    const rows = [
      ['中文字符表', 'x'],
      ['ab', 'y']
    ]
    expect(table([{ title: 'A' }, { title: 'B' }], rows)).toBe('A           B\n中文字符表  x\nab          y')
    expect(table([{ title: 'A', shrink: { turn: 1, least: 4 } }, { title: 'B' }], rows, 9)).toBe(
      'A       B\n中文…   x\nab      y'
    )
    expect(cut('\u001b[31mabcdef\u001b[39m', 4)).toBe('\u001b[31mabc…\u001b[0m')
    expect(['e\u0301', '👩‍👩‍👧', '☎️', '\u001b[1mx\u001b[22m'].map(textWidth)).toEqual([1, 2, 2, 1])
  })
})

describe('the room of a screen', () => {
  it('two tables share the rows of a screen, and each table takes the rows that the other table does not need', () => {
    expect(share(17, 5, 5)).toEqual([5, 5])
    expect(share(17, 50, 30)).toEqual([8, 9])
    expect(share(17, 3, 30)).toEqual([3, 14])
    expect(share(17, 50, 3)).toEqual([14, 3])
    expect(share(-3, 50, 30)).toEqual([1, 1])
  })

  it('a cut table keeps one row free for the line that counts the hidden rows', () => {
    expect(mostImportant([1, 5, 2, 4, 3], 3, n => n)).toEqual({ shown: [5, 4], left: 3 })
    expect(mostImportant([1, 2], 2, n => n)).toEqual({ shown: [1, 2], left: 0 })
  })
})
