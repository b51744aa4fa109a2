import { describe, expect, it } from 'vitest'
import { textWidth } from '../../../src/cli/terminal/text-width.ts'
import { type Controls, startControls } from '../../../src/cli/top/controls.ts'
import { textOf } from '../../../src/cli/top/line.ts'
import type { Model } from '../../../src/cli/top/model.ts'
import { picture } from '../../../src/cli/top/picture.ts'
import { JOB_STATES } from '../../../src/jobs/shared/types.ts'
import fc from '../../properties.ts'
import { answer, job, member, modelAfter, status, view } from './fixtures.ts'

const LARGE = { columns: 120, rows: 40 }
const USUAL = { columns: 80, rows: 24 }

function text(model: Model, size = USUAL, now = 0, controls: Partial<Controls> = {}): string {
  return picture(model, { ...startControls(), ...controls }, size, now)
    .map(textOf)
    .join('\n')
}

function rowOf(model: Model, what: string, size = USUAL): string {
  return (
    text(model, size)
      .split('\n')
      .find(row => row.includes(what)) ?? ''
  )
}

const told = status({
  members: [
    member('A', { busy: 2, rtt: 12.34 }),
    member('B', { busy: 0 }),
    member('C', { state: 'suspect', role: 'worker', slots: 16, busy: 4 }),
    member('D', { state: 'dead' }),
    member('E', { state: 'left' })
  ],
  jobs: [job('11112222-3333', { task: 'primes', done: 62_000, total: 100_000 })]
})
const model = modelAfter(view(0, told), answer(0, told))

