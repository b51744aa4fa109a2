import { describe, expect, it } from 'vitest'
import { MOST_POINTS } from '../../../src/http/dashboard/model/history.ts'
import { MOST_ENTRIES } from '../../../src/http/dashboard/model/log.ts'
import { type Happening, type Model, throughput } from '../../../src/http/dashboard/model/model.ts'
import { job, member, status, time, told } from './told.ts'

const opened = (at = 0): Happening => ({ type: 'opened', at })
const came = (at: number, fields = {}): Happening => ({ type: 'status', at, data: status(fields) })
const leader = (at: number, peerId: string | null, epoch: number, by = at): Happening => ({
  type: 'leader',
  at,
  data: { time: time(by), peerId, epoch }
})
const lost = (at: number, since = at): Happening => ({ type: 'lost', at, since, why: 'it has stopped sending' })
const start = told([opened(), came(0)])
const texts = ({ log }: Model): string[] => log.map(({ text }) => text)

describe('the model of the dashboard', () => {
  it('the model begins with a status and an empty log', () => {
    expect(start).toMatchObject({
      cluster: 'lab',
      leader: { id: 'P1', epoch: 3 },
      connection: { state: 'open' },
      leaderlessSince: undefined,
      log: []
    })
    expect(start.members.map(({ peerId }) => peerId)).toEqual(['P1', 'P2'])
  })

  it('the model shows when an election began, which peer became the leader, and how long the election took by the clock of the peer', () => {
    const without = told([leader(1_000, null, 3, 900)], start)
    expect(without).toMatchObject({ leader: undefined, leaderlessSince: 1_000, epoch: 3 })
    const after = told([leader(1_600, 'P2', 4, 1_400)], without)
    expect(after).toMatchObject({ leader: { id: 'P2', epoch: 4 }, leaderlessSince: undefined })
    expect(after.outages).toEqual([{ from: 1_000, since: expect.any(Number), ms: 500 }])
    expect(texts(after)).toEqual(['P2 leads, epoch 4, after 500 ms without a leader', 'no leader'])
    expect(after.log.map(({ kind }) => kind)).toEqual(['leader', 'leader'])
  })

  it('a takeover between two leaders is not an outage', () => {
    const after = told([leader(1_000, 'P2', 4)], start)
    expect(after.outages).toEqual([])
    expect(texts(after)).toEqual(['P2 leads, epoch 4'])
  })

  it('the model keeps the jobs of the last leader while there is no leader', () => {
    const running = told([came(1_000, { jobs: [job('ep-1', { done: 5 })] })], start)
    const none = { leader: null, epoch: null, noLeader: 'an election is under way', jobs: [] }
    const without = told([came(2_000, none)], running)
    expect(without.jobs).toMatchObject([{ jobId: 'ep-1', done: 5 }])
    expect(without).toMatchObject({ leaderlessSince: 2_000, whyNoLeader: 'an election is under way', epoch: 3 })
  })

  it('the model logs every change of a member, even of a member that no status has named', () => {
    const event = (at: number, peerId: string, state: 'alive' | 'suspect' | 'dead' | 'left'): Happening => ({
      type: 'member',
      at,
      data: { time: time(at), peerId, state }
    })
    const after = told(
      [
        event(1, 'P2', 'suspect'),
        event(2, 'P2', 'alive'),
        event(3, 'P3', 'alive'),
        event(4, 'P2', 'dead'),
        event(5, 'P3', 'left')
      ],
      start
    )
    expect(after.members.map(({ peerId, state }) => [peerId, state])).toEqual([
      ['P1', 'alive'],
      ['P2', 'dead'],
      ['P3', 'left']
    ])
    expect(texts(after)).toEqual(['P3 left', 'P2 is dead', 'P3 joined', 'P2 is alive again', 'P2 is suspect'])
  })

  it('the model logs jobs by name, and shows the new state of a job before the next status arrives', () => {
    const running = told([came(1_000, { jobs: [job('ep-1', { done: 5 })] })], start)
    const event = (state: 'resumed' | 'completed'): Happening => ({
      type: 'job',
      at: 2_000,
      data: { time: time(2_000), jobId: 'ep-1', state }
    })
    const after = told([event('resumed'), event('completed')], running)
    expect(after.jobs).toMatchObject([{ state: 'completed' }])
    expect(texts(after)).toEqual(['job ep-1 (sum) completed', 'job ep-1 (sum) goes on under the new leader'])
  })

  it('the model lists running jobs first, and after a change of leader keeps a missing job for a while', () => {
    const ended = job('old', { state: 'completed', done: 100, ageMs: 90_000 })
    const jobs = [ended, job('newer', { state: 'failed', ageMs: 10_000 }), job('ep-1')]
    const before = told([came(1_000, { jobs })], start)
    expect(before.jobs.map(({ jobId }) => jobId)).toEqual(['ep-1', 'newer', 'old'])
    const missing = told([came(2_000, { jobs: [] })], before)
    expect(missing.jobs).toMatchObject([{ jobId: 'ep-1', missingSince: 2_000 }])
    expect(told([came(13_000, { jobs: [] })], missing).jobs).toEqual([])
  })

  it('the model measures the chunks per second of each job and of all jobs', () => {
    const at = (second: number): Happening =>
      came(1_000 * second, { jobs: [job('a', { done: 10 * second }), job('b', { done: 5 * second })] })
    const after = told([at(1), at(2), at(3), at(4)], start)
    expect(after.jobs.map(({ pace }) => pace)).toEqual([10, 5])
    expect(throughput(after)).toBeCloseTo(15)
    // Chunks that were done before the page opened do not count in its first second.
    const late = told([opened(), at(100), at(101)])
    expect(throughput(late)).toBeCloseTo(15)
    // Chunks that were done while the page was disconnected do not count at the moment of its return.
    const back = told([lost(4_500), opened(5_000), came(5_000, { jobs: [job('a', { done: 9_000 })] })], after)
    expect(throughput(back)).toBeLessThan(15)
  })

  it('the throughput falls to 0 while no status arrives', () => {
    const at = (second: number): Happening => came(1_000 * second, { jobs: [job('a', { done: 10 * second })] })
    const ticks = Array.from({ length: 10 }, (_, second): Happening => ({ type: 'tick', at: 1_000 * (second + 4) }))
    const after = told([at(1), at(2), ...ticks], start)
    expect(throughput(after)).toBe(0)
    expect(after.jobs[0]?.pace).toBe(0)
    expect(after.points.at(-1)).toEqual({ at: 13_000, rate: 0 })
  })

  it('the model keeps its state when the connection to the peer is lost, and records the time of the loss', () => {
    const after = told([lost(5_000, 3_000), { type: 'tick', at: 6_000 }], told([{ type: 'tick', at: 1_000 }], start))
    expect(after.connection).toEqual({ state: 'lost', since: 3_000, why: 'it has stopped sending' })
    expect(after.members).toEqual(start.members)
    expect(after.points.map(({ rate }) => rate)).toEqual([0, null])
    // The reason may change, but the time of the loss stays.
    expect(told([lost(9_000)], after).connection).toMatchObject({ since: 3_000 })
  })

  it('the model continues when a silent peer sends data again', () => {
    const after = told([lost(5_000), { type: 'found', at: 6_000 }], start)
    expect(after.connection).toEqual({ state: 'open' })
    expect(after.log).toEqual([])
  })

  it('the model takes the state from a new connection, and logs the changes since the loss', () => {
    const waiting = told([lost(5_000), opened(9_000), { type: 'found', at: 9_000 }], start)
    expect(waiting.connection.state).toBe('lost')
    const members = [member('P1', { state: 'dead' }), member('P2'), member('P3')]
    const after = told([came(9_100, { leader: 'P2', epoch: 5, members })], waiting)
    expect(after.connection).toEqual({ state: 'open' })
    expect(texts(after)).toEqual(['P2 leads, epoch 5', 'P3 joined', 'P1 is dead'])
  })

  it('the time without a connection to the peer does not count as time without a leader', () => {
    const after = told([leader(1_000, null, 3), lost(4_000, 2_000), opened(60_000), came(60_000)], start)
    expect(after.outages).toMatchObject([{ from: 1_000, ms: 1_000 }])
    const still = told([leader(1_000, null, 3), lost(4_000, 2_000), { type: 'found', at: 5_000 }], start)
    expect(still.outages).toMatchObject([{ ms: 1_000 }, { from: 5_000, ms: undefined }])
  })

  it('the log, the points and the outages of the model are bounded', () => {
    let model = start
    for (let at = 1; at <= MOST_ENTRIES + MOST_POINTS; at++) {
      model = told(
        [leader(1_000 * at, null, at), leader(1_000 * at, 'P1', at), { type: 'tick', at: 1_000 * at }],
        model
      )
    }
    expect([model.log.length, model.points.length]).toEqual([MOST_ENTRIES, MOST_POINTS])
    expect(model.outages.length).toBeLessThanOrEqual(100)
    expect(new Set(model.log.map(({ id }) => id)).size).toBe(MOST_ENTRIES)
  })
})
