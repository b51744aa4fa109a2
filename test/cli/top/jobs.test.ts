import { describe, expect, it } from 'vitest'
import { clusterPace } from '../../../src/cli/top/jobs.ts'
import type { JobSummary } from '../../../src/jobs/shared/types.ts'
import { timeLeft } from '../../../src/views/jobs.ts'
import { answer, job, logOf, modelAfter, status, view } from './fixtures.ts'

/** The answers of one leader, one second apart. */
const answers = (...jobs: JobSummary[][]) => jobs.map((each, index) => answer(index * 1_000, status({ jobs: each })))

describe('the jobs that top shows', () => {
  it('each job in top has the pace of the last seconds, and an estimated end', () => {
    const model = modelAfter(...answers([job('one')], [job('one', { done: 10 })], [job('one', { done: 20 })]))
    expect(model.jobs[0]!.pace).toBe(10)
    expect(timeLeft(model.jobs[0]!)).toBe(8_000)
    expect(clusterPace(model.jobs)).toBe(10)
  })

  it('the pace of a job in top ignores samples from before the last seconds', () => {
    const done = [0, 5_000, 5_001, 5_002, 5_003, 5_004, 5_005, 5_006]
    const model = modelAfter(...answers(...done.map(each => [job('one', { done: each, total: 9_000 })])))
    expect(model.jobs[0]!.pace).toBe(1)
  })

  it('the pace of a job in top starts again when a new leader reports fewer done chunks', () => {
    const model = modelAfter(
      ...answers([job('one', { done: 50 })], [job('one', { done: 60 })], [job('one', { done: 5 })])
    )
    expect(model.jobs[0]!.pace).toBeUndefined()
    const later = modelAfter(
      ...answers(
        [job('one', { done: 50 })],
        [job('one', { done: 60 })],
        [job('one', { done: 5 })],
        [job('one', { done: 9 })]
      )
    )
    expect(later.jobs[0]!.pace).toBe(4)
  })

  it('a job in top has no estimated end without a pace, or while its number of chunks is unknown', () => {
    const still = modelAfter(...answers([job('one')], [job('one')]))
    expect(timeLeft(still.jobs[0]!)).toBeUndefined()
    const endless = modelAfter(
      ...answers([job('one', { total: undefined })], [job('one', { total: undefined, done: 9 })])
    )
    expect(timeLeft(endless.jobs[0]!)).toBeUndefined()
  })

  it('the log of top contains each change of the state of a job', () => {
    const one = (state: JobSummary['state']) => [job('one', { state })]
    for (const end of ['completed', 'failed', 'cancelled'] as const) {
      const model = modelAfter(...answers([], one('accepted'), one('running'), one(end)))
      expect(logOf(model)).toEqual(['job one (count) accepted', 'job one (count) running', `job one (count) ${end}`])
    }
  })

  it('the log of top does not contain the start of a job that started before top', () => {
    expect(logOf(modelAfter(...answers([job('one')])))).toEqual([])
  })

  it('a job stays in top while a new leader does not list it yet, and then resumes', () => {
    const second = { leader: { id: 'x', epoch: 2 } }
    const model = modelAfter(
      answer(0, status({ jobs: [job('one', { done: 5, age: 3_000 }), job('two', { state: 'completed' })] })),
      answer(1_000, status({ ...second, jobs: [] }))
    )
    expect(model.jobs).toMatchObject([{ jobId: 'one', missingSince: 1_000 }])
    const told = status({ ...second, jobs: [job('one', { done: 4, age: undefined })] })
    const back = modelAfter(
      answer(0, status({ jobs: [job('one', { done: 5, age: 3_000 })] })),
      answer(1_000, status({ ...second, jobs: [] })),
      answer(2_000, told)
    )
    expect(logOf(back)).toEqual(['job one (count) resumed under the new leader'])
    expect(back.jobs).toMatchObject([{ jobId: 'one', acceptedAt: -3_000 }])
    expect(back.jobs[0]).not.toHaveProperty('missingSince')
  })

  it('a job disappears from top when the leader has not listed the job for 10 s', () => {
    const model = modelAfter(
      answer(0, status({ jobs: [job('one')] })),
      ...[1, 6, 11.1].map(s => answer(s * 1_000, status()))
    )
    expect(model.jobs).toEqual([])
    expect(logOf(model)).toEqual(['job one (count) is not known to the leader any more'])
  })

  it('top shows unfinished jobs first, and then ended jobs with the newest job first', () => {
    const jobs = [
      job('old', { state: 'completed', age: 9_000 }),
      job('new', { state: 'failed', age: 1_000 }),
      job('on', { age: 20_000 })
    ]
    expect(modelAfter(answer(0, status({ jobs }))).jobs.map(({ jobId }) => jobId)).toEqual(['on', 'new', 'old'])
  })

  it('the log of top contains a job that no peer can compute', () => {
    const model = modelAfter(view(0, status()), ...answers([job('one')], [job('one', { unserved: true })]))
    expect(logOf(model).at(-1)).toBe('job one (count) waits: no peer can compute it')
  })
})