describe('the picture of top', () => {
  it('the picture of top fills any terminal exactly, whatever its content', () => {
    const state = fc.constantFrom('alive', 'suspect', 'dead', 'left' as const)
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constant('数据处理🚀e\u0301\t\u202e\u0d46\u001b[31m\n')
    )
    const members = fc.array(
      fc.record({
        id: fc.nat(1_000).map(String),
        state,
        slots: fc.nat(100_000),
        busy: fc.nat(100_000),
        rtt: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }), { nil: undefined }),
        addresses: fc.array(anyText, { maxLength: 2 }),
        role: fc.constantFrom('auto', 'leader', 'worker' as const)
      }),
      { maxLength: 70 }
    )
    const jobs = fc.array(
      fc.record({
        jobId: fc.oneof(fc.uuid(), anyText),
        task: anyText,
        state: fc.constantFrom(...JOB_STATES),
        done: fc.nat(2 ** 31 - 1),
        total: fc.option(fc.nat(2 ** 31 - 1), { nil: undefined }),
        unserved: fc.boolean(),
        durable: fc.nat({ max: 16 }),
        durability: fc.record({ memory: fc.nat(), disk: fc.nat() }),
        age: fc.option(fc.nat(), { nil: undefined })
      }),
      { maxLength: 30 }
    )
    const size = fc.record({ columns: fc.integer({ min: 1, max: 250 }), rows: fc.integer({ min: 1, max: 100 }) })
    const story = fc.record({
      members,
      jobs,
      size,
      leads: fc.boolean(),
      attached: fc.boolean(),
      now: fc.nat(1e8),
      help: fc.boolean(),
      asks: fc.boolean(),
      why: anyText
    })
    fc.assert(
      fc.property(story, ({ members, jobs, size, leads, attached, now, help, asks, why }) => {
        const told = status({ members: members.map(({ id, ...change }) => member(id, change)), jobs })
        const first = modelAfter(view(0, told), answer(0, told))
        const last = leads ? told : { ...told, leader: undefined, noLeader: why }
        const seen = modelAfter(
          view(0, told),
          answer(0, told),
          { ...view(1, last), peer: attached ? 'p' : undefined } as never,
          answer(1, last)
        )
        for (const model of [first, seen]) {
          const controls = { ...startControls(), help, asks: asks ? jobs[0]?.jobId : undefined }
          const lines = picture(model, controls, size, now)
          expect(lines).toHaveLength(size.rows)
          for (const line of lines) {
            expect(textWidth(textOf(line))).toBe(size.columns)
            expect(textOf(line)).not.toMatch(/\p{Cc}/u)
          }
        }
      }),
      { numRuns: 200 }
    )
  })

  it('on a terminal that is too small, the picture of top shows the required size', () => {
    expect(text(model, { columns: 39, rows: 24 })).toContain('too small: 39×24')
    expect(text(model, { columns: 80, rows: 9 })).toContain('40×10')
    expect(text(model, { columns: 20, rows: 5 })).toMatch(/too small: 20×5\. *\ntop needs 40×10\. *\nq quits\./)
    expect(text(model, { columns: 40, rows: 10 })).toContain('leader member-B')
  })

  it('the picture of top shows the leader, its epoch, the number of members and their load', () => {
    expect(text(model).split('\n').slice(0, 2).join('\n')).toMatch(
      /leader member-B \(epoch 1\).*cluster lab.*\n3 live {2}◐ 1 suspect {2}✕ 1 dead {2}slots ███░{7} 6\/20 /
    )
  })

  it('the picture of top shows members by rank, each state as a word and a sign, with the load and the round trip', () => {
    expect(rowOf(model, '★ member-B')).toMatch(/1 ● alive +auto +0\/2 ░░ +-/)
    expect(rowOf(model, 'member-A')).toMatch(/2 ● alive +auto +2\/2 ██ +12.3 ms/)
    expect(rowOf(model, 'member-C')).toMatch(/- ◐ suspect worker +4\/16 ██░{6} /)
    expect(rowOf(model, 'member-D')).toMatch(/- ✕ dead +auto +- +-/)
    expect(rowOf(model, 'member-E')).toMatch(/- ○ left/)
    const rows = text(model).split('\n')
    const order = ['★ member-B', 'member-A', 'member-C', 'member-D', 'member-E'].map(id =>
      rows.findIndex(row => row.includes(id))
    )
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  it('the picture of top shows which members have a data folder, as soon as one has', () => {
    const onDisk = status({ members: [member('A', { hasDisk: true, busy: 0 }), member('B', { busy: 0 })] })
    const seen = modelAfter(view(0, onDisk), answer(0, onDisk))
    expect(rowOf(seen, 'MEMBER')).toMatch(/BUSY +DISK +RTT/)
    expect(rowOf(seen, 'member-A')).toMatch(/0\/2 ░░ +yes +-/)
    expect(rowOf(seen, '★ member-B')).toMatch(/0\/2 ░░ +- +-/)
    expect(text(model)).not.toContain('DISK')
  })

  it('the picture of top shows the address of a member if there is room', () => {
    expect(rowOf(model, 'member-A', LARGE)).toContain('/ip4/192.0.2.1/tcp/4001')
    expect(rowOf(model, 'member-A', { columns: 60, rows: 24 })).not.toContain('/ip4')
  })

  it('the picture of top shows the progress of a job', () => {
    const later = status({ ...told, jobs: [{ ...told.jobs[0]!, done: 63_000, age: 2_000 }] })
    const running = modelAfter(view(0, told), answer(0, told), view(1_000, later), answer(1_000, later))
    expect(rowOf(running, '11112222', LARGE)).toMatch(/primes +» running +█+░+ +63% +63.0k\/100k +1000 +37s +1s/)
  })

  it('the picture of top shows on how many disks a job is, and on how many it must be', () => {
    const held = { durable: 2, durability: { memory: 3, disk: 1 } }
    const seen = modelAfter(answer(0, status({ jobs: [job('must', held), job('need-not')] })))
    expect(rowOf(seen, 'JOB ')).toMatch(/CHUNKS +DISKS +PER S +ETA +AGE/)
    expect(rowOf(seen, 'must')).toMatch(/0\/100 +1\/2 +-/)
    expect(rowOf(seen, 'need-not')).toMatch(/0\/100 +- +-/)
    expect(text(model)).not.toContain('DISKS')
  })

  it('the picture of top never shows a full bar before the job is done', () => {
    const nearly = status({ jobs: [job('nearly', { done: 99_999, total: 100_000 })] })
    expect(rowOf(modelAfter(answer(0, nearly)), 'nearly')).toMatch(/█░ +99%/)
  })

  it('the picture of top scrolls to the selected row, and shows which rows are on the screen', () => {
    const many = status({ members: Array.from({ length: 50 }, (_, i) => member(String(i).padStart(2, '0'))) })
    const full = modelAfter(view(0, many), answer(0, many))
    expect(text(full)).toMatch(/1–\d+ of 50/)
    // The highest PeerId ranks first, so the last row is the lowest PeerId.
    const last = text(full, USUAL, 0, { members: { id: many.members[0]!.id, index: 49 } })
    expect(last).toMatch(/▸ {2}ember-00|▸.*ember-00/)
    expect(last).toMatch(/–50 of 50/)
  })

  it('the picture of top shows that there is no leader, since when, and why', () => {
    const none = { ...told, leader: undefined, noLeader: 'an election is under way' }
    const seen = modelAfter(view(0, told), answer(0, told), view(1_000, none), answer(1_000, none))
    expect(text(seen, USUAL, 8_000)).toContain('NO LEADER for 7s: an election is under way')
  })

  it('the picture of top shows that top has lost its peer and that the data is old', () => {
    const lost = { ...view(1_000, told), peer: undefined } as const
    expect(text(modelAfter(view(0, told), answer(0, told), lost), USUAL, 5_000)).toMatch(
      /NO PEER for 4s, since \d\d:\d\d:\d\d/
    )
  })

  it('the picture of top shows the age of an old answer of the leader', () => {
    expect(text(model, USUAL, 2_000)).not.toContain('OLD')
    expect(text(model, USUAL, 9_000)).toContain('OLD: jobs and busy slots are of 9s ago')
  })

  it('before a cancellation, the picture of top shows a question with the name of the job', () => {
    expect(text(model, USUAL, 0, { asks: '11112222-3333' })).toContain(
      'y/n cancel job 11112222 (primes) on the whole cluster?'
    )
  })

  it('the picture of top shows the newest log lines first', () => {
    const rows = text(model).split('\n')
    const log = rows.findIndex(row => row.startsWith(' LOG'))
    expect(rows[log + 1]).toMatch(/\d\d:\d\d:\d\d attached to peer/)
  })
})
