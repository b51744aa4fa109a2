import { describe, expect, test } from 'vitest'
import { AuditLog, type LeadershipRecord } from '../../src/election/audit-log.ts'
import { mergeHistory } from '../../src/election/history.ts'

const leadership = (id: string, epoch: number) => ({ id, epoch, rank: { id, priority: 0 } })

function record(leader: string, epoch: number, change: Partial<LeadershipRecord> = {}): LeadershipRecord {
  return { leader, epoch, from: 100, until: undefined, why: undefined, ...change }
}

describe('AuditLog', () => {
  test('the audit log records when each leadership began and ended, and why it ended', () => {
    const log = new AuditLog()
    const ended = { until: 0, why: 'replaced' } as const
    log.changed(leadership('a', 1), 10, ended)
    log.changed(undefined, 21, { until: 20, why: 'died' })
    log.changed(leadership('b', 2), 30, ended)
    expect(log.records()).toEqual([
      { leader: 'a', epoch: 1, from: 10, until: 20, why: 'died' },
      { leader: 'b', epoch: 2, from: 30, until: undefined, why: undefined }
    ])
  })

  test('the audit log keeps the last 1,000 leaderships', () => {
    const log = new AuditLog()
    for (let i = 1; i <= 1_500; i++) log.changed(leadership('a', i), i, { until: i, why: 'replaced' })
    expect(log.records()).toHaveLength(1_000)
    expect(log.records().at(-1)).toMatchObject({ epoch: 1_500, until: undefined })
  })
})

describe('mergeHistory', () => {
  test('the merged history has one line per leadership in the order of epochs, and each line shows the earliest reported beginning', () => {
    const merged = mergeHistory([
      { peer: 'x', records: [record('b', 2, { from: 50 }), record('a', 1, { from: 9, until: 40, why: 'died' })] },
      { peer: 'y', records: [record('b', 2, { from: 45 })] }
    ])
    expect(merged).toEqual([
      { leader: 'a', epoch: 1, from: 9, until: 40, why: 'died', seenBy: 1 },
      { leader: 'b', epoch: 2, from: 45, until: undefined, why: undefined, seenBy: 2 }
    ])
  })

  test('the merged history takes the end of a leadership from its leader or, without an answer of the leader, from the peer that followed it longest', () => {
    const own = { peer: 'a', records: [record('a', 1, { until: 30, why: 'lost its lease' })] }
    const early = { peer: 'x', records: [record('a', 1, { until: 60, why: 'died' })] }
    const late = { peer: 'y', records: [record('a', 1, { until: 70, why: 'replaced' })] }
    for (const told of [
      [own, early, late],
      [late, early, own]
    ])
      expect(mergeHistory(told)).toMatchObject([{ until: 30, why: 'lost its lease', seenBy: 3 }])
    expect(mergeHistory([late, early])).toMatchObject([{ until: 70, why: 'replaced' }])
    expect(mergeHistory([early, { peer: 'z', records: [record('a', 1)] }])).toMatchObject([{ until: undefined }])
  })

  test('the merged history counts a peer only once, even if the peer accepted the leadership twice', () => {
    const records = [record('a', 1, { until: 20, why: 'died' }), record('a', 1, { from: 30 })]
    expect(mergeHistory([{ peer: 'x', records }])).toMatchObject([{ from: 30, seenBy: 1 }])
  })

  test('the merged history keeps two leaders with the same epoch apart', () => {
    const merged = mergeHistory([
      { peer: 'x', records: [record('a', 3)] },
      { peer: 'y', records: [record('b', 3)] }
    ])
    expect(merged.map(({ leader }) => leader)).toEqual(['a', 'b'])
  })
})
